// Adds whom notices go to, and notices to what is delivered.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/store-engine.ts";
import { noticeChanges, noticeTables } from "../schema/notice-tables.ts";
import { createTables } from "./0001-baseline.ts";

export function addNotices(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const each of [...createTables(noticeTables, types), ...noticeChanges]) await sql.raw(each).execute(db);
    },
  };
}
