import type { Kysely, Migration } from "kysely";

/** Written to only where several processes may share a store. */
export const teamSlotsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("team_slots")
      .addColumn("team_id", "text", (column) => column.notNull())
      .addColumn("owner", "text", (column) => column.notNull())
      .addColumn("wanted", "bigint", (column) => column.notNull())
      .addColumn("held", "bigint", (column) => column.notNull())
      .addColumn("lease_until", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("team_slots_key", ["team_id", "owner"])
      .execute();
  },
};
