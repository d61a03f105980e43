// The rows as they lie in the database, the same on every engine. Times are milliseconds since 1970, ids are UUID text,
// there are no booleans; `migrations/` makes these tables.
import type { DashboardTables } from "./dashboard-tables.ts";
import type { JobTables } from "./job-tables.ts";
import type { MonitorTables } from "./monitor-tables.ts";
import type { SearchTables } from "./search-tables.ts";

export interface TeamsTable {
  id: string;
  name: string;
  /** Null means the server's own default; 0 means no limit. */
  requestsPerMinute: number | null;
  createdAt: number;
}

export interface ApiKeysTable {
  id: string;
  teamId: string;
  name: string;
  hash: string;
  lastFour: string;
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
  /** Null: the team's limit alone. */
  requestsPerMinute: number | null;
  creditsPerMonth: number | null;
}

export interface CreditLedgerTable {
  id: string;
  teamId: string;
  keyId: string | null;
  jobId: string;
  endpoint: string;
  credits: number;
  reason: string;
  at: number;
}

export interface UsageMonthsTable {
  teamId: string;
  /** Empty when the charge came from no key: a primary key cannot hold null. */
  keyId: string;
  month: number;
  credits: number;
}

export interface ModelReservationsTable {
  teamId: string;
  id: string;
  tokens: number;
  until: number;
}

export interface ModelTokenMonthsTable {
  teamId: string;
  month: number;
  /** "" for none. */
  keyId: string;
  input: number;
  output: number;
}

export type ActivityOutcome = "succeeded" | "failed" | "running";

export interface ActivityTable {
  rowId: string;
  id: string;
  teamId: string;
  keyId: string | null;
  endpoint: string;
  apiVersion: string;
  target: string;
  outcome: ActivityOutcome;
  createdAt: number;
}

export interface RateWindowsTable {
  teamId: string;
  rateGroup: string;
  windowStart: number;
  used: number;
  /** What the latest reservation got: no engine-neutral RETURNING can see the row as it was before. */
  lastGranted: number;
}

export interface BlobsTable {
  id: string;
  teamId: string;
  createdAt: number;
  /** Null means it is kept until it is deleted. */
  expiresAt: number | null;
  encoding: string;
  sizeBytes: number;
  /** The bytes, or their SHA-256 where they lie elsewhere. */
  data: Uint8Array;
  /** Where the bytes lie; null: in this row. */
  place: string | null;
}

export interface ElectionsTable {
  office: string;
  owner: string;
  leaseUntil: number;
}

export interface HostTurnsTable {
  host: string;
  nextAt: number;
}

export interface HostPacesTable {
  host: string;
  pausedUntil: number;
  refusals: number;
  notedAt: number;
}

export interface HostSlotsTable {
  host: string;
  owner: string;
  wanted: number;
  held: number;
  leaseUntil: number;
}

export interface NodesTable {
  id: string;
  role: string;
  url: string;
  hasBrowser: number;
  hasSessions: number;
  browserLoad: number;
  seenAt: number;
}

export interface StoreMovesTable {
  name: string;
  note: string;
  rowCount: number;
}

export interface PageCopiesTable {
  id: string;
  teamId: string;
  /** Hash of everything that the copy depends on. */
  copyKey: string;
  fetchedAt: number;
  expiresAt: number;
  /** 1: it may be given to other teams where the operator allows it. */
  isShared: number;
  blobId: string;
  sizeBytes: number;
  /** Small facts as JSON text; the bytes are in the blob. */
  details: string;
}

export interface ScrapesTable {
  id: string;
  teamId: string;
  createdAt: number;
  expiresAt: number;
  /** The document; null for a scrape that failed. */
  blobId: string | null;
  /** What differs from the stored document, or the failure, as JSON text. */
  details: string;
}

export interface KnownPagesTable {
  teamId: string;
  hostKey: string;
  urlHash: string;
  seenAt: number;
  url: string;
  title: string;
  description: string;
}

export interface IdempotencyKeysTable {
  teamId: string;
  endpoint: string;
  idempotencyKey: string;
  jobId: string;
  createdAt: number;
}

export interface TeamSlotsTable {
  teamId: string;
  owner: string;
  wanted: number;
  held: number;
  leaseUntil: number;
}

export interface FeedbackTable {
  teamId: string;
  jobId: string;
  id: string;
  keyId: string | null;
  endpoint: string;
  rating: string;
  createdAt: number;
  details: string;
}

