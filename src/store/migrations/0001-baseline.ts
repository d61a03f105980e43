// The tables of the first release, one file for each subject.
import type { Kysely, Migration } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { createAccountTables } from "./baseline/accounts.ts";
import { createBrowserTables } from "./baseline/browser.ts";
import { createJobTables } from "./baseline/jobs.ts";
import { createPageTables } from "./baseline/pages.ts";
import { createSearchTables } from "./baseline/search.ts";
import { createWebhookTables } from "./baseline/webhooks.ts";

export function createBaseline(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await createAccountTables(db, types);
      await createPageTables(db, types);
      await createJobTables(db, types);
      await createWebhookTables(db, types);
      await createSearchTables(db, types);
      await createBrowserTables(db, types);
    },
  };
}
