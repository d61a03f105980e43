import { DEFAULT_MIGRATION_TABLE, type Kysely, type Migration, Migrator, sql } from "kysely";
import { ServiceError } from "../../base/index.ts";
import type { ColumnTypes } from "../engine/engine.ts";
import type { Tables } from "../schema/tables.ts";
import { createBaseline } from "./0001-baseline.ts";
import { createSearchSources } from "./0002-search-sources.ts";
import { createHostMemory } from "./0003-host-memory.ts";
import { createSteering } from "./0004-steering.ts";
import { createMonitorTables } from "./0005-monitors.ts";
import { createExtractors } from "./0006-extractors.ts";
import { createElections } from "./0007-elections.ts";
import { createStoreMoves } from "./0008-store-moves.ts";
import { createBlobPlaces } from "./0009-blob-places.ts";
import { createDashboard } from "./0010-dashboard.ts";
import { createNodes } from "./0011-nodes.ts";
import { createPasskeyTables } from "./0012-passkeys.ts";
import { createHostPaces } from "./0013-host-paces.ts";
import { createPagesInOrder } from "./0014-pages-in-order.ts";
import { createSiteTemplateTable } from "./0015-site-templates.ts";
import { createPageSizes } from "./0016-page-sizes.ts";
import { createTargetsByFolder } from "./0017-targets-by-folder.ts";
import { createCopiesInOrder } from "./0018-copies-in-order.ts";

function listMigrations(types: ColumnTypes): Record<string, Migration> {
  return {
    "0001-baseline": createBaseline(types),
    "0002-search-sources": createSearchSources(types),
    "0003-host-memory": createHostMemory(types),
    "0004-steering": createSteering(types),
    "0005-monitors": createMonitorTables(types),
    "0006-extractors": createExtractors(types),
    "0007-elections": createElections(),
    "0008-store-moves": createStoreMoves(),
    "0009-blob-places": createBlobPlaces(),
    "0010-dashboard": createDashboard(types),
    "0011-nodes": createNodes(),
    "0012-passkeys": createPasskeyTables(),
    "0013-host-paces": createHostPaces(),
    "0014-pages-in-order": createPagesInOrder(types),
    "0015-site-templates": createSiteTemplateTable(types),
    "0016-page-sizes": createPageSizes(),
    "0017-targets-by-folder": createTargetsByFolder(),
    "0018-copies-in-order": createCopiesInOrder(types),
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

/** None where the database has no such table yet. */
async function readApplied(db: Kysely<Tables>): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`SELECT name FROM ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db);
    return rows.map(({ name }) => name);
  } catch (error) {
    if (error instanceof ServiceError) throw error; // The storage cannot be asked at all.
    return [];
  }
}

/** Tables that this version did not make and does not know how to change. */
function refuseOtherVersions(applied: readonly string[], known: readonly string[]): void {
  const names = applied.filter((name) => !known.includes(name));
  if (names.length === 0) return;
  const isOlder = names.includes(firstOfPreRelease);
  throw new ServiceError("STORE_UNAVAILABLE", isOlder ? madeBeforeRelease : madeByNewer);
}

/** The first migration of every version before 0.1.0. */
const firstOfPreRelease = "0001-accounts";

const madeBeforeRelease =
  "This store was made by a pre-release version of Trawl and cannot be upgraded. Start with a new data folder (DATA_DIR) " +
  "or an empty database (DATABASE_URL), or run the version that made it.";

const madeByNewer =
  "This store was made by a newer version of Trawl. Run that version, or start with a new data folder (DATA_DIR) or an " +
  "empty database (DATABASE_URL).";
