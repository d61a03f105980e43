// The rows of jobs, their pages, results, errors and events, as they lie in the database.

/** What is to be done: read a page, read the sitemaps of a site, find the pages of a pattern, and so on. */
export type TaskKind = "page" | "sitemaps" | "gone" | "pattern" | "search" | "step" | "action" | "target" | "answer";

export type WebhookStatus = "pending" | "delivered" | "failed";

export interface JobsTable {
  id: string;
  teamId: string;
  keyId: string | null;
  kind: "crawl" | "batch" | "extract" | "agent" | "monitor";
  apiVersion: string;
  status: "scraping" | "completed" | "failed" | "cancelled";
  createdAt: number;
  finishedAt: number | null;
  expiresAt: number | null;
  /** Pages that may be started. */
  pageLimit: number;
  /** Pages at the same time. */
  maxActive: number;
  /** From the end of a page to the start of the next one; 0: none. */
  delayMs: number;
  nextStartAt: number;
  /** Pages that were accepted, but for those that turned out to be duplicates or out of scope. */
  known: number;
  /** Accepted, not started yet. */
  waiting: number;
  /** Read by a worker at present. */
  active: number;
  /** Counted towards the limit. */
  started: number;
  completed: number;
  failed: number;
  credits: number;
  scopeUrl: string;
  activityRowId: string;
  warning: string | null;
  error: string | null;
  /** Sealed text, or null; erased when the job ends. */
  secrets: string | null;
  /** Where its events go, sealed; kept as long as the job, because deliveries may come late. */
  webhook: string | null;
  /** JSON text without secrets. */
  options: string;
  /** Since when nothing more of it is started; null: it is not paused. */
  pausedAt: number | null;
  /** When it ends, finished or not; null: never. */
  stopAt: number | null;
  /** The limit that ended it. */
  stopReason: string | null;
  /** Credits that all its pages together may cost; null: no limit. */
  maxCredits: number | null;
  /** Once so many bytes have come, no further page is started; null: no limit. */
  maxBytes: number | null;
  /** Received for its pages. */
  bytes: number;
  /** The least that a page costs. */
  pagePrice: number;
  /** How long its results are kept after its end. */
  retentionMs: number;
  /** The first run of its thread; null for a first run, and for what is no agent. */
  threadId: string | null;
}

export interface JobPagesTable {
  jobId: string;
  pageKey: string;
  place: number;
  id: string;
  url: string;
  depth: number;
  task: TaskKind;
  /** Of an agent's step, and of what that step asked for. */
  step: number | null;
  state: "waiting" | "leased" | "done";
  tries: number;
  lostLeases: number;
  claims: number;
  notBefore: number;
  leaseOwner: string | null;
  leaseUntil: number | null;
  /** When the page changed at the latest, as a sitemap tells. */
  lastmod: number | null;
}

export interface JobResultsTable {
  jobId: string;
  /** 0, 1, 2 … without gaps. */
  seq: number;
  pageId: string;
  /** Of its document; '' for a page that has not changed, which has none. */
  blobId: string;
  /** Of the document as JSON text. */
  sizeBytes: number;
  /** What this reading adds to the document, as JSON text. */
  details: string;
}

export interface JobErrorsTable {
  jobId: string;
  /** The page's. */
  id: string;
  at: number;
  url: string;
  code: string;
  message: string;
}

export interface JobRemovedTable {
  jobId: string;
  pageKey: string;
  url: string;
}

export interface WebhookEventsTable {
  id: string;
  teamId: string;
  jobId: string;
  /** The order of a job's first attempts; it means nothing after them. */
  ordinal: number;
  type: string;
  createdAt: number;
  resultSeq: number | null;
  pageError: string | null;
  error: string | null;
  status: WebhookStatus;
  attempts: number;
  nextAt: number;
  lastStatus: number | null;
  lastError: string | null;
  doneAt: number | null;
  leaseOwner: string | null;
  leaseUntil: number | null;
}

export interface JobTables {
  jobs: JobsTable;
  job_pages: JobPagesTable;
  job_results: JobResultsTable;
  job_errors: JobErrorsTable;
  job_removed: JobRemovedTable;
  webhook_events: WebhookEventsTable;
}
