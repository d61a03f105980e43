// The tables that hold what a store knows, and the key of each, by which its rows are read in batches.
import type { Tables } from "../schema/tables.ts";

/** Made again where they are needed: words from texts, the rest by the processes that run. */
type LeftTable =
  | "search_words"
  | "search_vocabulary"
  | "health_probes"
  | "elections"
  | "nodes"
  | "host_turns"
  | "host_paces"
  | "host_slots"
  | "team_slots"
  | "rate_windows"
  | "store_moves";
export type MovedTable = Exclude<keyof Tables, LeftTable>;

interface TableKey {
  key: readonly string[];
  /** Rows hold whole pages: fewer are read at once. */
  isHeavy?: true;
}

/** In the order in which they are copied: keys of the API name their team. */
export const tableKeys: Record<MovedTable, TableKey> = {
  teams: { key: ["id"] },
  api_keys: { key: ["id"] },
  credit_ledger: { key: ["id"] },
  usage_months: { key: ["teamId", "month", "keyId"] },
  model_token_months: { key: ["teamId", "month", "keyId"] },
  model_reservations: { key: ["teamId", "id"] },
  activity: { key: ["teamId", "createdAt", "rowId"] },
  feedback: { key: ["teamId", "jobId"] },
  blobs: { key: ["id"], isHeavy: true },
  page_copies: { key: ["copyKey", "fetchedAt", "id"] },
  scrapes: { key: ["id"] },
  known_pages: { key: ["teamId", "hostKey", "urlHash"] },
  jobs: { key: ["id"] },
  job_pages: { key: ["jobId", "pageKey"] },
  job_results: { key: ["jobId", "seq"] },
  job_errors: { key: ["jobId", "id"] },
  job_removed: { key: ["jobId", "pageKey"] },
  page_fingerprints: { key: ["teamId", "fingerprintKey"] },
  idempotency_keys: { key: ["teamId", "endpoint", "idempotencyKey"] },
  webhook_events: { key: ["id"] },
  search_teams: { key: ["teamId"] },
  search_pages: { key: ["id"] },
  search_texts: { key: ["id"], isHeavy: true },
  search_targets: { key: ["id"] },
  search_hosts: { key: ["id"] },
  search_links: { key: ["target", "sourceHost"] },
  search_host_links: { key: ["sourceHost", "targetHost"] },
  search_sources: { key: ["name"] },
  search_paces: { key: ["bucket"] },
  change_snapshots: { key: ["teamId", "snapshotKey"], isHeavy: true },
  browser_profiles: { key: ["teamId", "name"], isHeavy: true },
  browser_sessions: { key: ["id"] },
  host_memory: { key: ["teamId", "host"] },
  site_rules: { key: ["teamId", "host", "kind", "form"] },
  monitors: { key: ["id"] },
  monitor_subscriptions: { key: ["monitorId", "email"] },
  monitor_versions: { key: ["monitorId", "targetId", "pageKey"], isHeavy: true },
  monitor_checks: { key: ["id"] },
  monitor_check_targets: { key: ["checkId", "targetId"] },
  monitor_check_pages: { key: ["checkId", "targetId", "pageKey"], isHeavy: true },
  people: { key: ["id"] },
  team_people: { key: ["teamId", "personId"] },
  sign_in_links: { key: ["hash"] },
  person_sessions: { key: ["id"] },
  passkeys: { key: ["id"] },
  spent_challenges: { key: ["hash"] },
  usage_hours: { key: ["teamId", "hour", "endpoint", "keyId", "cause", "step"] },
};

export const movedTables = Object.keys(tableKeys) as MovedTable[];
