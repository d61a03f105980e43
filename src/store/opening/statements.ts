import { type ActivityStatements, createActivityStatements } from "../accounts/activity.ts";
import { type ChargeStatements, createChargeStatements } from "../accounts/charges.ts";
import { createFeedbackStatements, type FeedbackStatements } from "../accounts/feedback.ts";
import { createKeyStatements, type KeyStatements } from "../accounts/keys.ts";
import { createModelTokenStatements, type ModelTokenStatements } from "../accounts/model-tokens.ts";
import { createPasskeyStatements, type PasskeyStatements } from "../accounts/passkeys.ts";
import { createPeopleStatements, type PeopleStatements } from "../accounts/people.ts";
import { createRateStatements, type RateStatements } from "../accounts/rates.ts";
import { createShareStatements, type ShareStatements } from "../accounts/shares.ts";
import { createTeamStatements, type TeamStatements } from "../accounts/teams.ts";
import { createUsageHourStatements, type UsageHourStatements } from "../accounts/usage-hours.ts";
import type { Outside } from "../blobs/outside.ts";
import { createProfileStatements, type ProfileStatements } from "../browser/profiles.ts";
import { createSessionStatements, type SessionStatements } from "../browser/sessions.ts";
import type { Executor } from "../engine/executor.ts";
import type { WordIndex } from "../engine/search-words.ts";
import { createElectionStatements, type ElectionStatements } from "../jobs/elections.ts";
import { createHostPaceStatements, type HostPaceStatements } from "../jobs/host-paces.ts";
import { createHostTurnStatements, type HostTurnStatements } from "../jobs/host-turns.ts";
import { createJobPageStatements, type JobPageStatements } from "../jobs/job-pages.ts";
import { createJobResultStatements, type JobResultStatements } from "../jobs/job-results.ts";
import { createJobStatements, type JobStatements } from "../jobs/jobs.ts";
import { createNodeStatements, type NodeStatements } from "../jobs/node-rows.ts";
import { createWebhookStatements, type WebhookStatements } from "../jobs/webhooks.ts";
import { type CheckPageStatements, createCheckPageStatements } from "../monitors/check-pages.ts";
import { type CheckStatements, createCheckStatements } from "../monitors/checks.ts";
import { createMonitorStatements, type MonitorStatements } from "../monitors/monitors.ts";
import { createVersionStatements, type VersionStatements } from "../monitors/versions.ts";
import { type BlobStatements, createBlobStatements } from "../pages/blobs.ts";
import { type CopyStatements, createCopyStatements } from "../pages/copies.ts";
import { createHostStatements, type HostStatements } from "../pages/host-memory.ts";
import { createKnownPageStatements, type KnownPageStatements } from "../pages/known-pages.ts";
import { createPageFingerprintStatements, type PageFingerprintStatements } from "../pages/page-fingerprints.ts";
import { createScrapeStatements, type ScrapeStatements } from "../pages/scrapes.ts";
import { createSnapshotStatements, type SnapshotStatements } from "../pages/snapshots.ts";
import { createSiteRulesStatements, type SiteRulesStatements } from "../pages/stored-site-rules.ts";
import { createSearchLinkStatements, type SearchLinkStatements } from "../search/page-links.ts";
import { createSearchIndexStatements, type SearchIndexStatements } from "../search/search-index.ts";
import { createSearchSourceStatements, type SearchSourceStatements } from "../search/source-state.ts";
import { createRetentionStatements, type RetentionStatements } from "../upkeep/retention.ts";

/** Every statement of the service, over the database or over one transaction. */
export interface Statements {
  teams: TeamStatements;
  teamSlots: ShareStatements;
  keys: KeyStatements;
  people: PeopleStatements;
  passkeys: PasskeyStatements;
  charges: ChargeStatements;
  usageHours: UsageHourStatements;
  activity: ActivityStatements;
  rates: RateStatements;
  blobs: BlobStatements;
  copies: CopyStatements;
  scrapes: ScrapeStatements;
  knownPages: KnownPageStatements;
  pageFingerprints: PageFingerprintStatements;
  siteRules: SiteRulesStatements;
  hosts: HostStatements;
  jobs: JobStatements;
  jobPages: JobPageStatements;
  elections: ElectionStatements;
  nodes: NodeStatements;
  hostTurns: HostTurnStatements;
  hostPaces: HostPaceStatements;
  hostSlots: ShareStatements;
  jobResults: JobResultStatements;
  webhooks: WebhookStatements;
  searchIndex: SearchIndexStatements;
  searchLinks: SearchLinkStatements;
  searchSources: SearchSourceStatements;
  feedback: FeedbackStatements;
  modelTokens: ModelTokenStatements;
  snapshots: SnapshotStatements;
  profiles: ProfileStatements;
  sessions: SessionStatements;
  monitors: MonitorStatements;
  versions: VersionStatements;
  checks: CheckStatements;
  checkPages: CheckPageStatements;
  retention: RetentionStatements;
}

