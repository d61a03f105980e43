// The tables of release 0.1.0.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/store-engine.ts";
import { accountsTables } from "./baseline/accounts.sql.ts";
import { browserTables } from "./baseline/browser.sql.ts";
import { jobsTables } from "./baseline/jobs.sql.ts";
import { monitorsTables } from "./baseline/monitors.sql.ts";
import { pagesTables } from "./baseline/pages.sql.ts";
import { peopleTables } from "./baseline/people.sql.ts";
import { searchTables } from "./baseline/search.sql.ts";
import { serversTables } from "./baseline/servers.sql.ts";
import { webhooksTables } from "./baseline/webhooks.sql.ts";

const subjects = [
  ...[accountsTables, peopleTables, pagesTables, jobsTables, webhooksTables],
  ...[monitorsTables, searchTables, browserTables, serversTables],
];

export function createBaseline(types: ColumnTypes): Migration {
  const statements = subjects.flatMap((tables) => tables(types).split(/;\n/)).filter((statement) => statement.trim());
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of [...statements, ...types.wordTables]) await sql.raw(statement).execute(db);
    },
  };
}
