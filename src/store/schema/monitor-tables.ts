// Monitors, the page versions they saw last, and their checks.
import { type TableDefinitions, wordOf } from "./table-definition.ts";

export type CheckStatus =
  | "queued"
  | "running"
  | "completed"
  | "failed"
  | "partial"
  | "skipped_overlap"
  | "skipped_no_credits";

export type CheckPageStatus = "same" | "new" | "changed" | "removed" | "error";

export const monitorTables = {
  monitors: {
    id: "text not null primary key",
    teamId: "text not null",
    keyId: "text",
    name: "text not null",
    status: wordOf<"active" | "paused" | "deleted">(),
    cron: "text not null",
    timezone: "text not null",
    /** Added to each time of the schedule, so that monitors without a named time do not start in one second. */
    jitterMs: "bigint not null default 0",
    /** Null while it is paused. */
    nextRunAt: "bigint",
    /** When nextRunAt was worked out: later than now means that the clock was set back. */
    scheduledAt: "bigint not null",
    lastRunAt: "bigint",
    currentCheckId: "text",
    /** As its callers see it, JSON text without secrets. */
    shown: "text not null",
    /** Targets with their secrets, webhook and the token of the feed: sealed. */
    sealed: "text not null",
    retentionDays: "bigint not null",
    creditsPerCheck: "bigint not null",
    runsPerMonth: "bigint not null",
    baseUrl: "text not null",
    /** Numbers of the last check that ended, JSON text. */
    lastSummary: "text",
    createdAt: "bigint not null",
    updatedAt: "bigint not null",
  },
  /** The last version of a page that a monitor saw. */
  monitor_versions: {
    monitorId: "text not null",
    targetId: "text not null",
    pageKey: "text not null",
    url: "text not null",
    state: wordOf<"present" | "removed">(),
    /** Links from the start of its crawl. */
    depth: "bigint not null",
    seenAt: "bigint not null",
    /** The last check that found it, at whatever state. */
    checkId: "text not null",
    scrapeId: "text",
    encoding: "text not null",
    sizeBytes: "bigint not null",
    data: "bytes not null",
    primaryKey: ["monitorId", "targetId", "pageKey"],
  },
  monitor_checks: {
    id: "text not null primary key",
    monitorId: "text not null",
    teamId: "text not null",
    status: wordOf<CheckStatus>(),
    trigger: wordOf<"scheduled" | "manual">(),
    scheduledFor: "bigint",
    createdAt: "bigint not null",
    startedAt: "bigint",
    finishedAt: "bigint",
    updatedAt: "bigint not null",
    expiresAt: "bigint not null",
    estimatedCredits: "bigint not null",
    /** For what the check itself paid: searches and judgments. Pages are paid by the jobs that read them. */
    ownCredits: "bigint not null default 0",
    actualCredits: "bigint",
    total: "bigint not null default 0",
    same: "bigint not null default 0",
    changed: "bigint not null default 0",
    added: "bigint not null default 0",
    removed: "bigint not null default 0",
    failed: "bigint not null default 0",
    error: "text",
    warning: "text",
    mailState: wordOf<"none" | "due" | "sent" | "failed">(),
    mailAttempts: "bigint not null default 0",
    /** When it may be tried; while it is being sent, when others may take it over. */
    mailNextAt: "bigint",
  },
  monitor_check_targets: {
    checkId: "text not null",
    targetId: "text not null",
    place: "bigint not null",
    type: wordOf<"scrape" | "crawl" | "search">(),
    /** The job that reads its pages. */
    jobId: "text",
    state: wordOf<"waiting" | "done">(),
    /** Results of that job that were compared. */
    compared: "bigint not null default 0",
    error: "text",
    clusteredKey: ["checkId", "targetId"],
  },
  monitor_check_pages: {
    checkId: "text not null",
    targetId: "text not null",
    pageKey: "text not null",
    /** 0, 1, 2 … over all targets of the check. */
    seq: "bigint not null",
    id: "text not null",
    url: "text not null",
    status: wordOf<CheckPageStatus>(),
    previousScrapeId: "text",
    currentScrapeId: "text",
    statusCode: "bigint",
    error: "text",
    createdAt: "bigint not null",
    /** Metadata, judgment, diff and snapshot as JSON text, compressed. */
    encoding: "text not null",
    sizeBytes: "bigint not null",
    data: "bytes not null",
    primaryKey: ["checkId", "targetId", "pageKey"],
  },
} as const satisfies TableDefinitions;

export const monitorIndexes = [
  "create index monitors_of_team on monitors (team_id, created_at)",
  "create index monitors_due on monitors (next_run_at) where status = 'active'",
  "create index monitors_scheduled on monitors (scheduled_at) where status = 'active'",
  "create index monitors_deleted on monitors (id) where status = 'deleted'",
  "create index monitor_checks_of_monitor on monitor_checks (monitor_id, created_at)",
  "create index monitor_checks_by_expiry on monitor_checks (expires_at)",
  "create index monitor_checks_open on monitor_checks (id) where finished_at is null",
  "create index monitor_checks_mail on monitor_checks (mail_next_at) where mail_state = 'due'",
  "create unique index monitor_check_pages_order on monitor_check_pages (check_id, seq)",
];
