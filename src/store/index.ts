export type { ActivityEntry, ActivityPage, ActivityPlace } from "./accounts/activity.ts";
export type { KeyMonthSum, LedgerCharge, MonthSum } from "./accounts/charges.ts";
export type { Feedback } from "./accounts/feedback.ts";
export type { KeyUse, KeyWithTeam, ListedKey, NewKey } from "./accounts/keys.ts";
export type { Passkey } from "./accounts/passkeys.ts";
export type { FoundSession, TeamPerson } from "./accounts/people.ts";
export type { Granted, RateReservation } from "./accounts/rates.ts";
export type { ShareStatements } from "./accounts/shares.ts";
export type { Team } from "./accounts/teams.ts";
export type { RequestCount, UsageHour } from "./accounts/usage-hours.ts";
export type { BlobPlace, PlacedObject, PlaceName } from "./blobs/blob-place.ts";
export { createDiskPlace, fanOf } from "./blobs/disk-place.ts";
export type { OutsideCount, OutsideOptions } from "./blobs/outside.ts";
export type { PlaceState } from "./blobs/stray-objects.ts";
export type { ProfileWriter } from "./browser/profiles.ts";
export type { NewSession, SessionEnd, SessionRow } from "./browser/sessions.ts";
export type { FieldRun, PageWords, WordRun } from "./engine/search-words.ts";
export type { ClaimedPage, NewJobPage, TaskLease } from "./jobs/job-pages.ts";
export type { JobError, JobResult, RemovedPage } from "./jobs/job-results.ts";
export type { Job, JobKind, JobStatus, NewJob } from "./jobs/job-row.ts";
export type { RunningJob } from "./jobs/jobs.ts";
export type { NodeRow } from "./jobs/node-rows.ts";
export type { ClaimedWebhookEvent, NewWebhookEvent, WebhookOutcome, WebhookRecord } from "./jobs/webhooks.ts";
export { type CheckPage, type PackedCheckPage, packCheckPage } from "./monitors/check-pages.ts";
export { type CheckTarget, counterOf, type MonitorCheck } from "./monitors/checks.ts";
export type { Monitor, MonitorChanges } from "./monitors/monitors.ts";
export { type PackedVersion, packVersion } from "./monitors/versions.ts";
export type { MovedTable } from "./moving/table-keys.ts";
export { openStore, type Store, type StoreOptions } from "./opening/open-store.ts";
export type { Statements } from "./opening/statements.ts";
export { type Blob, type OpenedBlob, type PackBlob, type PackedBlob, packBlob } from "./pages/blobs.ts";
export type { FoundCopy, PageCopy } from "./pages/copies.ts";
export type { HostAttempt, HostNotes, HostRow } from "./pages/host-memory.ts";
export type { KnownPage } from "./pages/known-pages.ts";
export {
  type PackedFingerprint,
  type PageFingerprint,
  packFingerprint,
  type StoredFingerprint,
} from "./pages/page-fingerprints.ts";
export type { ScrapeRecord } from "./pages/scrapes.ts";
export { type PackedSnapshot, packSnapshot } from "./pages/snapshots.ts";
export type { PersonRole } from "./schema/dashboard-tables.ts";
export type { TaskKind } from "./schema/job-tables.ts";
export type { CheckPageStatus, CheckStatus } from "./schema/monitor-tables.ts";
export type { ActivityOutcome } from "./schema/tables.ts";
export { type IndexEntry, type IndexedState, type PackedEntry, packEntry } from "./search/entries.ts";
export { type LinkedPage, type PackedLink, type PageLink, packLinks } from "./search/page-links.ts";
export type { IndexCounts, IndexedPage } from "./search/read-index.ts";
export type { IndexStats, SearchIndexStatements } from "./search/search-index.ts";
export type { SearchPlan } from "./search/search-plan.ts";
export type { PaceBucket, SourceState } from "./search/source-state.ts";
export { isOpenToOthers } from "./secrets/data-folder.ts";
export { createSealer, type Sealer } from "./secrets/sealing.ts";
export { readOrCreateSecret } from "./secrets/secret-file.ts";
export type { StoreHealth } from "./upkeep/health.ts";
export { type PurgeRequest, type PurgeResult, resultAgeMs } from "./upkeep/retention.ts";
