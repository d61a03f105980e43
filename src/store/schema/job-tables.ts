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
  pageLimit: number;
  maxActive: number;
  delayMs: number;
  nextStartAt: number;
  known: number;
  waiting: number;
  active: number;
  started: number;
  completed: number;
  failed: number;
  credits: number;
  scopeUrl: string;
  activityRowId: string;
  warning: string | null;
  error: string | null;
  secrets: string | null;
  webhook: string | null;
  options: string;
  /** Since when nothing more of it is started. */
  pausedAt: number | null;
  /** When it ends, finished or not. */
  stopAt: number | null;
  stopReason: string | null;
  maxCredits: number | null;
  maxBytes: number | null;
  bytes: number;
  pagePrice: number;
  retentionMs: number;
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
  seq: number;
  pageId: string;
  blobId: string;
  sizeBytes: number;
  details: string;
}

export interface JobErrorsTable {
  jobId: string;
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
