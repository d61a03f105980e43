import type { Kysely, Migration } from "kysely";

/** What pages say of themselves; null for those that were indexed before, and for those that say nothing. */
export const searchDescriptionsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable("search_pages").addColumn("description", "text").execute();
  },
};
