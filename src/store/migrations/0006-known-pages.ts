import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { needed } from "./columns.ts";

export function createKnownPagesMigration({ rowless, orderedText }: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      // By the address's hash: PostgreSQL takes no key as long as an address may be.
      await db.schema
        .createTable("known_pages")
        .addColumn("team_id", "text", needed)
        .addColumn("host_key", sql.raw(orderedText), needed)
        .addColumn("url_hash", "text", needed)
        .addColumn("seen_at", "bigint", needed)
        .addColumn("url", "text", needed)
        .addColumn("title", "text", needed)
        .addColumn("description", "text", needed)
        .addPrimaryKeyConstraint("known_pages_key", ["team_id", "host_key", "url_hash"])
        .modifyEnd(sql.raw(rowless))
        .execute();
      await db.schema.createIndex("known_pages_by_age").on("known_pages").column("seen_at").execute();
    },
  };
}
