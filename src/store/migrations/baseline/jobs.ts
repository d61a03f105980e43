// Jobs, their tasks (frontier and queue in one) and their results.
import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../../engine/engine.ts";
import { counter, needed } from "./columns.ts";

export async function createJobTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createJobs(db);
  await createJobPageTable(db, types);
  await createJobResults(db, types);
}

async function createJobs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("jobs")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("team_id", "text", needed)
    .addColumn("key_id", "text")
    .addColumn("kind", "text", needed)
    .addColumn("api_version", "text", needed)
    .addColumn("status", "text", needed)
    .addColumn("created_at", "bigint", needed)
    .addColumn("finished_at", "bigint")
    .addColumn("expires_at", "bigint")
    .addColumn("page_limit", "bigint", needed)
    .addColumn("max_active", "bigint", needed)
    .addColumn("delay_ms", "bigint", needed)
    .addColumn("next_start_at", "bigint", counter)
    .addColumn("known", "bigint", counter)
    .addColumn("waiting", "bigint", counter)
    .addColumn("active", "bigint", counter)
    .addColumn("started", "bigint", counter)
    .addColumn("completed", "bigint", counter)
    .addColumn("failed", "bigint", counter)
    .addColumn("credits", "bigint", counter)
    .addColumn("scope_url", "text", needed)
    .addColumn("activity_row_id", "text", needed)
    .addColumn("warning", "text")
    .addColumn("error", "text")
    .addColumn("secrets", "text")
    .addColumn("webhook", "text")
    .addColumn("options", "text", needed)
    .execute();
  await db.schema
    .createIndex("jobs_running")
    .on("jobs")
    .columns(["team_id", "created_at"])
    .where(sql.ref("status"), "=", sql.lit("scraping"))
    .execute();
  await db.schema.createIndex("jobs_by_expiry").on("jobs").column("expires_at").execute();
  // Agents are also listed after their end, other jobs only while they run.
  await db.schema
    .createIndex("jobs_agents")
    .on("jobs")
    .columns(["team_id", "created_at"])
    .where(sql.ref("kind"), "=", sql.lit("agent"))
    .execute();

  await db.schema
    .createTable("idempotency_keys")
    .addColumn("team_id", "text", needed)
    .addColumn("endpoint", "text", needed)
    .addColumn("idempotency_key", "text", needed)
    .addColumn("job_id", "text", needed)
    .addColumn("created_at", "bigint", needed)
    .addPrimaryKeyConstraint("idempotency_keys_key", ["team_id", "endpoint", "idempotency_key"])
    .execute();
  await db.schema.createIndex("idempotency_keys_by_age").on("idempotency_keys").column("created_at").execute();
}

export async function createJobPageTable(db: Kysely<unknown>, { rowless, orderedText }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("job_pages")
    .addColumn("job_id", "text", needed)
    .addColumn("page_key", "text", needed)
    .addColumn("place", "bigint", needed)
    .addColumn("id", "text", needed)
    .addColumn("url", "text", needed)
    .addColumn("depth", "bigint", needed)
    .addColumn("task", "text", needed)
    .addColumn("step", "bigint")
    .addColumn("state", "text", needed)
    .addColumn("tries", "bigint", counter)
    .addColumn("lost_leases", "bigint", counter)
    .addColumn("claims", "bigint", counter)
    .addColumn("not_before", "bigint", counter)
    .addColumn("lease_owner", sql.raw(orderedText))
    .addColumn("lease_until", "bigint")
    .addPrimaryKeyConstraint("job_pages_key", ["job_id", "page_key"])
    .modifyEnd(sql.raw(rowless))
    .execute();
  await db.schema
    .createIndex("job_pages_waiting")
    .on("job_pages")
    .columns(["job_id", "place"])
    .where(sql.ref("state"), "=", sql.lit("waiting"))
    .execute();
  await db.schema
    .createIndex("job_pages_leased")
    .on("job_pages")
    .columns(["lease_owner", "lease_until"])
    .where(sql.ref("state"), "=", sql.lit("leased"))
    .execute();
}

async function createJobResults(db: Kysely<unknown>, { rowless }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("job_results")
    .addColumn("job_id", "text", needed)
    .addColumn("seq", "bigint", needed)
    .addColumn("page_id", "text", needed)
    .addColumn("blob_id", "text", needed)
    .addColumn("size_bytes", "bigint", needed)
    .addColumn("details", "text", needed)
    .addPrimaryKeyConstraint("job_results_key", ["job_id", "seq"])
    .modifyEnd(sql.raw(rowless))
    .execute();
  // Ids of pages grow with time, so new entries are written side by side.
  await db.schema.createIndex("job_results_of_page").on("job_results").column("page_id").execute();

  await db.schema
    .createTable("job_errors")
    .addColumn("job_id", "text", needed)
    .addColumn("id", "text", needed)
    .addColumn("at", "bigint", needed)
    .addColumn("url", "text", needed)
    .addColumn("code", "text", needed)
    .addColumn("message", "text", needed)
    .addPrimaryKeyConstraint("job_errors_key", ["job_id", "id"])
    .modifyEnd(sql.raw(rowless))
    .execute();
}
