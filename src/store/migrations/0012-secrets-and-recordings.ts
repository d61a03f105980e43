// Adds the secrets of teams and the recordings of browser sessions.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/store-engine.ts";
import { secretChanges, secretTables } from "../schema/secret-tables.ts";
import { createTables } from "./0001-baseline.ts";

export function addSecretsAndRecordings(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const each of [...createTables(secretTables, types), ...secretChanges]) await sql.raw(each).execute(db);
    },
  };
}
