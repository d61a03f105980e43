// The limits that a caller sets for a job: credits, time and bytes. Whichever is reached first ends it.
import type { Job } from "../../store/index.ts";

/** Why a job starts no further task. */
export interface Stop {
  reason: string;
  /** The caller's own limit: what was read is a success, however little that is. */
  isLimit: boolean;
  /** Active tasks are given up, too; otherwise they end first. */
  cutsOff: boolean;
}

/** The wire names them by these words: credit, second, byte. */
export const creditsSpent: Stop = {
  reason: "The job reached maxCredits: another page would cost more credits than it may use.",
  isLimit: true,
  cutsOff: false,
};
export const timeSpent: Stop = {
  reason: "The job reached maxSeconds: it has run for as many seconds as it may.",
  isLimit: true,
  cutsOff: true,
};
const bytesSpent: Stop = {
  reason: "The job reached maxBytes: it has received as many bytes as it may.",
  isLimit: true,
  cutsOff: false,
};

/** Time or bytes that are used up; null while there is some of both. */
export function findSpent(job: Pick<Job, "stopAt" | "maxBytes" | "bytes">, now: number): Stop | null {
  if (job.stopAt !== null && job.stopAt <= now) return timeSpent;
  return job.maxBytes !== null && job.bytes >= job.maxBytes ? bytesSpent : null;
}

type Budget = Pick<Job, "maxCredits" | "credits" | "pagePrice" | "started" | "completed" | "failed">;

/** Active pages have reserved the least that each can cost. */
function reservedCredits({ pagePrice, started, completed, failed }: Budget): number {
  return Math.max(0, started - completed - failed) * pagePrice;
}

/** Pages that may be started on the job's own credits. */
export function countBudgeted(job: Budget): number {
  if (job.maxCredits === null) return Number.POSITIVE_INFINITY;
  return Math.floor((job.maxCredits - job.credits - reservedCredits(job)) / job.pagePrice);
}

/** Whether a page that was read can be paid without what other active pages have reserved; `job` does not count it any more. */
export function fitsBudget(job: Budget, credits: number): boolean {
  return job.maxCredits === null || job.credits + credits + reservedCredits(job) <= job.maxCredits;
}
