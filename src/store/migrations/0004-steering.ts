// Jobs that are steered: paused, limited by budgets, kept for longer, listed after their end; and the log of webhook deliveries.
import { type Kysely, type Migration, sql } from "kysely";
import { counter } from "./baseline/columns.ts";

export function createSteering(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      // One statement for each column: SQLite adds no two at once.
      await db.schema.alterTable("jobs").addColumn("paused_at", "bigint").execute();
      await db.schema.alterTable("jobs").addColumn("stop_at", "bigint").execute();
      await db.schema.alterTable("jobs").addColumn("stop_reason", "text").execute();
      await db.schema.alterTable("jobs").addColumn("max_credits", "bigint").execute();
      await db.schema.alterTable("jobs").addColumn("max_bytes", "bigint").execute();
      await db.schema.alterTable("jobs").addColumn("bytes", "bigint", counter).execute();
      await db.schema
        .alterTable("jobs")
        .addColumn("page_price", "bigint", (column) => column.notNull().defaultTo(1))
        .execute();
      await db.schema
        .alterTable("jobs")
        .addColumn("retention_ms", "bigint", (column) => column.notNull().defaultTo(86_400_000))
        .execute();
      await db.schema
        .createIndex("jobs_crawls")
        .on("jobs")
        .columns(["team_id", "created_at", "id"])
        .where(sql.ref("kind"), "=", sql.lit("crawl"))
        .execute();
      // Ids of events grow with time, so new entries of a team are written side by side.
      await db.schema.createIndex("webhook_events_of_team").on("webhook_events").columns(["team_id", "id"]).execute();
    },
  };
}
