import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { needed } from "./columns.ts";

export function createBrowserMigration({ bytes, rowless }: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("change_snapshots")
        .addColumn("team_id", "text", needed)
        .addColumn("snapshot_key", "text", needed)
        .addColumn("scraped_at", "bigint", needed)
        .addColumn("encoding", "text", needed)
        .addColumn("size_bytes", "bigint", needed)
        .addColumn("data", bytes, needed)
        .addPrimaryKeyConstraint("change_snapshots_key", ["team_id", "snapshot_key"])
        .execute();
      await db.schema.createIndex("change_snapshots_by_age").on("change_snapshots").column("scraped_at").execute();

      await db.schema
        .createTable("browser_profiles")
        .addColumn("team_id", "text", needed)
        .addColumn("name", "text", needed)
        .addColumn("used_at", "bigint", needed)
        .addColumn("writer", "text")
        .addColumn("writer_until", "bigint")
        .addColumn("sealed", "text")
        .addPrimaryKeyConstraint("browser_profiles_key", ["team_id", "name"])
        .modifyEnd(sql.raw(rowless))
        .execute();
      await db.schema.createIndex("browser_profiles_by_use").on("browser_profiles").column("used_at").execute();
    },
  };
}
