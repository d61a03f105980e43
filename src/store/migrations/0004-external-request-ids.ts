// Adds to the activity list the ids that callers give their requests.
import { type Kysely, type Migration, sql } from "kysely";
import { externalRequestIdColumn } from "../schema/account-tables.ts";

export const addExternalRequestIds: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(`alter table activity add column ${externalRequestIdColumn}`).execute(db);
  },
};
