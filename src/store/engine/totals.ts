// Numbers over all rows that a query finds.
import { type SelectQueryBuilder, sql } from "kysely";
import type { Tables } from "../schema/tables.ts";

type Found<Table extends keyof Tables> = SelectQueryBuilder<Tables, Table, object>;

export function countAll<Table extends keyof Tables>(found: Found<Table>): Promise<number> {
  return totalOf(found, "count(*)");
}

/** 0 when there are no rows. `column` is named as in the database. */
export function sumAll<Table extends keyof Tables>(found: Found<Table>, column: string): Promise<number> {
  return totalOf(found, `sum(${column})`);
}

async function totalOf<Table extends keyof Tables>(found: Found<Table>, total: string): Promise<number> {
  const row = await found.select(sql.raw<number | null>(total).as("total")).executeTakeFirst();
  return Number((row as { total?: number | null } | undefined)?.total ?? 0);
}
