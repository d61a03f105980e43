import { type Kysely, type Migration, Migrator } from "kysely";
import type { ColumnTypes } from "./engine/engine.ts";
import { accountsMigration } from "./migrations/0001-accounts.ts";
import { activityMigration } from "./migrations/0002-activity.ts";
import { createBlobsMigration } from "./migrations/0003-blobs.ts";
import { scrapesMigration } from "./migrations/0004-scrapes.ts";
import { createLeanTablesMigration } from "./migrations/0005-lean-tables.ts";
import { createKnownPagesMigration } from "./migrations/0006-known-pages.ts";
import { createJobsMigration } from "./migrations/0007-jobs.ts";
import { createWebhooksMigration } from "./migrations/0008-webhooks.ts";
import { createSearchIndexMigration } from "./migrations/0009-search-index.ts";
import { teamSlotsMigration } from "./migrations/0010-team-slots.ts";
import { createFeedbackMigration } from "./migrations/0011-feedback.ts";
import { createSearchLinksMigration } from "./migrations/0012-search-links.ts";
import { agentsMigration } from "./migrations/0013-agents.ts";
import { createBrowserMigration } from "./migrations/0014-browser.ts";
import { createModelTokensMigration } from "./migrations/0015-model-tokens.ts";
import { sessionsMigration } from "./migrations/0016-sessions.ts";
import { createModelTokensByKeyMigration } from "./migrations/0019-model-tokens-by-key.ts";
import { modelReservationsMigration } from "./migrations/0020-model-reservations.ts";
import { searchDescriptionsMigration } from "./migrations/0021-search-descriptions.ts";
import type { Tables } from "./tables.ts";

function listMigrations(types: ColumnTypes): Record<string, Migration> {
  return {
    "0001-accounts": accountsMigration,
    "0002-activity": activityMigration,
    "0003-blobs": createBlobsMigration(types),
    "0004-scrapes": scrapesMigration,
    "0005-lean-tables": createLeanTablesMigration(types),
    "0006-known-pages": createKnownPagesMigration(types),
    "0007-jobs": createJobsMigration(types),
    "0008-webhooks": createWebhooksMigration(types),
    "0009-search-index": createSearchIndexMigration(types),
    "0010-team-slots": teamSlotsMigration,
    "0011-feedback": createFeedbackMigration(types),
    "0012-search-links": createSearchLinksMigration(types),
    "0013-agents": agentsMigration,
    "0014-browser": createBrowserMigration(types),
    "0015-model-tokens": createModelTokensMigration(types),
    "0016-sessions": sessionsMigration,
    "0019-model-tokens-by-key": createModelTokensByKeyMigration(types),
    "0020-model-reservations": modelReservationsMigration,
    "0021-search-descriptions": searchDescriptionsMigration,
  };
}

/** Brings the tables up to date. Processes that start at once wait for each other. */
export async function migrate(db: Kysely<Tables>, types: ColumnTypes): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => listMigrations(types) } });
  // Asked first, because only reading works on a full or read-only database, and a restart must not end that.
  const known = await migrator.getMigrations();
  if (known.every((migration) => migration.executedAt !== undefined)) return;
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
