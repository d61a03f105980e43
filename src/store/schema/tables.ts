// The rows as they lie in the database, the same on every engine. Times are milliseconds since 1970, ids are UUID text,
// there are no booleans; `migrations/` makes these tables.
import type {
  PasskeysTable,
  PeopleTable,
  PersonSessionsTable,
  SignInLinksTable,
  SpentChallengesTable,
  TeamPeopleTable,
  UsageHoursTable,
} from "./dashboard-tables.ts";
import type {
  JobErrorsTable,
  JobPagesTable,
  JobRemovedTable,
  JobResultsTable,
  JobsTable,
  WebhookEventsTable,
} from "./job-tables.ts";
import type {
  MonitorCheckPagesTable,
  MonitorChecksTable,
  MonitorCheckTargetsTable,
  MonitorsTable,
  MonitorVersionsTable,
} from "./monitor-tables.ts";
import type {
  SearchHostLinksTable,
  SearchHostsTable,
  SearchLinksTable,
  SearchPacesTable,
  SearchPagesTable,
  SearchSourcesTable,
  SearchTargetsTable,
  SearchTeamsTable,
  SearchTextsTable,
  SearchVocabularyTable,
  SearchWordsTable,
} from "./search-tables.ts";

import type { SiteRulesTable } from "./site-rules-table.ts";

export interface TeamsTable {
  id: string;
  name: string;
  /** Null means the server's own default; 0 means no limit. */
  requests_per_minute: number | null;
  created_at: number;
}

export interface ApiKeysTable {
  id: string;
  team_id: string;
  name: string;
  hash: string;
  last_four: string;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
  /** Null: the team's limit alone. */
  requests_per_minute: number | null;
  credits_per_month: number | null;
}

export interface CreditLedgerTable {
  id: string;
  team_id: string;
  key_id: string | null;
  job_id: string;
  endpoint: string;
  credits: number;
  reason: string;
  at: number;
}

export interface UsageMonthsTable {
  team_id: string;
  /** Empty when the charge came from no key: a primary key cannot hold null. */
  key_id: string;
  month: number;
  credits: number;
}

export interface ModelReservationsTable {
  team_id: string;
  id: string;
  tokens: number;
  until: number;
}

export interface ModelTokenMonthsTable {
  team_id: string;
  month: number;
  /** "" for none. */
  key_id: string;
  input: number;
  output: number;
}

export type ActivityOutcome = "succeeded" | "failed" | "running";

export interface ActivityTable {
  row_id: string;
  id: string;
  team_id: string;
  key_id: string | null;
  endpoint: string;
  api_version: string;
  target: string;
  outcome: ActivityOutcome;
  created_at: number;
}

export interface RateWindowsTable {
  team_id: string;
  rate_group: string;
  window_start: number;
  used: number;
  /** What the latest reservation got: no engine-neutral RETURNING can see the row as it was before. */
  last_granted: number;
}

export interface BlobsTable {
  id: string;
  team_id: string;
  created_at: number;
  expires_at: number | null;
  encoding: string;
  size_bytes: number;
  /** The bytes, or their SHA-256 where they lie elsewhere. */
  data: Uint8Array;
  /** Where the bytes lie; null: in this row. */
  place: string | null;
}

export interface ElectionsTable {
  office: string;
  owner: string;
  lease_until: number;
}

export interface HostTurnsTable {
  host: string;
  next_at: number;
}

export interface HostPacesTable {
  host: string;
  paused_until: number;
  refusals: number;
  noted_at: number;
}

export interface HostSlotsTable {
  host: string;
  owner: string;
  wanted: number;
  held: number;
  lease_until: number;
}

export interface NodesTable {
  id: string;
  role: string;
  url: string;
  has_browser: number;
  has_sessions: number;
  browser_load: number;
  seen_at: number;
}

export interface StoreMovesTable {
  name: string;
  note: string;
  row_count: number;
}

export interface PageCopiesTable {
  id: string;
  team_id: string;
  copy_key: string;
  fetched_at: number;
  expires_at: number;
  is_shared: number;
  blob_id: string;
  size_bytes: number;
  details: string;
}

export interface ScrapesTable {
  id: string;
  team_id: string;
  created_at: number;
  expires_at: number;
  blob_id: string | null;
  details: string;
}