/** What statements are made of. */
export interface StatementParts {
  executor: Executor;
  words: WordIndex;
  outside: Outside;
}

const makers: { readonly [Name in keyof Statements]: (parts: StatementParts) => Statements[Name] } = {
  teams: ({ executor }) => createTeamStatements(executor.db),
  teamSlots: ({ executor }) => createShareStatements(executor.db, { table: "team_slots", key: "teamId" }),
  keys: ({ executor }) => createKeyStatements(executor),
  people: ({ executor }) => createPeopleStatements(executor.db),
  passkeys: ({ executor }) => createPasskeyStatements(executor.db),
  charges: ({ executor }) => createChargeStatements(executor),
  usageHours: ({ executor }) => createUsageHourStatements(executor),
  activity: ({ executor }) => createActivityStatements(executor),
  rates: ({ executor }) => createRateStatements(executor),
  blobs: ({ executor, outside }) => createBlobStatements(executor, outside),
  copies: ({ executor }) => createCopyStatements(executor),
  scrapes: ({ executor }) => createScrapeStatements(executor),
  knownPages: ({ executor }) => createKnownPageStatements(executor),
  pageFingerprints: ({ executor }) => createPageFingerprintStatements(executor),
  siteRules: ({ executor }) => createSiteRulesStatements(executor),
  hosts: ({ executor }) => createHostStatements(executor),
  jobs: ({ executor }) => createJobStatements(executor),
  jobPages: ({ executor }) => createJobPageStatements(executor),
  elections: ({ executor }) => createElectionStatements(executor),
  nodes: ({ executor }) => createNodeStatements(executor),
  hostTurns: ({ executor }) => createHostTurnStatements(executor),
  hostPaces: ({ executor }) => createHostPaceStatements(executor),
  hostSlots: ({ executor }) => createShareStatements(executor.db, { table: "host_slots", key: "host" }),
  jobResults: ({ executor }) => createJobResultStatements(executor),
  webhooks: ({ executor }) => createWebhookStatements(executor),
  searchIndex: ({ executor, words }) => createSearchIndexStatements(executor, words),
  searchLinks: ({ executor, words }) => createSearchLinkStatements(executor, words),
  searchSources: ({ executor }) => createSearchSourceStatements(executor),
  feedback: ({ executor }) => createFeedbackStatements(executor),
  modelTokens: ({ executor }) => createModelTokenStatements(executor),
  snapshots: ({ executor }) => createSnapshotStatements(executor),
  profiles: ({ executor }) => createProfileStatements(executor.db),
  sessions: ({ executor }) => createSessionStatements(executor.db),
  monitors: ({ executor }) => createMonitorStatements(executor),
  versions: ({ executor }) => createVersionStatements(executor),
  checks: ({ executor }) => createCheckStatements(executor),
  checkPages: ({ executor }) => createCheckPageStatements(executor),
  retention: ({ executor, outside }) => createRetentionStatements(executor.db, outside),
};

export function createStatements(parts: StatementParts): Statements {
  return Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, make(parts)])) as unknown as Statements;
}

/** Each made when it is first used: a transaction needs a few of them, and making all takes as long as its begin and end. */
export function createLateStatements(parts: StatementParts): Statements {
  return new LateStatements(parts) as unknown as Statements;
}

class LateStatements {
  readonly #parts: StatementParts;
  readonly #made: Partial<Record<keyof Statements, unknown>> = {};

  constructor(parts: StatementParts) {
    this.#parts = parts;
  }

  static {
    for (const name of Object.keys(makers) as (keyof Statements)[]) {
      Object.defineProperty(LateStatements.prototype, name, {
        get(this: LateStatements) {
          this.#made[name] ??= makers[name](this.#parts);
          return this.#made[name];
        },
      });
    }
  }
}
