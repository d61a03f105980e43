import { createActivityStatements } from "../accounts/activity.ts";
import { createAuditStatements } from "../accounts/audit-rows.ts";
import { createChargeStatements } from "../accounts/charges.ts";
import { createFeedbackStatements } from "../accounts/feedback.ts";
import { createKeyStatements } from "../accounts/keys.ts";
import { createModelTokenStatements } from "../accounts/model-tokens.ts";
import { createPasskeyStatements } from "../accounts/passkeys.ts";
import { createPeopleStatements } from "../accounts/people.ts";
import { createPolicyStatements } from "../accounts/policies.ts";
import { createRateStatements } from "../accounts/rates.ts";
import { createShareStatements } from "../accounts/shares.ts";
import { createSecretStatements } from "../accounts/team-secrets.ts";
import { createTeamStatements } from "../accounts/teams.ts";
import { createUsageHourStatements } from "../accounts/usage-hours.ts";
import { createArchiveStatements } from "../archives/archives.ts";
import type { Outside } from "../blobs/outside.ts";
import { createFlowStatements } from "../browser/flows.ts";
import { createProfileStatements } from "../browser/profiles.ts";
import { createRecordingStatements } from "../browser/recordings.ts";
import { createSessionStatements } from "../browser/sessions.ts";
import { createOauthStatements } from "../doors/oauth-rows.ts";
import { createReadingStatements } from "../doors/stored-readings.ts";
import type { Executor } from "../engine/executor.ts";
import type { WordIndex } from "../engine/search-words.ts";
import { createElectionStatements } from "../jobs/elections.ts";
import { createHostPaceStatements } from "../jobs/host-paces.ts";
import { createHostTurnStatements } from "../jobs/host-turns.ts";
import { createJobPageStatements } from "../jobs/job-pages.ts";
import { createJobResultStatements } from "../jobs/job-results.ts";
import { createJobStatements } from "../jobs/jobs.ts";
import { createNodeStatements } from "../jobs/node-rows.ts";
import { createWebhookStatements } from "../jobs/webhooks.ts";
import { createCheckPageStatements } from "../monitors/check-pages.ts";
import { createCheckStatements } from "../monitors/checks.ts";
import { createListFeedStatements } from "../monitors/list-feeds.ts";
import { createMonitorStatements } from "../monitors/monitors.ts";
import { createSubscriptionStatements } from "../monitors/subscriptions.ts";
import { createVersionStatements } from "../monitors/versions.ts";
import { createNotifyStatements } from "../notices/notify-entries.ts";
import { createNoticeStatements } from "../notices/stored-notices.ts";
import { createTroubleStatements } from "../notices/troubles.ts";
import { createBlobStatements } from "../pages/blobs.ts";
import { createCopyStatements } from "../pages/copies.ts";
import { createHostStatements } from "../pages/host-memory.ts";
import { createKnownPageStatements } from "../pages/known-pages.ts";
import { createPageFingerprintStatements } from "../pages/page-fingerprints.ts";
import { createScrapeStatements } from "../pages/scrapes.ts";
import { createSnapshotStatements } from "../pages/snapshots.ts";
import { createSiteRulesStatements } from "../pages/stored-site-rules.ts";
import { createIndexedSourceStatements } from "../search/indexed-sources.ts";
import { createSearchLinkStatements } from "../search/page-links.ts";
import { createSearchIndexStatements } from "../search/search-index.ts";
import { createSearchSourceStatements } from "../search/source-state.ts";
import { createRetentionStatements } from "../upkeep/retention.ts";

/** What statements are made of. */
export interface StatementParts {
  executor: Executor;
  words: WordIndex;
  outside: Outside;
}

const makers = {
  teams: ({ executor }) => createTeamStatements(executor.db),
  teamSlots: ({ executor }) => createShareStatements(executor.db, { table: "team_slots", key: "teamId" }),
  keys: ({ executor }) => createKeyStatements(executor),
  people: ({ executor }) => createPeopleStatements(executor.db),
  policies: ({ executor }) => createPolicyStatements(executor.db),
  audit: ({ executor }) => createAuditStatements(executor.db),
  passkeys: ({ executor }) => createPasskeyStatements(executor.db),
  secrets: ({ executor }) => createSecretStatements(executor.db),
  charges: ({ executor }) => createChargeStatements(executor),
  usageHours: ({ executor }) => createUsageHourStatements(executor),
  activity: ({ executor }) => createActivityStatements(executor),
  rates: ({ executor }) => createRateStatements(executor),
  archives: ({ executor }) => createArchiveStatements(executor),
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
  indexedSources: ({ executor }) => createIndexedSourceStatements(executor),
  searchSources: ({ executor }) => createSearchSourceStatements(executor),
  feedback: ({ executor }) => createFeedbackStatements(executor),
  modelTokens: ({ executor }) => createModelTokenStatements(executor),
  snapshots: ({ executor }) => createSnapshotStatements(executor),
  profiles: ({ executor }) => createProfileStatements(executor.db),
  flows: ({ executor }) => createFlowStatements(executor),
  sessions: ({ executor }) => createSessionStatements(executor.db),
  recordings: ({ executor, outside }) => createRecordingStatements(executor.db, outside),
  monitors: ({ executor }) => createMonitorStatements(executor),
  listFeeds: ({ executor }) => createListFeedStatements(executor),
  subscriptions: ({ executor }) => createSubscriptionStatements(executor),
  versions: ({ executor }) => createVersionStatements(executor),
  checks: ({ executor }) => createCheckStatements(executor),
  checkPages: ({ executor }) => createCheckPageStatements(executor),
  notifyEntries: ({ executor }) => createNotifyStatements(executor),
  notices: ({ executor }) => createNoticeStatements(executor),
  troubles: ({ executor }) => createTroubleStatements(executor),
  oauth: ({ executor }) => createOauthStatements(executor),
  readings: ({ executor }) => createReadingStatements(executor),
  retention: ({ executor, outside }) => createRetentionStatements(executor.db, outside),
} satisfies Record<string, (parts: StatementParts) => unknown>;

/** Every statement of the service, over the database or over one transaction. */
export type Statements = { [Name in keyof typeof makers]: ReturnType<(typeof makers)[Name]> };

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