export interface KnownPagesTable {
  team_id: string;
  host_key: string;
  url_hash: string;
  seen_at: number;
  url: string;
  title: string;
  description: string;
}

export interface IdempotencyKeysTable {
  team_id: string;
  endpoint: string;
  idempotency_key: string;
  job_id: string;
  created_at: number;
}

export interface TeamSlotsTable {
  team_id: string;
  owner: string;
  wanted: number;
  held: number;
  lease_until: number;
}

export interface FeedbackTable {
  team_id: string;
  job_id: string;
  id: string;
  key_id: string | null;
  endpoint: string;
  rating: string;
  created_at: number;
  details: string;
}

export interface ChangeSnapshotsTable {
  team_id: string;
  snapshot_key: string;
  scraped_at: number;
  encoding: string;
  size_bytes: number;
  data: Uint8Array;
}

export interface BrowserProfilesTable {
  team_id: string;
  name: string;
  used_at: number;
  /** Who may save it, and until when; null: no session holds it. */
  writer: string | null;
  writer_until: number | null;
  /** Null until it is saved for the first time. */
  sealed: string | null;
}

export type SessionStatus = "starting" | "active" | "destroyed" | "error";

export interface BrowserSessionsTable {
  id: string;
  team_id: string;
  key_id: string | null;
  endpoint: string;
  scrape_id: string | null;
  status: SessionStatus;
  created_at: number;
  ttl_ms: number;
  idle_ms: number;
  has_view: number;
  minute_price: number;
  base_url: string;
  sealed_secret: string;
  activity_row_id: string;
  used_at: number;
  owner: string;
  seen_at: number;
  ended_at: number | null;
  duration_ms: number | null;
  credits: number | null;
}

export interface PageFingerprintsTable {
  team_id: string;
  fingerprint_key: string;
  read_at: number;
  changed_at: number;
  final_url: string;
  etag: string | null;
  last_modified: string | null;
  content_key: string;
  content_hash: string | null;
  links_encoding: string;
  links_bytes: number;
  links: Uint8Array | null;
}

export interface HostMemoryTable {
  team_id: string;
  /** With its port, unless that is the scheme's own. */
  host: string;
  seen_at: number;
  /** Of its robots.txt. */
  delay_ms: number;
  last_429_at: number | null;
  robots: string | null;
  /** JSON: what came back lately, the latest first. */
  verdicts: string;
  /** What got past its block page: engine and tier; null when the first attempt does. */
  attempt: string | null;
  attempt_since: number | null;
  attempt_ms: number | null;
  sealed_cookies: string | null;
}

export interface HealthProbesTable {
  id: string;
  at: number;
  payload: string;
}

export interface Tables {
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
  jobs: JobsTable;
  job_pages: JobPagesTable;
  job_results: JobResultsTable;
  job_errors: JobErrorsTable;
  job_removed: JobRemovedTable;
  page_fingerprints: PageFingerprintsTable;
  idempotency_keys: IdempotencyKeysTable;
  webhook_events: WebhookEventsTable;
  team_slots: TeamSlotsTable;
  search_teams: SearchTeamsTable;
  search_pages: SearchPagesTable;
  search_texts: SearchTextsTable;
  search_targets: SearchTargetsTable;
  search_hosts: SearchHostsTable;
  search_links: SearchLinksTable;
  search_host_links: SearchHostLinksTable;
  search_words: SearchWordsTable;
  search_vocabulary: SearchVocabularyTable;
  search_sources: SearchSourcesTable;
  search_paces: SearchPacesTable;
  feedback: FeedbackTable;
  change_snapshots: ChangeSnapshotsTable;
  browser_profiles: BrowserProfilesTable;
  browser_sessions: BrowserSessionsTable;
  site_rules: SiteRulesTable;
  host_memory: HostMemoryTable;
  health_probes: HealthProbesTable;
  monitors: MonitorsTable;
  monitor_versions: MonitorVersionsTable;
  monitor_checks: MonitorChecksTable;
  monitor_check_targets: MonitorCheckTargetsTable;
  monitor_check_pages: MonitorCheckPagesTable;
  people: PeopleTable;
  team_people: TeamPeopleTable;
  sign_in_links: SignInLinksTable;
  person_sessions: PersonSessionsTable;
  passkeys: PasskeysTable;
  spent_challenges: SpentChallengesTable;
  usage_hours: UsageHoursTable;
}
