import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { needed } from "./columns.ts";

export function createSearchLinksMigration({ orderedText, rowless }: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      const id = rowless === "" ? "bigint" : "integer";
      // Known by a part of their keys: most pages that links lead to are never read.
      await db.schema
        .createTable("search_targets")
        .addColumn("id", id, (column) => column.notNull().primaryKey())
        .addColumn("noted_day", "integer", needed)
        .addColumn("link_hosts", "integer", needed)
        .addColumn("anchors", "text", needed)
        .execute();
      await db.schema.createIndex("search_targets_by_age").on("search_targets").column("noted_day").execute();
      await db.schema
        .createTable("search_hosts")
        .addColumn("id", rowless === "" ? "bigserial" : "integer", (column) => column.notNull().primaryKey())
        .addColumn("team_number", "bigint", needed)
        .addColumn("noted_day", "integer", needed)
        .addColumn("host_key", sql.raw(orderedText), needed)
        .execute();
      await db.schema
        .createIndex("search_hosts_of_team")
        .on("search_hosts")
        .columns(["team_number", "host_key"])
        .unique()
        .execute();
      await db.schema.createIndex("search_hosts_by_age").on("search_hosts").column("noted_day").execute();
      // Hosts are numbers here: these rows are as many as the links between hosts.
      await db.schema
        .createTable("search_links")
        .addColumn("target", "bigint", needed)
        .addColumn("source_host", "bigint", needed)
        .addPrimaryKeyConstraint("search_links_key", ["target", "source_host"])
        .modifyEnd(sql.raw(rowless))
        .execute();
      await db.schema
        .createTable("search_host_links")
        .addColumn("source_host", "bigint", needed)
        .addColumn("target_host", "bigint", needed)
        .addPrimaryKeyConstraint("search_host_links_key", ["source_host", "target_host"])
        .modifyEnd(sql.raw(rowless))
        .execute();
      await db.schema
        .createIndex("search_host_links_to")
        .on("search_host_links")
        .columns(["target_host", "source_host"])
        .execute();
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
