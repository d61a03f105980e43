import { DEFAULT_MIGRATION_TABLE, type Kysely, type Migration, Migrator, sql } from "kysely";
import { ServiceError } from "../../base/index.ts";
import type { ColumnTypes } from "../engine/store-engine.ts";
import type { Tables } from "../schema/tables.ts";
import { createBaseline } from "./0001-baseline.ts";
import { addIndexedSources } from "./0002-indexed-sources.ts";
import { addThreads } from "./0003-threads-and-subscriptions.ts";
import { addExternalRequestIds } from "./0004-external-request-ids.ts";
import { addActivityResults } from "./0005-activity-results.ts";
import { addNotices } from "./0006-notices.ts";
import { addListFeeds } from "./0007-list-feeds.ts";
import { addDoors } from "./0008-doors.ts";
import { addPolicies } from "./0009-policies.ts";
import { addArchives } from "./0010-archives.ts";
import { addFlows } from "./0011-flows.ts";
import { addSecretsAndRecordings } from "./0012-secrets-and-recordings.ts";

const baseline = "0001-release-0.1.0";

/** Names sort in the order in which they are applied. A release never changes a migration of an earlier one. */
function listMigrations(types: ColumnTypes): Record<string, Migration> {
  return {
    [baseline]: createBaseline(types),
    "0002-indexed-sources": addIndexedSources(types),
    "0003-threads-and-subscriptions": addThreads(types),
    "0004-external-request-ids": addExternalRequestIds,
    "0005-activity-results": addActivityResults,
    "0006-notices": addNotices(types),
    "0007-list-feeds": addListFeeds(types),
    "0008-doors": addDoors(types),
    "0009-policies": addPolicies(types),
    "0010-archives": addArchives(types),
    "0011-flows": addFlows(types),
    "0012-secrets-and-recordings": addSecretsAndRecordings(types),
  };
}

/** Brings the tables up to date. Processes that start at the same time wait for each other. */
export async function migrate(db: Kysely<Tables>, types: ColumnTypes): Promise<void> {
  const migrations = listMigrations(types);
  const known = Object.keys(migrations);
  // Asked first, because only reading works on a full or read-only database, and a restart must not end that. Kysely itself
  // would read every column of every table to find it out.
  const applied = await readApplied(db);
  refuseOtherVersions(applied, known);
  if (known.every((name) => applied.includes(name))) return;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  for (let tries = 1; ; tries += 1) {
    const { error } = await migrator.migrateToLatest();
    if (!error) return;
    if (tries === mostTries || !isRace(error)) throw error;
  }
}

const mostTries = 5;

/**
 * Kysely makes its own tables before it takes its lock, and of two processes that say CREATE TABLE IF NOT EXISTS at the same
 * moment PostgreSQL lets one fail at its catalogue.
 */
function isRace(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === "23505" && String(constraint).startsWith("pg_");
}

/** Empty when the database has no such table yet. */
async function readApplied(db: Kysely<Tables>): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`SELECT name FROM ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db);
    return rows.map(({ name }) => name);
  } catch (error) {
    if (error instanceof ServiceError) throw error; // The storage cannot be asked at all.
    return [];
  }
}

/** A store whose tables this version did not make and cannot upgrade. */
function refuseOtherVersions(applied: readonly string[], known: readonly string[]): void {
  if (applied.every((name) => known.includes(name))) return;
  throw new ServiceError("STORE_UNAVAILABLE", applied.includes(baseline) ? madeByNewer : madeBeforeRelease);
}

const madeBeforeRelease =
  "This store was made by a pre-release version of Trawl and cannot be upgraded. Start with a new data folder (DATA_DIR) " +
  "or an empty database (DATABASE_URL), or run the version that made it.";

const madeByNewer =
  "This store was made by a newer version of Trawl. Run that version, or start with a new data folder (DATA_DIR) or an " +
  "empty database (DATABASE_URL).";
