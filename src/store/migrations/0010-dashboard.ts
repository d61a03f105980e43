// The people of teams, their sessions, limits of single keys, and the hours of the overview.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { counter, needed } from "./baseline/columns.ts";

export function createDashboard({ rowless }: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await createPeople(db);
      await createSessions(db);
      await createHours(db, rowless);
      await db.schema.alterTable("api_keys").addColumn("requests_per_minute", "bigint").execute();
      await db.schema.alterTable("api_keys").addColumn("credits_per_month", "bigint").execute();
    },
  };
}

async function createPeople(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("people")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("sign_in_name", "text", (column) => column.unique())
    .addColumn("name", "text", needed)
    .addColumn("password", "text")
    .addColumn("created_at", "bigint", needed)
    .execute();
  await db.schema
    .createTable("team_people")
    .addColumn("team_id", "text", needed)
    .addColumn("person_id", "text", needed)
    .addColumn("role", "text", needed)
    .addColumn("since", "bigint", needed)
    .addPrimaryKeyConstraint("team_people_key", ["team_id", "person_id"])
    .execute();
  await db.schema.createIndex("team_people_by_person").on("team_people").column("person_id").execute();
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("sign_in_links")
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("team_id", "text", needed)
    .addColumn("role", "text", needed)
    .addColumn("is_invitation", "integer", needed)
    .addColumn("created_at", "bigint", needed)
    .addColumn("expires_at", "bigint", needed)
    .execute();
  await db.schema
    .createTable("person_sessions")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("person_id", "text", needed)
    .addColumn("team_id", "text", needed)
    .addColumn("hash", "text", (column) => column.notNull().unique())
    .addColumn("earlier_hash", "text")
    .addColumn("changed_at", "bigint", needed)
    .addColumn("created_at", "bigint", needed)
    .addColumn("expires_at", "bigint", needed)
    .execute();
  await db.schema.createIndex("person_sessions_by_earlier").on("person_sessions").column("earlier_hash").execute();
}

async function createHours(db: Kysely<unknown>, rowless: ColumnTypes["rowless"]): Promise<void> {
  await db.schema
    .createTable("usage_hours")
    .addColumn("team_id", "text", needed)
    .addColumn("hour", "bigint", needed)
    .addColumn("endpoint", "text", needed)
    .addColumn("key_id", "text", needed)
    .addColumn("cause", "text", needed)
    .addColumn("step", "integer", needed)
    .addColumn("requests", "bigint", counter)
    .addColumn("pages", "bigint", counter)
    .addColumn("cache_hits", "bigint", counter)
    .addColumn("credits", "bigint", counter)
    .addPrimaryKeyConstraint("usage_hours_key", ["team_id", "hour", "endpoint", "key_id", "cause", "step"])
    .modifyEnd(sql.raw(rowless))
    .execute();
  await db.schema.createIndex("usage_hours_by_age").on("usage_hours").column("hour").execute();
}
