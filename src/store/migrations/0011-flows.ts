// Flows with their versions and runs, and what was recorded of sessions.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/store-engine.ts";
import { flowIndexes, flowTables } from "../schema/flow-tables.ts";
import { createTables } from "./0001-baseline.ts";

export function addFlows(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const each of [...createTables(flowTables, types), ...flowIndexes]) await sql.raw(each).execute(db);
    },
  };
}
