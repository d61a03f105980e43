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
  usage_months: { key: ["team_id", "month", "key_id"] },
  model_token_months: { key: ["team_id", "month", "key_id"] },
  model_reservations: { key: ["team_id", "id"] },
  activity: { key: ["team_id", "created_at", "row_id"] },
  feedback: { key: ["team_id", "job_id"] },
  blobs: { key: ["id"], isHeavy: true },
  page_copies: { key: ["copy_key", "fetched_at", "id"] },
  scrapes: { key: ["id"] },
  known_pages: { key: ["team_id", "host_key", "url_hash"] },
  jobs: { key: ["id"] },
  job_pages: { key: ["job_id", "page_key"] },
  job_results: { key: ["job_id", "seq"] },
  job_errors: { key: ["job_id", "id"] },
  job_removed: { key: ["job_id", "page_key"] },
  page_fingerprints: { key: ["team_id", "fingerprint_key"] },
  idempotency_keys: { key: ["team_id", "endpoint", "idempotency_key"] },
  webhook_events: { key: ["id"] },
  search_teams: { key: ["team_id"] },
  search_pages: { key: ["id"] },
  search_texts: { key: ["id"], isHeavy: true },
  search_targets: { key: ["id"] },
  search_hosts: { key: ["id"] },
  search_links: { key: ["target", "source_host"] },
  search_host_links: { key: ["source_host", "target_host"] },
  search_sources: { key: ["name"] },
  search_paces: { key: ["bucket"] },
  change_snapshots: { key: ["team_id", "snapshot_key"], isHeavy: true },
  browser_profiles: { key: ["team_id", "name"], isHeavy: true },
  browser_sessions: { key: ["id"] },
  host_memory: { key: ["team_id", "host"] },
  site_rules: { key: ["team_id", "host", "kind", "form"] },
  monitors: { key: ["id"] },
  monitor_versions: { key: ["monitor_id", "target_id", "page_key"], isHeavy: true },
  monitor_checks: { key: ["id"] },
  monitor_check_targets: { key: ["check_id", "target_id"] },
  monitor_check_pages: { key: ["check_id", "target_id", "page_key"], isHeavy: true },
  people: { key: ["id"] },
  team_people: { key: ["team_id", "person_id"] },
  sign_in_links: { key: ["hash"] },
  person_sessions: { key: ["id"] },
  passkeys: { key: ["id"] },
  spent_challenges: { key: ["hash"] },
  usage_hours: { key: ["team_id", "hour", "endpoint", "key_id", "cause", "step"] },
};

export const movedTables = Object.keys(tableKeys) as MovedTable[];
