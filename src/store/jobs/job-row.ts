// What is known of a job, and its row.
import type { JobsTable } from "../schema/job-tables.ts";

export type JobKind = JobsTable["kind"];
export type JobStatus = "scraping" | "completed" | "failed" | "cancelled";

export interface NewJob {
  id: string;
  teamId: string;
  keyId: string | null;
  kind: JobKind;
  apiVersion: string;
  createdAt: number;
  /** Pages that may be started. */
  pageLimit: number;
  /** Pages at the same time. */
  maxActive: number;
  /** From the end of a page to the start of the next one; 0: none. */
  delayMs: number;
  scopeUrl: string;
  activityRowId: string;
  /** Sealed text, or null; erased when the job ends. */
  secrets: string | null;
  /** Where its events go, sealed; kept as long as the job, because deliveries may come late. */
  webhook: string | null;
  /** JSON text without secrets. */
  options: string;
  /** The least that a page costs. */
  pagePrice: number;
  /** Credits that all its pages together may cost; null: no limit. */
  maxCredits: number | null;
  /** Once so many bytes have come, no further page is started; null: no limit. */
  maxBytes: number | null;
  /** When it ends, finished or not; null: never. */
  stopAt: number | null;
  /** How long its results are kept after its end. */
  retentionMs: number;
}

export interface Job extends NewJob {
  status: JobStatus;
  finishedAt: number | null;
  expiresAt: number | null;
  nextStartAt: number;
  /** Pages that were accepted, but for those that turned out to be others' duplicates or not for us. */
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
  /** Received for its pages. */
  bytes: number;
  warning: string | null;
  error: string | null;
  /** Since when nothing more of it is started; null: it goes on. */
  pausedAt: number | null;
  /** The limit that ended it. */
  stopReason: string | null;
}

/** Counters are added to, the rest is set. */
export interface JobChanges {
  known?: number;
  waiting?: number;
  active?: number;
  started?: number;
  completed?: number;
  failed?: number;
  credits?: number;
  bytes?: number;
  pageLimit?: number;
  set?: Partial<
    Pick<
      Job,
      | "status"
      | "finishedAt"
      | "expiresAt"
      | "nextStartAt"
      | "delayMs"
      | "maxActive"
      | "scopeUrl"
      | "warning"
      | "error"
      | "secrets"
      | "pausedAt"
      | "stopAt"
      | "stopReason"
    >
  >;
}

export const jobColumns = [
  "id",
  "teamId",
  "keyId",
  "kind",
  "apiVersion",
  "status",
  "createdAt",
  "finishedAt",
  "expiresAt",
  "pageLimit",
  "maxActive",
  "delayMs",
  "nextStartAt",
  "known",
  "waiting",
  "active",
  "started",
  "completed",
  "failed",
  "credits",
  "scopeUrl",
  "activityRowId",
  "warning",
  "error",
  "secrets",
  "webhook",
  "options",
  "pagePrice",
  "maxCredits",
  "maxBytes",
  "bytes",
  "stopAt",
  "stopReason",
  "pausedAt",
  "retentionMs",
] as const;

export function toRow(job: NewJob) {
  return {
    id: job.id,
    teamId: job.teamId,
    keyId: job.keyId,
    kind: job.kind,
    apiVersion: job.apiVersion,
    status: "scraping" as const,
    createdAt: job.createdAt,
    finishedAt: null,
    expiresAt: null,
    pageLimit: job.pageLimit,
    maxActive: job.maxActive,
    delayMs: job.delayMs,
    nextStartAt: 0,
    known: 0,
    waiting: 0,
    active: 0,
    started: 0,
    completed: 0,
    failed: 0,
    credits: 0,
    scopeUrl: job.scopeUrl,
    activityRowId: job.activityRowId,
    warning: null,
    error: null,
    secrets: job.secrets,
    webhook: job.webhook,
    options: job.options,
    pausedAt: null,
    stopAt: job.stopAt,
    stopReason: null,
    maxCredits: job.maxCredits,
    maxBytes: job.maxBytes,
    bytes: 0,
    pagePrice: job.pagePrice,
    retentionMs: job.retentionMs,
  } satisfies JobsTable;
}

export function toColumns(set: NonNullable<JobChanges["set"]>): Partial<JobsTable> {
  const names: Partial<JobsTable> = {};
  if (set.status !== undefined) names.status = set.status;
  if (set.finishedAt !== undefined) names.finishedAt = set.finishedAt;
  if (set.expiresAt !== undefined) names.expiresAt = set.expiresAt;
  if (set.nextStartAt !== undefined) names.nextStartAt = set.nextStartAt;
  if (set.delayMs !== undefined) names.delayMs = set.delayMs;
  if (set.maxActive !== undefined) names.maxActive = set.maxActive;
  if (set.scopeUrl !== undefined) names.scopeUrl = set.scopeUrl;
  if (set.warning !== undefined) names.warning = set.warning;
  if (set.error !== undefined) names.error = set.error;
  if (set.secrets !== undefined) names.secrets = set.secrets;
  if (set.pausedAt !== undefined) names.pausedAt = set.pausedAt;
  if (set.stopAt !== undefined) names.stopAt = set.stopAt;
  if (set.stopReason !== undefined) names.stopReason = set.stopReason;
  return names;
}
