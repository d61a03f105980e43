// How far a copy into this store has come, and where this store has gone.
import type { Kysely, Migration } from "kysely";
import { needed } from "./baseline/columns.ts";

export function createStoreMoves(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("store_moves")
        .addColumn("name", "text", (column) => column.notNull().primaryKey())
        .addColumn("note", "text", needed)
        .addColumn("row_count", "bigint", needed)
        .execute();
    },
  };
}
