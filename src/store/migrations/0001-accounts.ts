import type { Kysely, Migration } from "kysely";

export const accountsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("teams")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull().unique())
      .addColumn("requests_per_minute", "bigint")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .execute();

    await db.schema
      .createTable("api_keys")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("team_id", "text", (column) => column.notNull().references("teams.id"))
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("hash", "text", (column) => column.notNull().unique())
      .addColumn("last_four", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("last_used_at", "bigint")
      .addColumn("revoked_at", "bigint")
      .execute();
    await db.schema.createIndex("api_keys_by_team").on("api_keys").columns(["team_id", "created_at"]).execute();

    // No reference to teams here: on PostgreSQL each charge would lock its team's row until the crawl's transaction ends.
    await db.schema
      .createTable("credit_ledger")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("team_id", "text", (column) => column.notNull())
      .addColumn("key_id", "text")
      .addColumn("job_id", "text", (column) => column.notNull())
      .addColumn("endpoint", "text", (column) => column.notNull())
      .addColumn("credits", "bigint", (column) => column.notNull())
      .addColumn("reason", "text", (column) => column.notNull())
      .addColumn("at", "bigint", (column) => column.notNull())
      .execute();

    await db.schema
      .createTable("usage_months")
      .addColumn("team_id", "text", (column) => column.notNull())
      .addColumn("key_id", "text", (column) => column.notNull())
      .addColumn("month", "bigint", (column) => column.notNull())
      .addColumn("credits", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("usage_months_key", ["team_id", "month", "key_id"])
      .execute();
  },
};
