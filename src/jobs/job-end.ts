// How a job ends, and why: with its last task, because this server cannot work on it, or because it may start no further page.
import { type Job, resultAgeMs, type Statements } from "../store/index.ts";
import { hasAnswer } from "./job-kinds.ts";

export interface JobEnd {
  status: "completed" | "failed";
  finishedAt: number;
  expiresAt: number;
  secrets: null;
  warning?: string;
  error?: string;
}

/** Counters of a job as they will be after the transaction. */
export type Standing = Pick<
  Job,
  "id" | "kind" | "waiting" | "active" | "started" | "pageLimit" | "completed" | "failed"
>;

/** Failures of this server, not of pages. */
const ownFaults = ["INTERNAL_ERROR", "SCRAPE_WORKER_LOST"];
/** After so many pages that failed by this server's fault, and none that was read, the others are not tried. */
const hopelessFailures = 10;
const ownFaultMessage = "No page could be processed because of a fault in this server.";

function completedAt(now: number): JobEnd {
  return { status: "completed", finishedAt: now, expiresAt: now + resultAgeMs, secrets: null };
}

export function failedAt(now: number, error: string): JobEnd {
  return { ...completedAt(now), status: "failed", error };
}

/** Null while the job goes on. `hasFailures`: pages have failed just now, and their errors are written. */
export async function findEnd(
  statements: Pick<Statements, "jobPages" | "jobResults">,
  job: Standing,
  hasFailures: boolean,
  now: number,
): Promise<JobEnd | null> {
  const isFull = job.started >= job.pageLimit;
  const isOver = job.active === 0 ? job.waiting === 0 || isFull : isFull && (await looksForPagesOnly(statements, job));
  const isSuspect = job.completed === 0 && hasFailures && (isOver || job.failed >= hopelessFailures);
  if (isSuspect && (await statements.jobResults.hasOnlyErrors(job.id, ownFaults)))
    return failedAt(now, ownFaultMessage);
  return isOver ? completedAt(now) : null;
}

/** A job whose limit is filled, and that answers nothing, has no use for what its one other task may still find. */
async function looksForPagesOnly({ jobPages }: Pick<Statements, "jobPages">, job: Standing): Promise<boolean> {
  return !hasAnswer(job.kind) && job.active === 1 && !(await jobPages.hasPageInWork(job.id));
}

/** What was read stays a success; a job that has nothing to show has failed. */
export function stoppedAt(now: number, job: Pick<Job, "completed" | "warning">, reason: string): JobEnd {
  return job.completed === 0
    ? failedAt(now, reason)
    : { ...completedAt(now), warning: joinWarnings(job.warning, reason) };
}

export function joinWarnings(said: string | null, warning: string): string {
  if (said === null) return warning;
  return said.includes(warning) ? said : `${said} ${warning}`;
}
