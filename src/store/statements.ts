import { type ActivityStatements, createActivityStatements } from "./activity.ts";
import { type BlobStatements, createBlobStatements } from "./blobs.ts";
import { type ChargeStatements, createChargeStatements } from "./charges.ts";
import { type CopyStatements, createCopyStatements } from "./copies.ts";
import type { Executor } from "./engine/executor.ts";
import type { WordIndex } from "./engine/search-words.ts";
import { createFeedbackStatements, type FeedbackStatements } from "./feedback.ts";
import { createJobPageStatements, type JobPageStatements } from "./job-pages.ts";
import { createJobResultStatements, type JobResultStatements } from "./job-results.ts";
import { createJobStatements, type JobStatements } from "./jobs.ts";
import { createKeyStatements, type KeyStatements } from "./keys.ts";
import { createKnownPageStatements, type KnownPageStatements } from "./known-pages.ts";
import { createModelTokenStatements, type ModelTokenStatements } from "./model-tokens.ts";
import { createProfileStatements, type ProfileStatements } from "./profiles.ts";
import { createRateStatements, type RateStatements } from "./rates.ts";
import { createRetentionStatements, type RetentionStatements } from "./retention.ts";
import { createScrapeStatements, type ScrapeStatements } from "./scrapes.ts";
import { createSearchLinkStatements, type SearchLinkStatements } from "./search/links.ts";
import { createSearchIndexStatements, type SearchIndexStatements } from "./search/search-index.ts";
import { createSessionStatements, type SessionStatements } from "./sessions.ts";
import { createSnapshotStatements, type SnapshotStatements } from "./snapshots.ts";
import { createTeamSlotStatements, type TeamSlotStatements } from "./team-slots.ts";
import { createTeamStatements, type TeamStatements } from "./teams.ts";
import { createWebhookStatements, type WebhookStatements } from "./webhooks.ts";

/** Every statement of the service, over the database or over one transaction. */
export interface Statements {
  teams: TeamStatements;
  teamSlots: TeamSlotStatements;
  keys: KeyStatements;
  charges: ChargeStatements;
  activity: ActivityStatements;
  rates: RateStatements;
  blobs: BlobStatements;
  copies: CopyStatements;
  scrapes: ScrapeStatements;
  knownPages: KnownPageStatements;
  jobs: JobStatements;
  jobPages: JobPageStatements;
  jobResults: JobResultStatements;
  webhooks: WebhookStatements;
  searchIndex: SearchIndexStatements;
  searchLinks: SearchLinkStatements;
  feedback: FeedbackStatements;
  modelTokens: ModelTokenStatements;
  snapshots: SnapshotStatements;
  profiles: ProfileStatements;
  sessions: SessionStatements;
  retention: RetentionStatements;
}

export function createStatements(executor: Executor, words: WordIndex): Statements {
  return {
    teams: createTeamStatements(executor.db),
    teamSlots: createTeamSlotStatements(executor.db),
    keys: createKeyStatements(executor),
    charges: createChargeStatements(executor),
    activity: createActivityStatements(executor),
    rates: createRateStatements(executor),
    blobs: createBlobStatements(executor),
    copies: createCopyStatements(executor),
    scrapes: createScrapeStatements(executor),
    knownPages: createKnownPageStatements(executor),
    jobs: createJobStatements(executor),
    jobPages: createJobPageStatements(executor),
    jobResults: createJobResultStatements(executor),
    webhooks: createWebhookStatements(executor),
    searchIndex: createSearchIndexStatements(executor, words),
    searchLinks: createSearchLinkStatements(executor, words),
    feedback: createFeedbackStatements(executor),
    modelTokens: createModelTokenStatements(executor),
    snapshots: createSnapshotStatements(executor),
    profiles: createProfileStatements(executor.db),
    sessions: createSessionStatements(executor.db),
    retention: createRetentionStatements(executor.db),
  };
}
