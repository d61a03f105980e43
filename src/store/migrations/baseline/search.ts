// The local index: pages, their texts and words, and the links between hosts.
import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../../engine/engine.ts";
import { needed } from "./columns.ts";

export async function createSearchTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createSearchPages(db, types);
  await createSearchLinks(db, types);
}

/** On SQLite, "integer" makes the column the row's own number; ids exceed PostgreSQL's integer. */
function idType({ rowless }: ColumnTypes) {
  return rowless === "" ? "bigint" : "integer";
}

async function createSearchPages(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { bytes, orderedText, rowless, wordTables } = types;
  await db.schema
    .createTable("search_teams")
    .addColumn("team_id", "text", (column) => column.notNull().primaryKey())
    .addColumn("team_number", "bigint", (column) => column.notNull().unique())
    .addColumn("next_id", "bigint", needed)
    .modifyEnd(sql.raw(rowless))
    .execute();
  await db.schema
    .createTable("search_pages")
    .addColumn("id", idType(types), (column) => column.notNull().primaryKey())
    .addColumn("page_key", bytes, (column) => column.notNull().unique())
    .addColumn("text_key", bytes, needed)
    .addColumn("host_key", sql.raw(orderedText), needed)
    .addColumn("url", "text", needed)
    .addColumn("url_text", "text")
    .addColumn("title", "text", needed)
    .addColumn("language", "text")
    .addColumn("published", "bigint")
    .addColumn("modified", "bigint")
    .addColumn("first_seen", "bigint", needed)
    .addColumn("seen_at", "bigint", needed)
    .addColumn("size_bytes", "bigint", needed)
    .addColumn("description", "text")
    .execute();
  await db.schema.createIndex("search_pages_of_host").on("search_pages").columns(["host_key", "id"]).execute();
  // With the sizes in it, the sum of all sizes reads no pages.
  await db.schema.createIndex("search_pages_by_age").on("search_pages").columns(["seen_at", "size_bytes"]).execute();
  // Apart from the pages, so that a look through many pages reads no texts.
  await db.schema
    .createTable("search_texts")
    .addColumn("id", idType(types), (column) => column.notNull().primaryKey())
    .addColumn("encoding", "text", needed)
    .addColumn("size_bytes", "bigint", needed)
    .addColumn("data", bytes, needed)
    .execute();
  for (const statement of wordTables) await sql.raw(statement).execute(db);
}

async function createSearchLinks(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { orderedText, rowless } = types;
  // Known by a part of their keys: most pages that links lead to are never read.
  await db.schema
    .createTable("search_targets")
    .addColumn("id", idType(types), (column) => column.notNull().primaryKey())
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
  // Hosts are numbers here: there are as many rows as links between hosts.
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
}
