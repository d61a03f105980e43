// The rows of monitors: what they watch, what they saw last, and what each check found.

export interface MonitorsTable {
  id: string;
  team_id: string;
  key_id: string | null;
  name: string;
  status: "active" | "paused" | "deleted";
  cron: string;
  timezone: string;
  /** Added to each time of the schedule, so that monitors without a named time do not start in one second. */
  jitter_ms: number;
  /** Null while it is paused. */
  next_run_at: number | null;
  /** When next_run_at was worked out: later than now means that the clock was set back. */
  scheduled_at: number;
  last_run_at: number | null;
  current_check_id: string | null;
  /** As its callers see it, JSON text without secrets. */
  shown: string;
  /** Targets with their secrets, webhook and the token of the feed: sealed. */
  sealed: string;
  retention_days: number;
  credits_per_check: number;
  runs_per_month: number;
  base_url: string;
  /** Numbers of the last check that ended, JSON text. */
  last_summary: string | null;
  created_at: number;
  updated_at: number;
}

/** The last version of a page that a monitor saw. */
export interface MonitorVersionsTable {
  monitor_id: string;
  target_id: string;
  page_key: string;
  url: string;
  state: "present" | "removed";
  /** Links from the start of its crawl. */
  depth: number;
  seen_at: number;
  /** The last check that found it, at whatever state. */
  check_id: string;
  scrape_id: string | null;
  encoding: string;
  size_bytes: number;
  data: Uint8Array;
}

export type CheckStatus =
  | "queued"
  | "running"
  | "completed"
  | "failed"
  | "partial"
  | "skipped_overlap"
  | "skipped_no_credits";

export interface MonitorChecksTable {
  id: string;
  monitor_id: string;
  team_id: string;
  status: CheckStatus;
  trigger: "scheduled" | "manual";
  scheduled_for: number | null;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  updated_at: number;
  expires_at: number;
  estimated_credits: number;
  /** For what the check itself paid: searches and judgments. Pages are paid by the jobs that read them. */
  own_credits: number;
  actual_credits: number | null;
  total: number;
  same: number;
  changed: number;
  added: number;
  removed: number;
  failed: number;
  error: string | null;
  warning: string | null;
  mail_state: "none" | "due" | "sent" | "failed";
  mail_attempts: number;
  /** When it may be tried; while it is being sent, when others may take it over. */
  mail_next_at: number | null;
}

export interface MonitorCheckTargetsTable {
  check_id: string;
  target_id: string;
  place: number;
  type: "scrape" | "crawl" | "search";
  /** The job that reads its pages. */
  job_id: string | null;
  state: "waiting" | "done";
  /** Results of that job that were compared. */
  compared: number;
  error: string | null;
}

export type CheckPageStatus = "same" | "new" | "changed" | "removed" | "error";

export interface MonitorCheckPagesTable {
  check_id: string;
  target_id: string;
  page_key: string;
  /** 0, 1, 2 … over all targets of the check. */
  seq: number;
  id: string;
  url: string;
  status: CheckPageStatus;
  previous_scrape_id: string | null;
  current_scrape_id: string | null;
  status_code: number | null;
  error: string | null;
  created_at: number;
  /** Metadata, judgment, diff and snapshot as JSON text, compressed. */
  encoding: string;
  size_bytes: number;
  data: Uint8Array;
}
