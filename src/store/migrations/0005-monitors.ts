// Monitors, the versions of pages that they saw last, and their checks.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { counter, needed } from "./baseline/columns.ts";

export function createMonitorTables(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await createMonitors(db);
      await createVersions(db, types);
      await createChecks(db);
      await createCheckParts(db, types);
    },
  };
}

async function createMonitors(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("monitors")
    .addColumn("id", "text", (column) => column.notNull().primaryKey())
    .addColumn("team_id", "text", needed)
    .addColumn("key_id", "text")
    .addColumn("name", "text", needed)
    .addColumn("status", "text", needed)
    .addColumn("cron", "text", needed)
    .addColumn("timezone", "text", needed)
    .addColumn("jitter_ms", "bigint", counter)
    .addColumn("next_run_at", "bigint")
    .addColumn("scheduled_at", "bigint", needed)
    .addColumn("last_run_at", "bigint")
    .addColumn("current_check_id", "text")
    .addColumn("shown", "text", needed)
    .addColumn("sealed", "text", needed)
    .addColumn("retention_days", "bigint", needed)
    .addColumn("credits_per_check", "bigint", needed)
    .addColumn("runs_per_month", "bigint", needed)
    .addColumn("base_url", "text", needed)
    .addColumn("last_summary", "text")
    .addColumn("created_at", "bigint", needed)
    .addColumn("updated_at", "bigint", needed)
    .execute();
  await db.schema.createIndex("monitors_of_team").on("monitors").columns(["team_id", "created_at"]).execute();
  await db.schema
    .createIndex("monitors_due")
    .on("monitors")
    .column("next_run_at")
    .where(sql.ref("status"), "=", sql.lit("active"))
    .execute();
  await db.schema
    .createIndex("monitors_scheduled")
    .on("monitors")
    .column("scheduled_at")
    .where(sql.ref("status"), "=", sql.lit("active"))
    .execute();
  await db.schema
    .createIndex("monitors_deleted")
    .on("monitors")
    .column("id")
    .where(sql.ref("status"), "=", sql.lit("deleted"))
    .execute();
}

async function createVersions(db: Kysely<unknown>, { bytes }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("monitor_versions")
    .addColumn("monitor_id", "text", needed)
    .addColumn("target_id", "text", needed)
    .addColumn("page_key", "text", needed)
    .addColumn("url", "text", needed)
    .addColumn("state", "text", needed)
    .addColumn("depth", "bigint", needed)
    .addColumn("seen_at", "bigint", needed)
    .addColumn("check_id", "text", needed)
    .addColumn("scrape_id", "text")
    .addColumn("encoding", "text", needed)
    .addColumn("size_bytes", "bigint", needed)
    .addColumn("data", bytes, needed)
    .addPrimaryKeyConstraint("monitor_versions_key", ["monitor_id", "target_id", "page_key"])
    .execute();
}

async function createChecks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("monitor_checks")
    .addColumn("id", "text", (column) => column.notNull().primaryKey())
    .addColumn("monitor_id", "text", needed)
    .addColumn("team_id", "text", needed)
    .addColumn("status", "text", needed)
    .addColumn("trigger", "text", needed)
    .addColumn("scheduled_for", "bigint")
    .addColumn("created_at", "bigint", needed)
    .addColumn("started_at", "bigint")
    .addColumn("finished_at", "bigint")
    .addColumn("updated_at", "bigint", needed)
    .addColumn("expires_at", "bigint", needed)
    .addColumn("estimated_credits", "bigint", needed)
    .addColumn("own_credits", "bigint", counter)
    .addColumn("actual_credits", "bigint")
    .addColumn("total", "bigint", counter)
    .addColumn("same", "bigint", counter)
    .addColumn("changed", "bigint", counter)
    .addColumn("added", "bigint", counter)
    .addColumn("removed", "bigint", counter)
    .addColumn("failed", "bigint", counter)
    .addColumn("error", "text")
    .addColumn("warning", "text")
    .addColumn("mail_state", "text", needed)
    .addColumn("mail_attempts", "bigint", counter)
    .addColumn("mail_next_at", "bigint")
    .execute();
  await db.schema
    .createIndex("monitor_checks_of_monitor")
    .on("monitor_checks")
    .columns(["monitor_id", "created_at"])
    .execute();
  await db.schema.createIndex("monitor_checks_by_expiry").on("monitor_checks").column("expires_at").execute();
  await db.schema
    .createIndex("monitor_checks_open")
    .on("monitor_checks")
    .column("id")
    .where(sql.ref("finished_at"), "is", null)
    .execute();
  await db.schema
    .createIndex("monitor_checks_mail")
    .on("monitor_checks")
    .column("mail_next_at")
    .where(sql.ref("mail_state"), "=", sql.lit("due"))
    .execute();
}

async function createCheckParts(db: Kysely<unknown>, { rowless, bytes }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("monitor_check_targets")
    .addColumn("check_id", "text", needed)
    .addColumn("target_id", "text", needed)
    .addColumn("place", "bigint", needed)
    .addColumn("type", "text", needed)
    .addColumn("job_id", "text")
    .addColumn("state", "text", needed)
    .addColumn("compared", "bigint", counter)
    .addColumn("error", "text")
    .addPrimaryKeyConstraint("monitor_check_targets_key", ["check_id", "target_id"])
    .modifyEnd(sql.raw(rowless))
    .execute();
  await db.schema
    .createTable("monitor_check_pages")
    .addColumn("check_id", "text", needed)
    .addColumn("target_id", "text", needed)
    .addColumn("page_key", "text", needed)
    .addColumn("seq", "bigint", needed)
    .addColumn("id", "text", needed)
    .addColumn("url", "text", needed)
    .addColumn("status", "text", needed)
    .addColumn("previous_scrape_id", "text")
    .addColumn("current_scrape_id", "text")
    .addColumn("status_code", "bigint")
    .addColumn("error", "text")
    .addColumn("created_at", "bigint", needed)
    .addColumn("encoding", "text", needed)
    .addColumn("size_bytes", "bigint", needed)
    .addColumn("data", bytes, needed)
    .addPrimaryKeyConstraint("monitor_check_pages_key", ["check_id", "target_id", "page_key"])
    .execute();
  await db.schema
    .createIndex("monitor_check_pages_order")
    .on("monitor_check_pages")
    .columns(["check_id", "seq"])
    .unique()
    .execute();
}
