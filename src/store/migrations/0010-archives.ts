// Web archives.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/store-engine.ts";
import { archiveIndexes, archiveTables } from "../schema/archive-tables.ts";
import { createTables } from "./0001-baseline.ts";

export function addArchives(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const each of [...createTables(archiveTables, types), ...archiveIndexes]) await sql.raw(each).execute(db);
    },
  };
}
