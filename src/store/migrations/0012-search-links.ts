import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine.ts";
import { counter, needed } from "./columns.ts";

export function createSearchLinksMigration({ orderedText, rowless }: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      // Numbered in the order in which they came, so that the oldest are found without an index on their time.
      const id = rowless === "" ? "bigserial" : "integer";
      await db.schema
        .createTable("search_links")
        .addColumn("id", id, (column) => column.notNull().primaryKey())
        .addColumn("target", "bigint", needed)
        .addColumn("source", "bigint", needed)
        .addColumn("noted_at", "bigint", needed)
        .addColumn("anchor", "text", needed)
        .execute();
      await db.schema
        .createIndex("search_links_to_page")
        .on("search_links")
        .columns(["target", "source"])
        .unique()
        .execute();
      await db.schema
        .createTable("search_host_links")
        .addColumn("id", id, (column) => column.notNull().primaryKey())
        .addColumn("team_number", "bigint", needed)
        .addColumn("source_host", sql.raw(orderedText), needed)
        .addColumn("target_host", sql.raw(orderedText), needed)
        .addColumn("noted_at", "bigint", needed)
        .execute();
      await db.schema
        .createIndex("search_host_links_from")
        .on("search_host_links")
        .columns(["team_number", "source_host", "target_host"])
        .unique()
        .execute();
      await db.schema
        .createIndex("search_host_links_to")
        .on("search_host_links")
        .columns(["team_number", "target_host"])
        .execute();
      await db.schema.alterTable("search_pages").addColumn("anchors", "text").execute();
      await db.schema.alterTable("search_pages").addColumn("link_hosts", "bigint", counter).execute();
      // With the sizes in it, the sum of all of them reads no pages.
      await db.schema.dropIndex("search_pages_by_age").execute();
      await db.schema
        .createIndex("search_pages_by_age")
        .on("search_pages")
        .columns(["seen_at", "size_bytes"])
        .execute();
    },
  };
}
