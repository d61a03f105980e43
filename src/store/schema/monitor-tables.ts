// The rows of monitors: what they watch, what they saw last, and what each check found.

export interface MonitorsTable {
  id: string;
  teamId: string;
  keyId: string | null;
  name: string;
  status: "active" | "paused" | "deleted";
  cron: string;
  timezone: string;
  /** Added to each time of the schedule, so that monitors without a named time do not start in one second. */
  jitterMs: number;
  /** Null while it is paused. */
  nextRunAt: number | null;
  /** When nextRunAt was worked out: later than now means that the clock was set back. */
  scheduledAt: number;
  lastRunAt: number | null;
  currentCheckId: string | null;
  /** As its callers see it, JSON text without secrets. */
  shown: string;
  /** Targets with their secrets, webhook and the token of the feed: sealed. */
  sealed: string;
  retentionDays: number;
  creditsPerCheck: number;
  runsPerMonth: number;
  baseUrl: string;
  /** Numbers of the last check that ended, JSON text. */
  lastSummary: string | null;
  createdAt: number;
  updatedAt: number;
}

/** The last version of a page that a monitor saw. */
export interface MonitorVersionsTable {
  monitorId: string;
  targetId: string;
  pageKey: string;
  url: string;
  state: "present" | "removed";
  /** Links from the start of its crawl. */
  depth: number;
  seenAt: number;
  /** The last check that found it, at whatever state. */
  checkId: string;
  scrapeId: string | null;
  encoding: string;
  sizeBytes: number;
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
  monitorId: string;
  teamId: string;
  status: CheckStatus;
  trigger: "scheduled" | "manual";
  scheduledFor: number | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  updatedAt: number;
  expiresAt: number;
  estimatedCredits: number;
  /** For what the check itself paid: searches and judgments. Pages are paid by the jobs that read them. */
  ownCredits: number;
  actualCredits: number | null;
  total: number;
  same: number;
  changed: number;
  added: number;
  removed: number;
  failed: number;
  error: string | null;
  warning: string | null;
  mailState: "none" | "due" | "sent" | "failed";
  mailAttempts: number;
  /** When it may be tried; while it is being sent, when others may take it over. */
  mailNextAt: number | null;
}

export interface MonitorCheckTargetsTable {
  checkId: string;
  targetId: string;
  place: number;
  type: "scrape" | "crawl" | "search";
  /** The job that reads its pages. */
  jobId: string | null;
  state: "waiting" | "done";
  /** Results of that job that were compared. */
  compared: number;
  error: string | null;
}

export type CheckPageStatus = "same" | "new" | "changed" | "removed" | "error";

export interface MonitorCheckPagesTable {
  checkId: string;
  targetId: string;
  pageKey: string;
  /** 0, 1, 2 … over all targets of the check. */
  seq: number;
  id: string;
  url: string;
  status: CheckPageStatus;
  previousScrapeId: string | null;
  currentScrapeId: string | null;
  statusCode: number | null;
  error: string | null;
  createdAt: number;
  /** Metadata, judgment, diff and snapshot as JSON text, compressed. */
  encoding: string;
  sizeBytes: number;
  data: Uint8Array;
}

/** An address that a monitor's email may go to. */
export interface MonitorSubscriptionsTable {
  monitorId: string;
  /** In lower case. */
  email: string;
  status: "pending" | "confirmed" | "unsubscribed";
  /** Why it may get email: a member of the team, by its own consent, or from before consent was asked for. */
  source: "team" | "opt_in" | "legacy";
  createdAt: number;
  /** Of the email that asks for consent. */
  consentState: "none" | "due" | "sent" | "failed";
  consentAttempts: number;
  /** When it may be tried; while it is being sent, when others may take it over. */
  consentNextAt: number | null;
  /** The last check that it got an email about. */
  lastCheckId: string | null;
}

export interface MonitorTables {
  monitors: MonitorsTable;
  monitor_subscriptions: MonitorSubscriptionsTable;
  monitor_versions: MonitorVersionsTable;
  monitor_checks: MonitorChecksTable;
  monitor_check_targets: MonitorCheckTargetsTable;
  monitor_check_pages: MonitorCheckPagesTable;
}
