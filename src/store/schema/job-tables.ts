// The rows of jobs, their pages, results, errors and events, as they lie in the database.

/** What is to be done: read a page, read the sitemaps of a site, find the pages of a pattern, and so on. */
export type TaskKind = "page" | "sitemaps" | "gone" | "pattern" | "search" | "step" | "action" | "target" | "answer";

export type WebhookStatus = "pending" | "delivered" | "failed";

export interface JobsTable {
  id: string;
  team_id: string;
  key_id: string | null;
  kind: "crawl" | "batch" | "extract" | "agent" | "monitor";
  api_version: string;
  status: "scraping" | "completed" | "failed" | "cancelled";
  created_at: number;
  finished_at: number | null;
  expires_at: number | null;
  page_limit: number;
  max_active: number;
  delay_ms: number;
  next_start_at: number;
  known: number;
  waiting: number;
  active: number;
  started: number;
  completed: number;
  failed: number;
  credits: number;
  scope_url: string;
  activity_row_id: string;
  warning: string | null;
  error: string | null;
  secrets: string | null;
  webhook: string | null;
  options: string;
  /** Since when nothing more of it is started. */
  paused_at: number | null;
  /** When it ends, finished or not. */
  stop_at: number | null;
  stop_reason: string | null;
  max_credits: number | null;
  max_bytes: number | null;
  bytes: number;
  page_price: number;
  retention_ms: number;
}

export interface JobPagesTable {
  job_id: string;
  page_key: string;
  place: number;
  id: string;
  url: string;
  depth: number;
  task: TaskKind;
  /** Of an agent's step, and of what that step asked for. */
  step: number | null;
  state: "waiting" | "leased" | "done";
  tries: number;
  lost_leases: number;
  claims: number;
  not_before: number;
  lease_owner: string | null;
  lease_until: number | null;
  /** When the page changed at the latest, as a sitemap tells. */
  lastmod: number | null;
}

export interface JobResultsTable {
  job_id: string;
  seq: number;
  page_id: string;
  blob_id: string;
  size_bytes: number;
  details: string;
}

export interface JobErrorsTable {
  job_id: string;
  id: string;
  at: number;
  url: string;
  code: string;
  message: string;
}

export interface JobRemovedTable {
  job_id: string;
  page_key: string;
  url: string;
}

export interface WebhookEventsTable {
  id: string;
  team_id: string;
  job_id: string;
  /** The order of a job's first attempts; it means nothing after them. */
  ordinal: number;
  type: string;
  created_at: number;
  result_seq: number | null;
  page_error: string | null;
  error: string | null;
  status: WebhookStatus;
  attempts: number;
  next_at: number;
  last_status: number | null;
  last_error: string | null;
  done_at: number | null;
  lease_owner: string | null;
  lease_until: number | null;
}
