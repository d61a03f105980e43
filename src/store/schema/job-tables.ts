// Jobs, their tasks (frontier and queue in one) and their results.
import { type TableDefinitions, wordOf } from "./table-definition.ts";

/** What is to be done: read a page, read the sitemaps of a site, find the pages of a pattern, and so on. */
export type TaskKind = "page" | "sitemaps" | "gone" | "pattern" | "search" | "step" | "action" | "target" | "answer";

export const jobTables = {
  jobs: {
    id: "text primary key",
    teamId: "text not null",
    keyId: "text",
    kind: wordOf<"crawl" | "batch" | "extract" | "agent" | "monitor" | "research" | "llmstxt">(),
    apiVersion: "text not null",
    status: wordOf<"scraping" | "completed" | "failed" | "cancelled">(),
    createdAt: "bigint not null",
    finishedAt: "bigint",
    expiresAt: "bigint",
    /** Pages that may be started. */
    pageLimit: "bigint not null",
    /** Pages at the same time. */
    maxActive: "bigint not null",
    /** From the end of a page to the start of the next one; 0: none. */
    delayMs: "bigint not null",
    nextStartAt: "bigint not null default 0",
    /** Pages that were accepted, but for those that turned out to be duplicates or out of scope. */
    known: "bigint not null default 0",
    /** Accepted, not started yet. */
    waiting: "bigint not null default 0",
    /** Read by a worker at present. */
    active: "bigint not null default 0",
    /** Counted towards the limit. */
    started: "bigint not null default 0",
    completed: "bigint not null default 0",
    failed: "bigint not null default 0",
    credits: "bigint not null default 0",
    scopeUrl: "text not null",
    activityRowId: "text not null",
    warning: "text",
    error: "text",
    /** Sealed text, or null; erased when the job ends. */
    secrets: "text",
    /** Where its events go, sealed; kept as long as the job, because deliveries may come late. */
    webhook: "text",
    /** JSON text without secrets. */
    options: "text not null",
    /** Since when nothing more of it is started; null: it is not paused. */
    pausedAt: "bigint",
    /** When it ends, finished or not; null: never. */
    stopAt: "bigint",
    /** The limit that ended it. */
    stopReason: "text",
    /** Credits that all its pages together may cost; null: no limit. */
    maxCredits: "bigint",
    /** Once so many bytes have come, no further page is started; null: no limit. */
    maxBytes: "bigint",
    /** Received for its pages. */
    bytes: "bigint not null default 0",
    /** The least that a page costs. */
    pagePrice: "bigint not null default 1",
    /** How long its results are kept after its end. */
    retentionMs: "bigint not null default 86400000",
  },
  idempotency_keys: {
    teamId: "text not null",
    endpoint: "text not null",
    idempotencyKey: "text not null",
    jobId: "text not null",
    createdAt: "bigint not null",
    primaryKey: ["teamId", "endpoint", "idempotencyKey"],
  },
  // In the order of arrival: pages that are claimed and ended together share blocks of the file.
  job_pages: {
    jobId: "text not null",
    pageKey: "text not null",
    place: "bigint not null",
    id: "text not null",
    url: "text not null",
    depth: "bigint not null",
    task: wordOf<TaskKind>(),
    /** Of an agent's step, and of what that step asked for. */
    step: "bigint",
    state: wordOf<"waiting" | "leased" | "done">(),
    tries: "bigint not null default 0",
    lostLeases: "bigint not null default 0",
    claims: "bigint not null default 0",
    notBefore: "bigint not null default 0",
    leaseOwner: "ordered_text",
    leaseUntil: "bigint",
    /** When the page changed at the latest, as a sitemap tells. */
    lastmod: "bigint",
    primaryKey: ["jobId", "pageKey"],
  },
  job_results: {
    jobId: "text not null",
    /** 0, 1, 2 … without gaps. */
    seq: "bigint not null",
    pageId: "text not null",
    /** Of its document; '' for a page that has not changed, which has none. */
    blobId: "text not null",
    /** Of the document as JSON text. */
    sizeBytes: "bigint not null",
    /** What this reading adds to the document, as JSON text. */
    details: "text not null",
    clusteredKey: ["jobId", "seq"],
  },
  job_errors: {
    jobId: "text not null",
    /** The page's. */
    id: "text not null",
    at: "bigint not null",
    url: "text not null",
    code: "text not null",
    message: "text not null",
    clusteredKey: ["jobId", "id"],
  },
  job_removed: {
    jobId: "text not null",
    pageKey: "text not null",
    url: "text not null",
    clusteredKey: ["jobId", "pageKey"],
  },
} as const satisfies TableDefinitions;

export const jobIndexes = [
  "create index jobs_running on jobs (team_id, created_at) where status = 'scraping'",
  "create index jobs_by_expiry on jobs (expires_at)",
  // Agents and crawls are also listed after their end, other jobs only while they run.
  "create index jobs_agents on jobs (team_id, created_at) where kind = 'agent'",
  "create index jobs_crawls on jobs (team_id, created_at, id) where kind = 'crawl'",
  "create index idempotency_keys_by_age on idempotency_keys (created_at)",
  "create index job_pages_waiting on job_pages (job_id, place) where state = 'waiting'",
  "create index job_pages_leased on job_pages (lease_owner, lease_until) where state = 'leased'",
  // Page ids grow with time, so new entries are written side by side.
  "create index job_results_of_page on job_results (page_id)",
];