export interface ChangeSnapshotsTable {
  teamId: string;
  snapshotKey: string;
  scrapedAt: number;
  encoding: string;
  sizeBytes: number;
  data: Uint8Array;
}

export interface BrowserProfilesTable {
  teamId: string;
  name: string;
  usedAt: number;
  /** Who may save it, and until when; null: no session holds it. */
  writer: string | null;
  writerUntil: number | null;
  /** Null until it is saved for the first time. */
  sealed: string | null;
}

export type SessionStatus = "starting" | "active" | "destroyed" | "error";

export interface BrowserSessionsTable {
  id: string;
  teamId: string;
  keyId: string | null;
  /** What it is billed and listed as. */
  endpoint: string;
  /** The scrape whose page it goes on with. */
  scrapeId: string | null;
  status: SessionStatus;
  createdAt: number;
  ttlMs: number;
  /** How long it lives without being used. */
  idleMs: number;
  hasView: number;
  minutePrice: number;
  /** Where the process that holds the browser is reached. */
  baseUrl: string;
  /** What its URLs are made of. */
  sealedSecret: string;
  activityRowId: string;
  usedAt: number;
  owner: string;
  /** The last sign of life of its owner. */
  seenAt: number;
  endedAt: number | null;
  durationMs: number | null;
  credits: number | null;
}

export interface PageFingerprintsTable {
  teamId: string;
  /** Of the URL and everything that decides what its server sends. */
  fingerprintKey: string;
  readAt: number;
  /** When a reading first had this content. */
  changedAt: number;
  /** Where redirects led. */
  finalUrl: string;
  etag: string | null;
  lastModified: string | null;
  /** Of everything that decides what is made of the page. */
  contentKey: string;
  /** Of the outputs; null where they differ each time. */
  contentHash: string | null;
  linksEncoding: string;
  linksBytes: number;
  links: Uint8Array | null;
}

export interface HostMemoryTable {
  teamId: string;
  /** With its port, unless that is the scheme's own. */
  host: string;
  seenAt: number;
  /** Of its robots.txt. */
  delayMs: number;
  last429At: number | null;
  robots: string | null;
  /** JSON: what came back lately, the latest first. */
  verdicts: string;
  /** What got past its block page: engine and tier; null when the first attempt does. */
  attempt: string | null;
  attemptSince: number | null;
  attemptMs: number | null;
  sealedCookies: string | null;
}

export interface HealthProbesTable {
  id: string;
  at: number;
  payload: string;
}

/** What pages of hosts taught about the fields of schemas. */
export interface SiteRulesTable {
  teamId: string;
  host: string;
  /** Extractors are asked for, listed and deleted by callers; templates are learned without asking. */
  kind: "extractor" | "template";
  /** Hash of the schema, and of an extractor's prompt. */
  form: string;
  id: string;
  /** JSON: where each field is. */
  rules: string;
  version: number;
  createdAt: number;
  updatedAt: number;
  /** By the day. */
  usedAt: number;
  /** When it was first tried to repair it of late, and how often since. */
  triedAt: number;
  tries: number;
}

export interface Tables extends DashboardTables, JobTables, MonitorTables, SearchTables {
  teams: TeamsTable;
  api_keys: ApiKeysTable;
  credit_ledger: CreditLedgerTable;
  usage_months: UsageMonthsTable;
  model_token_months: ModelTokenMonthsTable;
  model_reservations: ModelReservationsTable;
  activity: ActivityTable;
  rate_windows: RateWindowsTable;
  blobs: BlobsTable;
  elections: ElectionsTable;
  nodes: NodesTable;
  host_turns: HostTurnsTable;
  host_paces: HostPacesTable;
  host_slots: HostSlotsTable;
  store_moves: StoreMovesTable;
  page_copies: PageCopiesTable;
  scrapes: ScrapesTable;
  known_pages: KnownPagesTable;
  page_fingerprints: PageFingerprintsTable;
  idempotency_keys: IdempotencyKeysTable;
  team_slots: TeamSlotsTable;
  feedback: FeedbackTable;
  change_snapshots: ChangeSnapshotsTable;
  browser_profiles: BrowserProfilesTable;
  browser_sessions: BrowserSessionsTable;
  site_rules: SiteRulesTable;
  host_memory: HostMemoryTable;
  health_probes: HealthProbesTable;
}
