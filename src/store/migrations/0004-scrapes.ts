import type { Kysely, Migration } from "kysely";

export const scrapesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("page_copies")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("team_id", "text", (column) => column.notNull())
      .addColumn("copy_key", "text", (column) => column.notNull())
      .addColumn("fetched_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .addColumn("is_shared", "bigint", (column) => column.notNull())
      .addColumn("blob_id", "text", (column) => column.notNull())
      .addColumn("size_bytes", "bigint", (column) => column.notNull())
      .addColumn("details", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("page_copies_by_key").on("page_copies").columns(["copy_key", "fetched_at"]).execute();
    await db.schema.createIndex("page_copies_by_expiry").on("page_copies").column("expires_at").execute();

    await db.schema
      .createTable("scrapes")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("team_id", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .addColumn("blob_id", "text")
      .addColumn("details", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("scrapes_by_expiry").on("scrapes").column("expires_at").execute();
  },
};
