import { type Kysely, type Migration, sql } from "kysely";

export const activityMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("activity")
      .addColumn("row_id", "text", (column) => column.primaryKey())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("team_id", "text", (column) => column.notNull())
      .addColumn("key_id", "text")
      .addColumn("endpoint", "text", (column) => column.notNull())
      .addColumn("api_version", "text", (column) => column.notNull())
      .addColumn("target", "text", (column) => column.notNull())
      .addColumn("outcome", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("activity_by_team")
      .on("activity")
      .columns(["team_id", "created_at", "row_id"])
      .execute();
    await db.schema
      .createIndex("activity_by_endpoint")
      .on("activity")
      .columns(["team_id", "endpoint", "created_at", "row_id"])
      .execute();
    await db.schema
      .createIndex("activity_succeeded")
      .on("activity")
      .columns(["team_id", "created_at"])
      .where(sql.ref("outcome"), "=", sql.lit("succeeded"))
      .execute();
    await db.schema.createIndex("activity_by_age").on("activity").column("created_at").execute();

    await db.schema
      .createTable("rate_windows")
      .addColumn("team_id", "text", (column) => column.notNull())
      .addColumn("rate_group", "text", (column) => column.notNull())
      .addColumn("window_start", "bigint", (column) => column.notNull())
      .addColumn("used", "bigint", (column) => column.notNull())
      .addColumn("last_granted", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("rate_windows_key", ["team_id", "rate_group", "window_start"])
      .execute();
    await db.schema.createIndex("rate_windows_by_age").on("rate_windows").column("window_start").execute();
  },
};
