// Inserts of many rows, in the three ways that most tables need.
import type { Kysely, RawBuilder } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { excluded, increased } from "./changes.ts";
import type { InsertStatement } from "./executor.ts";

type AnyRow = Record<string, unknown>;

/** Tables are chosen by name here, so the rows carry the types. */
const rowsInto = (db: Kysely<Tables>, table: keyof Tables, rows: readonly object[]) =>
  (db as unknown as Kysely<Record<string, AnyRow>>).insertInto(table).values(rows as readonly AnyRow[]);

export function insertRows<Row extends object>(table: keyof Tables): InsertStatement<Row, unknown> {
  return (db, rows) => rowsInto(db, table, rows);
}

/** Leaves out rows whose key exists; gives these columns of the others. */
export function insertNew<Row extends object, Column extends string & keyof Row = never>(
  table: keyof Tables,
  key: readonly (string & keyof Row)[],
  columns: readonly Column[] = [],
): InsertStatement<Row, Pick<Row, Column>> {
  const build = (db: Kysely<Tables>, rows: readonly Row[]) => {
    const inserted = rowsInto(db, table, rows).onConflict((conflict) => conflict.columns(key).doNothing());
    return columns.length > 0 ? inserted.returning(columns as readonly string[]) : inserted;
  };
  return build as InsertStatement<Row, Pick<Row, Column>>;
}

/** Of rows whose key exists, `set` names the columns that are replaced, `add` the counts that grow. */
export function upsertRows<Row extends object>(
  table: keyof Tables,
  key: readonly (string & keyof Row)[],
  { set = [], add = [] }: Partial<Record<"set" | "add", readonly (string & keyof Row)[]>>,
): InsertStatement<Row, unknown> {
  const changes: Record<string, RawBuilder<unknown>> = { ...excluded(set), ...increased(table, add) };
  return (db, rows) => rowsInto(db, table, rows).onConflict((conflict) => conflict.columns(key).doUpdateSet(changes));
}
