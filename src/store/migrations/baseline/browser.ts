// Browser profiles and browser sessions.
import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../../engine/engine.ts";
import { needed } from "./columns.ts";

export async function createBrowserTables(db: Kysely<unknown>, { rowless }: ColumnTypes): Promise<void> {
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

  await db.schema
    .createTable("browser_sessions")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("team_id", "text", needed)
    .addColumn("key_id", "text")
    .addColumn("endpoint", "text", needed)
    .addColumn("scrape_id", "text")
    .addColumn("status", "text", needed)
    .addColumn("created_at", "bigint", needed)
    .addColumn("ttl_ms", "bigint", needed)
    .addColumn("idle_ms", "bigint", needed)
    .addColumn("has_view", "integer", needed)
    .addColumn("minute_price", "integer", needed)
    .addColumn("base_url", "text", needed)
    .addColumn("sealed_secret", "text", needed)
    .addColumn("activity_row_id", "text", needed)
    .addColumn("used_at", "bigint", needed)
    .addColumn("owner", "text", needed)
    .addColumn("seen_at", "bigint", needed)
    .addColumn("ended_at", "bigint")
    .addColumn("duration_ms", "bigint")
    .addColumn("credits", "integer")
    .execute();
  await db.schema.createIndex("browser_sessions_by_team").on("browser_sessions").columns(["team_id", "id"]).execute();
  await db.schema
    .createIndex("browser_sessions_by_state")
    .on("browser_sessions")
    .columns(["status", "seen_at"])
    .execute();
  await db.schema.createIndex("browser_sessions_by_end").on("browser_sessions").column("ended_at").execute();
}
