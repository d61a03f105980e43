// The feeds of list pages.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/store-engine.ts";
import { listFeedIndexes, listFeedTables } from "../schema/list-feed-tables.ts";
import { createTables } from "./0001-baseline.ts";

export function addListFeeds(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const each of [...createTables(listFeedTables, types), ...listFeedIndexes]) await sql.raw(each).execute(db);
    },
  };
}
