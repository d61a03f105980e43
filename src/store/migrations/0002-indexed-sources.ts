// Adds the sources of local indexes, and to the pages of the index whether anything but a source has brought them.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/store-engine.ts";
import { indexedSourceIndexes, indexedSourceTables, ownPageColumn } from "../schema/indexed-source-tables.ts";
import { createTables } from "./0001-baseline.ts";

export function addIndexedSources(types: ColumnTypes): Migration {
  const own = `alter table search_pages add column ${ownPageColumn}`;
  return {
    async up(db: Kysely<unknown>) {
      for (const each of [...createTables(indexedSourceTables, types), ...indexedSourceIndexes, own])
        await sql.raw(each).execute(db);
    },
  };
}
