// What all processes know of the open search sources: which of them rest, and how often each was asked.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { counter, needed } from "./baseline/columns.ts";

export function createSearchSources({ rowless }: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("search_sources")
        .addColumn("name", "text", (column) => column.notNull().primaryKey())
        .addColumn("failures", "integer", counter)
        .addColumn("rests", "integer", counter)
        .addColumn("rest_until", "bigint", counter)
        .addColumn("last_error", "text")
        .addColumn("last_error_at", "bigint")
        .modifyEnd(sql.raw(rowless))
        .execute();
      await db.schema
        .createTable("search_paces")
        .addColumn("bucket", "text", (column) => column.notNull().primaryKey())
        .addColumn("started_at", "bigint", needed)
        .addColumn("used", "integer", needed)
        .addColumn("window_ms", "bigint", needed)
        .addColumn("most", "integer", needed)
        .modifyEnd(sql.raw(rowless))
        .execute();
    },
  };
}
