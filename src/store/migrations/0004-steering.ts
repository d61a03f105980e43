// Jobs that are steered: paused, limited by budgets, kept for longer, listed after their end; what crawls know of pages that they
// have read before; and the log of webhook deliveries.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { counter, needed } from "./baseline/columns.ts";

export function createSteering({ rowless, bytes }: ColumnTypes): Migration {
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
      await db.schema.alterTable("job_pages").addColumn("lastmod", "bigint").execute();
      await createPageFingerprints(db, bytes);
      await db.schema
        .createTable("job_removed")
        .addColumn("job_id", "text", needed)
        .addColumn("page_key", "text", needed)
        .addColumn("url", "text", needed)
        .addPrimaryKeyConstraint("job_removed_key", ["job_id", "page_key"])
        .modifyEnd(sql.raw(rowless))
        .execute();
      // Ids of events grow with time, so new entries of a team are written side by side.
      await db.schema.createIndex("webhook_events_of_team").on("webhook_events").columns(["team_id", "id"]).execute();
    },
  };
}

async function createPageFingerprints(db: Kysely<unknown>, bytes: ColumnTypes["bytes"]): Promise<void> {
  await db.schema
    .createTable("page_fingerprints")
    .addColumn("team_id", "text", needed)
    .addColumn("fingerprint_key", "text", needed)
    .addColumn("read_at", "bigint", needed)
    .addColumn("changed_at", "bigint", needed)
    .addColumn("final_url", "text", needed)
    .addColumn("etag", "text")
    .addColumn("last_modified", "text")
    .addColumn("content_key", "text", needed)
    .addColumn("content_hash", "text")
    .addColumn("links_encoding", "text", needed)
    .addColumn("links_bytes", "bigint", needed)
    .addColumn("links", bytes)
    .addPrimaryKeyConstraint("page_fingerprints_key", ["team_id", "fingerprint_key"])
    .execute();
  await db.schema.createIndex("page_fingerprints_by_age").on("page_fingerprints").column("read_at").execute();
}
