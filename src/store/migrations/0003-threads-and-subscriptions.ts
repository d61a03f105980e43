// The threads of agents, and who has agreed to get the email of monitors.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/store-engine.ts";
import { threadChanges, threadTables } from "../schema/thread-tables.ts";
import { createTables } from "./0001-baseline.ts";

export function addThreads(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const each of [...createTables(threadTables, types), ...threadChanges]) await sql.raw(each).execute(db);
    },
  };
}
