export type { Activity, ActivityPage, ActivityPlace } from "./activity.ts";
export { type Blob, type PackedBlob, packBlob } from "./blobs.ts";
export type { Charge, KeyMonthSum, MonthSum } from "./charges.ts";
export type { FoundCopy, PageCopy } from "./copies.ts";
export type { Feedback } from "./feedback.ts";
export type { StoreHealth } from "./health.ts";
export type { ClaimedPage, Lease, NewJobPage, PageKind } from "./job-pages.ts";
export type { JobError, JobResult } from "./job-results.ts";
export type { Job, JobKind, JobStatus, NewJob, RunningJob } from "./jobs.ts";
export type { KeyUse, KeyWithTeam, ListedKey, NewKey } from "./keys.ts";
export type { KnownPage } from "./known-pages.ts";
export { openStore, type Store, type StoreOptions } from "./open-store.ts";
export type { Granted, Reservation } from "./rates.ts";
export type { PurgeRequest, PurgeResult } from "./retention.ts";
export type { ScrapeRecord } from "./scrapes.ts";
export { createSealer, type Sealer } from "./sealing.ts";
export {
  type IndexEntry,
  type IndexStats,
  type PackedEntry,
  packEntry,
  type SearchIndexStatements,
  type SearchPlan,
  type StoredPage,
} from "./search-index.ts";
export type { FieldRun, PageWords, WordRun } from "./search-words.ts";
export { readOrCreateSecret } from "./secret-file.ts";
export { type PackedSnapshot, packSnapshot } from "./snapshots.ts";
export type { Statements } from "./statements.ts";
export type { ActivityOutcome } from "./tables.ts";
export type { Team } from "./teams.ts";
export type { ClaimedWebhookEvent, NewWebhookEvent, WebhookOutcome, WebhookRecord } from "./webhooks.ts";
