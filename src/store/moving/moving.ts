// Rows of whole tables, read and written in batches: what copying a store and comparing two of them need.
import { hash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { StoreEngine } from "../engine/store-engine.ts";
import type { Tables } from "../schema/tables.ts";
import { heavyTables, keyColumns, type MovedTable, movedTables } from "./table-keys.ts";

type Row = Record<string, unknown>;
export type RowKey = readonly (string | number)[];

export interface MoveProgress {
  /** The last row that was copied; null before the first. */
  lastKey: RowKey | null;
  rows: number;
}

/** The same for tables with the same rows, whatever their order. */
export interface TableDigest {
  rows: number;
  hash: string;
}

export type StoreMoving = ReturnType<typeof createMoving>;

const batch = 500;
const heavyBatch = 20;
/** Notes that are no table's. */
const sourceNote = "(copied from)";
const movedNote = "(moved to)";

export function createMoving(db: Kysely<Tables>, { afterCopy }: StoreEngine) {
  async function readNote(name: string): Promise<string | null> {
    const note = await db.selectFrom("store_moves").select("note").where("name", "=", name).executeTakeFirst();
    return note?.note ?? null;
  }

  async function writeNote(on: Kysely<Tables>, name: string, note: string, rows = 0): Promise<void> {
    await on
      .insertInto("store_moves")
      .values({ name, note, rowCount: rows })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ note, rowCount: rows }))
      .execute();
  }

  /** In the order of the key; an empty batch is the end. */
  async function read(table: MovedTable, after: RowKey | null): Promise<Row[]> {
    const columns = sql.join(keyColumns(table).map((column) => sql.ref(column)));
    const beyond = after === null ? sql`` : sql`where (${columns}) > (${sql.join([...after])})`;
    const most = heavyTables.has(table) ? heavyBatch : batch;
    const { rows } =
      await sql<Row>`select * from ${sql.table(table)} ${beyond} order by ${columns} limit ${most}`.execute(db);
    return rows;
  }

  return {
    tables: movedTables,
    read,

    keyOf: (table: MovedTable, row: Row): RowKey => keyColumns(table).map((column) => row[column] as string | number),

    async count(table: MovedTable): Promise<number> {
      const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(db);
      return Number(rows[0]?.rows ?? 0);
    },

    /** Reads every row. */
    async digest(table: MovedTable): Promise<TableDigest> {
      let sum = 0n;
      let count = 0;
      for (let after: RowKey | null = null; ; ) {
        const rows = await read(table, after);
        for (const row of rows) sum = BigInt.asUintN(64, sum + rowHash(row));
        count += rows.length;
        const last = rows.at(-1);
        if (last === undefined) return { rows: count, hash: sum.toString(16).padStart(16, "0") };
        after = keyColumns(table).map((column) => last[column] as string | number);
      }
    },

    /** The store that a copy into this one began with; null when none has begun. */
    readSource: () => readNote(sourceNote),
    begin: (source: string) => writeNote(db, sourceNote, source),

    async readProgress(name: string): Promise<MoveProgress> {
      const noted = await db.selectFrom("store_moves").selectAll().where("name", "=", name).executeTakeFirst();
      return { lastKey: noted ? JSON.parse(noted.note) : null, rows: noted?.rowCount ?? 0 };
    },

    /** The rows and how far they go are written together: an interrupted copy resumes where it stopped. */
    async write(table: MovedTable, rows: readonly Row[], { lastKey, rows: copied }: MoveProgress): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto(table)
          .values(rows as never)
          .execute();
        await writeNote(transaction, table, JSON.stringify(lastKey), copied);
      });
    },

    noteProgress: (name: string, { lastKey, rows }: MoveProgress) => writeNote(db, name, JSON.stringify(lastKey), rows),

    /** After the last row: new rows get numbers that no copied one has. */
    async finish(): Promise<void> {
      for (const statement of afterCopy) await sql.raw(statement).execute(db);
      await db.deleteFrom("store_moves").execute();
    },

    /** Where this store has gone; null while it is in use. */
    readMoved: () => readNote(movedNote),
    markMoved: (to: string) => writeNote(db, movedNote, to),
    /** Lets it be used again. */
    async reopen(): Promise<void> {
      await db.deleteFrom("store_moves").where("name", "=", movedNote).execute();
    },
  };
}

/** By names of columns, not by their order, which may differ between engines. */
function rowHash(row: Row): bigint {
  const parts = Object.keys(row)
    .sort()
    .map((column) => {
      const value = row[column];
      return value instanceof Uint8Array ? hash("sha256", value, "hex") : value;
    });
  return hash("sha256", JSON.stringify(parts), "buffer").readBigUInt64BE();
}
