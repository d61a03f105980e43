import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { needed } from "./columns.ts";

export function createSearchIndexMigration({ bytes, orderedText, rowless, wordTables }: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("search_teams")
        .addColumn("team_id", "text", (column) => column.notNull().primaryKey())
        .addColumn("team_number", "bigint", (column) => column.notNull().unique())
        .addColumn("next_id", "bigint", needed)
        .modifyEnd(sql.raw(rowless))
        .execute();
      // "integer" makes it the row's own number on SQLite; ids exceed PostgreSQL's integer.
      const id = rowless === "" ? "bigint" : "integer";
      await db.schema
        .createTable("search_pages")
        .addColumn("id", id, (column) => column.notNull().primaryKey())
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
        .execute();
      await db.schema.createIndex("search_pages_of_host").on("search_pages").columns(["host_key", "id"]).execute();
      await db.schema.createIndex("search_pages_by_age").on("search_pages").column("seen_at").execute();
      // Apart from the pages, so that looking through many pages reads no texts.
      await db.schema
        .createTable("search_texts")
        .addColumn("id", id, (column) => column.notNull().primaryKey())
        .addColumn("encoding", "text", needed)
        .addColumn("size_bytes", "bigint", needed)
        .addColumn("data", bytes, needed)
        .execute();
      for (const statement of wordTables) await sql.raw(statement).execute(db);
    },
  };
}
