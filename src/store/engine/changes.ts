// What statements that change rows share.
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "../schema/tables.ts";

interface Changing {
  executeTakeFirst(): Promise<object | undefined>;
}

/** Runs a statement; whether it inserted, changed or deleted a row. */
export async function changesRow(statement: Changing): Promise<boolean> {
  return (await changedRows(statement)) > 0;
}

/** Runs a statement; how many rows it inserted, changed or deleted. */
export async function changedRows(statement: Changing): Promise<number> {
  const counts = Object.values((await statement.executeTakeFirst()) ?? {});
  return Number(counts.find((count) => typeof count === "bigint") ?? 0);
}

/** Deletes the rows that a query of their keys finds, which `found` goes on from the table with; how many they were. */
export async function deleteFound(
  db: Kysely<Tables>,
  table: keyof Tables,
  key: string,
  found: RawBuilder<unknown>,
): Promise<number> {
  const [from, columns] = [sql.table(table), sql.raw(key)];
  const keys = sql`select ${columns} from ${from} ${found}`;
  const { numAffectedRows } = await sql`delete from ${from} where (${columns}) in (${keys})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** For an upsert: these columns take the values of the row that was to be inserted. */
export function excluded<Column extends string>(columns: readonly Column[]): Record<Column, RawBuilder<never>> {
  const values = columns.map((column) => [column, sql.ref(`excluded.${column}`)]);
  return Object.fromEntries(values) as Record<Column, RawBuilder<never>>;
}

/** For an upsert: these counts grow by those of the row that was to be inserted. */
export function increased<Column extends string>(
  table: keyof Tables,
  columns: readonly Column[],
): Record<Column, RawBuilder<number>> {
  const sums = columns.map((column) => [
    column,
    sql`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
  ]);
  return Object.fromEntries(sums) as Record<Column, RawBuilder<number>>;
}
