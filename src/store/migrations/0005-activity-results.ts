// Adds to the activity list what each request asked for and what came of it.
import { type Kysely, type Migration, sql } from "kysely";
import { activityResultColumns } from "../schema/account-tables.ts";

export const addActivityResults: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of activityResultColumns) await sql.raw(`alter table activity add column ${column}`).execute(db);
  },
};
