// Teams, their keys, what they used and what they did.
import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../../engine/engine.ts";
import { counter, needed } from "./columns.ts";

export async function createAccountTables(db: Kysely<unknown>, { rowless }: ColumnTypes): Promise<void> {
  await createTeamTables(db);
  await createUsageTables(db, rowless);
  await createActivityTables(db, rowless);
}

async function createTeamTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("teams")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull().unique())
    .addColumn("requests_per_minute", "bigint")
    .addColumn("created_at", "bigint", needed)
    .execute();

  await db.schema
    .createTable("api_keys")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("team_id", "text", (column) => column.notNull().references("teams.id"))
    .addColumn("name", "text", needed)
    .addColumn("hash", "text", (column) => column.notNull().unique())
    .addColumn("last_four", "text", needed)
    .addColumn("created_at", "bigint", needed)
    .addColumn("last_used_at", "bigint")
    .addColumn("revoked_at", "bigint")
    .execute();
  await db.schema.createIndex("api_keys_by_team").on("api_keys").columns(["team_id", "created_at"]).execute();

  // Only written where several processes may share a store.
  await db.schema
    .createTable("team_slots")
    .addColumn("team_id", "text", needed)
    .addColumn("owner", "text", needed)
    .addColumn("wanted", "bigint", needed)
    .addColumn("held", "bigint", needed)
    .addColumn("lease_until", "bigint", needed)
    .addPrimaryKeyConstraint("team_slots_key", ["team_id", "owner"])
    .execute();

  await db.schema
    .createTable("rate_windows")
    .addColumn("team_id", "text", needed)
    .addColumn("rate_group", "text", needed)
    .addColumn("window_start", "bigint", needed)
    .addColumn("used", "bigint", needed)
    .addColumn("last_granted", "bigint", needed)
    .addPrimaryKeyConstraint("rate_windows_key", ["team_id", "rate_group", "window_start"])
    .execute();
  await db.schema.createIndex("rate_windows_by_age").on("rate_windows").column("window_start").execute();
}

async function createUsageTables(db: Kysely<unknown>, rowless: ColumnTypes["rowless"]): Promise<void> {
  // No reference to teams: on PostgreSQL each charge would lock its team's row until the crawl's transaction ends.
  await db.schema
    .createTable("credit_ledger")
    .addColumn("id", "text", needed)
    .addColumn("team_id", "text", needed)
    .addColumn("key_id", "text")
    .addColumn("job_id", "text", needed)
    .addColumn("endpoint", "text", needed)
    .addColumn("credits", "bigint", needed)
    .addColumn("reason", "text", needed)
    .addColumn("at", "bigint", needed)
    .addPrimaryKeyConstraint("credit_ledger_id", ["id"])
    .modifyEnd(sql.raw(rowless))
    .execute();

  await db.schema
    .createTable("usage_months")
    .addColumn("team_id", "text", needed)
    .addColumn("key_id", "text", needed)
    .addColumn("month", "bigint", needed)
    .addColumn("credits", "bigint", needed)
    .addPrimaryKeyConstraint("usage_months_key", ["team_id", "month", "key_id"])
    .execute();

  await db.schema
    .createTable("model_token_months")
    .addColumn("team_id", "text", needed)
    .addColumn("month", "integer", needed)
    .addColumn("key_id", "text", needed)
    .addColumn("input", "bigint", counter)
    .addColumn("output", "bigint", counter)
    .addPrimaryKeyConstraint("model_token_months_key", ["team_id", "month", "key_id"])
    .modifyEnd(sql.raw(rowless))
    .execute();

  // Tokens of model calls in progress; a row lives as long as its call.
  await db.schema
    .createTable("model_reservations")
    .addColumn("team_id", "text", needed)
    .addColumn("id", "text", needed)
    .addColumn("tokens", "bigint", needed)
    .addColumn("until", "bigint", needed)
    .addPrimaryKeyConstraint("model_reservations_key", ["team_id", "id"])
    .execute();
}

async function createActivityTables(db: Kysely<unknown>, rowless: ColumnTypes["rowless"]): Promise<void> {
  await db.schema
    .createTable("activity")
    .addColumn("team_id", "text", needed)
    .addColumn("created_at", "bigint", needed)
    .addColumn("row_id", "text", needed)
    .addColumn("id", "text", needed)
    .addColumn("key_id", "text")
    .addColumn("endpoint", "text", needed)
    .addColumn("api_version", "text", needed)
    .addColumn("target", "text", needed)
    .addColumn("outcome", "text", needed)
    .addPrimaryKeyConstraint("activity_key", ["team_id", "created_at", "row_id"])
    .modifyEnd(sql.raw(rowless))
    .execute();
  await db.schema
    .createIndex("activity_of_endpoint")
    .on("activity")
    .columns(["team_id", "endpoint", "created_at", "row_id"])
    .execute();

  await db.schema
    .createTable("feedback")
    .addColumn("team_id", "text", needed)
    .addColumn("job_id", "text", needed)
    .addColumn("id", "text", needed)
    .addColumn("key_id", "text")
    .addColumn("endpoint", "text", needed)
    .addColumn("rating", "text", needed)
    .addColumn("created_at", "bigint", needed)
    .addColumn("details", "text", needed)
    .addPrimaryKeyConstraint("feedback_key", ["team_id", "job_id"])
    .modifyEnd(sql.raw(rowless))
    .execute();
  await db.schema.createIndex("feedback_by_age").on("feedback").column("created_at").execute();
}
