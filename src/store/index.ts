// The door of the store: how it is opened, what is written ready-made, and the rows that others read and write.
export type {
  ActivityEntry,
  ActivityPage,
  ActivityPlace,
  FoundSession,
  Granted,
  LedgerCharge,
  ListedKey,
  NewKey,
  Passkey,
  RateReservation,
  RequestCount,
  ShareStatements,
  Team,
  TeamPerson,
  UsageHour,
} from "./accounts/index.ts";
export { type BlobPlace, createDiskPlace, fanOf, type OutsideOptions, type PlacedObject } from "./blobs/index.ts";
export type { NewSession, ProfileWriter, SessionEnd, SessionRow } from "./browser/index.ts";
export type { FieldRun, PageWords, WordRun } from "./engine/search-words.ts";
export type {
  ClaimedPage,
  ClaimedWebhookEvent,
  Job,
  JobError,
  JobKind,
  JobResult,
  NewJob,
  NewJobPage,
  NewWebhookEvent,
  NodeRow,
  RemovedPage,
  RunningJob,
  WebhookOutcome,
  WebhookRecord,
} from "./jobs/index.ts";
export {
  type CheckPage,
  type CheckTarget,
  counterOf,
  type Monitor,
  type MonitorCheck,
  type PackedCheckPage,
  type PackedVersion,
  packCheckPage,
  packVersion,
  type Subscription,
} from "./monitors/index.ts";
export type { MovedTable } from "./moving/table-keys.ts";
export { openStore, type Statements, type Store, type StoreOptions } from "./opening/index.ts";
export {
  type FoundCopy,
  type HostNotes,
  type HostRow,
  type KnownPage,
  type OpenedBlob,
  type PackBlob,
  type PackedBlob,
  type PackedFingerprint,
  type PackedSnapshot,
  type PageCopy,
  type PageFingerprint,
  packBlob,
  packFingerprint,
  packSnapshot,
  type ScrapeRecord,
  type StoredFingerprint,
} from "./pages/index.ts";
export type { CheckPageStatus, CheckStatus, PersonRole, TaskKind } from "./schema/index.ts";
export {
  type IndexCounts,
  type IndexEntry,
  type IndexedPage,
  type IndexedState,
  type IndexStats,
  type LinkedPage,
  type PaceBucket,
  type PageLink,
  packEntry,
  packLinks,
  type SearchPlan,
  type SourceState,
} from "./search/index.ts";
export { createSealer, isOpenToOthers, readOrCreateSecret, type Sealer } from "./secrets/index.ts";
export { resultAgeMs, type StoreHealth } from "./upkeep/index.ts";
