import { type ActivityStatements, createActivityStatements } from "./accounts/activity.ts";
import { type ChargeStatements, createChargeStatements } from "./accounts/charges.ts";
import { createFeedbackStatements, type FeedbackStatements } from "./accounts/feedback.ts";
import { createKeyStatements, type KeyStatements } from "./accounts/keys.ts";
import { createModelTokenStatements, type ModelTokenStatements } from "./accounts/model-tokens.ts";
import { createPeopleStatements, type PeopleStatements } from "./accounts/people.ts";
import { createRateStatements, type RateStatements } from "./accounts/rates.ts";
import { createTeamSlotStatements, type TeamSlotStatements } from "./accounts/team-slots.ts";
import { createTeamStatements, type TeamStatements } from "./accounts/teams.ts";
import { createUsageHourStatements, type UsageHourStatements } from "./accounts/usage-hours.ts";
import type { Outside } from "./blobs/outside.ts";
import { createProfileStatements, type ProfileStatements } from "./browser/profiles.ts";
import { createSessionStatements, type SessionStatements } from "./browser/sessions.ts";
import type { Executor } from "./engine/executor.ts";
import type { WordIndex } from "./engine/search-words.ts";
import { createElectionStatements, type ElectionStatements } from "./jobs/elections.ts";
import { createHostTurnStatements, type HostTurnStatements } from "./jobs/host-turns.ts";
import { createJobPageStatements, type JobPageStatements } from "./jobs/job-pages.ts";
import { createJobResultStatements, type JobResultStatements } from "./jobs/job-results.ts";
import { createJobStatements, type JobStatements } from "./jobs/jobs.ts";
import { createNodeStatements, type NodeStatements } from "./jobs/nodes.ts";
import { createWebhookStatements, type WebhookStatements } from "./jobs/webhooks.ts";
import { type CheckPageStatements, createCheckPageStatements } from "./monitors/check-pages.ts";
import { type CheckStatements, createCheckStatements } from "./monitors/checks.ts";
import { createMonitorStatements, type MonitorStatements } from "./monitors/monitors.ts";
import { createVersionStatements, type VersionStatements } from "./monitors/versions.ts";
import { type BlobStatements, createBlobStatements } from "./pages/blobs.ts";
import { type CopyStatements, createCopyStatements } from "./pages/copies.ts";
import { createExtractorStatements, type ExtractorStatements } from "./pages/extractors.ts";
import { createHostStatements, type HostStatements } from "./pages/hosts.ts";
import { createKnownPageStatements, type KnownPageStatements } from "./pages/known-pages.ts";
import { createPageMarkStatements, type PageMarkStatements } from "./pages/page-marks.ts";
import { createScrapeStatements, type ScrapeStatements } from "./pages/scrapes.ts";
import { createSnapshotStatements, type SnapshotStatements } from "./pages/snapshots.ts";
import { createRetentionStatements, type RetentionStatements } from "./retention.ts";
import { createSearchLinkStatements, type SearchLinkStatements } from "./search/links.ts";
import { createSearchIndexStatements, type SearchIndexStatements } from "./search/search-index.ts";
import { createSearchSourceStatements, type SearchSourceStatements } from "./search/sources.ts";

/** Every statement of the service, over the database or over one transaction. */
export interface Statements {
  teams: TeamStatements;
  teamSlots: TeamSlotStatements;
  keys: KeyStatements;
  people: PeopleStatements;
  charges: ChargeStatements;
  usageHours: UsageHourStatements;
  activity: ActivityStatements;
  rates: RateStatements;
  blobs: BlobStatements;
  copies: CopyStatements;
  scrapes: ScrapeStatements;
  knownPages: KnownPageStatements;
  pageMarks: PageMarkStatements;
  extractors: ExtractorStatements;
  hosts: HostStatements;
  jobs: JobStatements;
  jobPages: JobPageStatements;
  elections: ElectionStatements;
  nodes: NodeStatements;
  hostTurns: HostTurnStatements;
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

export function createStatements(executor: Executor, words: WordIndex, outside: Outside): Statements {
  return {
    teams: createTeamStatements(executor.db),
    teamSlots: createTeamSlotStatements(executor.db),
    keys: createKeyStatements(executor),
    people: createPeopleStatements(executor.db),
    charges: createChargeStatements(executor),
    usageHours: createUsageHourStatements(executor),
    activity: createActivityStatements(executor),
    rates: createRateStatements(executor),
    blobs: createBlobStatements(executor, outside),
    copies: createCopyStatements(executor),
    scrapes: createScrapeStatements(executor),
    knownPages: createKnownPageStatements(executor),
    pageMarks: createPageMarkStatements(executor),
    extractors: createExtractorStatements(executor),
    hosts: createHostStatements(executor),
    jobs: createJobStatements(executor),
    jobPages: createJobPageStatements(executor),
    elections: createElectionStatements(executor),
    nodes: createNodeStatements(executor),
    hostTurns: createHostTurnStatements(executor),
    jobResults: createJobResultStatements(executor),
    webhooks: createWebhookStatements(executor),
    searchIndex: createSearchIndexStatements(executor, words),
    searchLinks: createSearchLinkStatements(executor, words),
    searchSources: createSearchSourceStatements(executor),
    feedback: createFeedbackStatements(executor),
    modelTokens: createModelTokenStatements(executor),
    snapshots: createSnapshotStatements(executor),
    profiles: createProfileStatements(executor.db),
    sessions: createSessionStatements(executor.db),
    monitors: createMonitorStatements(executor),
    versions: createVersionStatements(executor),
    checks: createCheckStatements(executor),
    checkPages: createCheckPageStatements(executor),
    retention: createRetentionStatements(executor.db, outside),
  };
}
