// What MCP keeps between requests, and OAuth.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/store-engine.ts";
import { doorIndexes, doorTables } from "../schema/door-tables.ts";
import { createTables } from "./0001-baseline.ts";

export function addDoors(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const each of [...createTables(doorTables, types), ...doorIndexes]) await sql.raw(each).execute(db);
    },
  };
}
