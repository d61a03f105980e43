// How a job ends, and why: with its last task, because this server cannot work on it, because it may start no further page, or
// because its caller cancels it; and how long it can be read then.
import { type ErrorCode, ServiceError } from "../../base/index.ts";
import type { Job, Statements } from "../../store/index.ts";
import { hasAnswer } from "./job-kinds.ts";
import type { Stop } from "./job-limits.ts";

export interface JobEnd {
  status: "completed" | "failed";
  finishedAt: number;
  expiresAt: number;
  secrets: null;
  warning?: string;
  error?: string;
  stopReason?: string;
}

/** Counters of a job as they will be after the transaction. */
export type JobCounters = Pick<
  Job,
  "id" | "kind" | "waiting" | "active" | "started" | "pageLimit" | "completed" | "failed" | "retentionMs"
>;

/** Failures of this server, not of pages. */
const ownFaults = ["INTERNAL_ERROR", "SCRAPE_WORKER_LOST"];
/** After so many pages that failed by this server's fault, and none that was read, the others are not tried. */
const hopelessFailures = 10;
const ownFaultMessage = "No page could be processed because of a fault in this server.";

type Kept = Pick<Job, "retentionMs">;

function completedAt(now: number, { retentionMs }: Kept): JobEnd {
  return { status: "completed", finishedAt: now, expiresAt: now + retentionMs, secrets: null };
}

export function failedAt(now: number, job: Kept, error: string): JobEnd {
  return { ...completedAt(now, job), status: "failed", error };
}

/** By a limit, or by what a page holds: what was read until then is what was asked for. */
export function limitedAt(now: number, job: Kept, stopReason: string): JobEnd {
  return { ...completedAt(now, job), stopReason };
}

/** Null while the job goes on. `hasFailures`: pages have failed just now, and their errors are written. */
export async function findEnd(
  statements: Pick<Statements, "jobPages" | "jobResults">,
  job: JobCounters,
  hasFailures: boolean,
  now: number,
): Promise<JobEnd | null> {
  const isFull = job.started >= job.pageLimit;
  const isOver = job.active === 0 ? job.waiting === 0 || isFull : isFull && (await looksForPagesOnly(statements, job));
  const isSuspect = job.completed === 0 && hasFailures && (isOver || job.failed >= hopelessFailures);
  if (isSuspect && (await statements.jobResults.hasOnlyErrors(job.id, ownFaults)))
    return failedAt(now, job, ownFaultMessage);
  return isOver ? completedAt(now, job) : null;
}

/** A job whose limit is filled, and that answers nothing, has no use for what its one other task may still find. */
async function looksForPagesOnly({ jobPages }: Pick<Statements, "jobPages">, job: JobCounters): Promise<boolean> {
  return !hasAnswer(job.kind) && job.active === 1 && !(await jobPages.hasActivePage(job.id));
}

/** What was read stays a success; a job that has nothing to show has failed. */
export function stoppedAt(
  now: number,
  job: Kept & Pick<Job, "completed" | "warning">,
  { reason, isLimit }: Stop,
): JobEnd {
  if (isLimit) return limitedAt(now, job, reason);
  return job.completed === 0
    ? failedAt(now, job, reason)
    : { ...completedAt(now, job), warning: joinWarnings(job.warning, reason) };
}

export function joinWarnings(said: string | null, warning: string): string {
  if (said === null) return warning;
  return said.includes(warning) ? said : `${said} ${warning}`;
}

/** Throws for a job that is gone, or whose results have expired. */
export function requireLiving<Kind extends Job>(
  job: Kind | null,
  now: number,
  code: ErrorCode = "JOB_NOT_FOUND",
): Kind {
  if (!job) throw new ServiceError(code);
  if (job.expiresAt !== null && job.expiresAt <= now) throw new ServiceError(code, "Job expired");
  return job;
}

/** In a transaction that has locked the job. */
export async function cancelRunning(statements: Statements, job: Job, now: number): Promise<void> {
  const end = { status: "cancelled", finishedAt: now, expiresAt: now + job.retentionMs, secrets: null } as const;
  await statements.jobs.change(job.id, { set: end });
  const { teamId, createdAt, activityRowId: rowId } = job;
  await statements.activity.setOutcome({ teamId, createdAt, rowId }, { outcome: "failed", endedAt: now });
}
