// What is known of a job, and what may change.
import type { RowOf } from "../schema/tables.ts";

export type Job = RowOf<"jobs">;
export type JobKind = Job["kind"];
export type JobStatus = Job["status"];

/** Added to by the pages of a job. */
export const counters = ["known", "waiting", "active", "started", "completed", "failed", "credits", "bytes"] as const;
type Counter = (typeof counters)[number];

const notStarted = {
  status: "scraping",
  finishedAt: null,
  expiresAt: null,
  nextStartAt: 0,
  warning: null,
  error: null,
  pausedAt: null,
  stopReason: null,
  ...{ known: 0, waiting: 0, active: 0, started: 0, completed: 0, failed: 0, credits: 0, bytes: 0 },
} as const satisfies Partial<Job>;

export type NewJob = Omit<Job, keyof typeof notStarted | "threadId"> & Partial<Pick<Job, "threadId">>;

/** Counters and the limit are added to, the rest is set. */
export interface JobChanges extends Partial<Pick<Job, Counter | "pageLimit">> {
  set?: Partial<
    Pick<Job, Exclude<keyof typeof notStarted, Counter> | "delayMs" | "maxActive" | "scopeUrl" | "secrets" | "stopAt">
  >;
}

export function startedJob(job: NewJob): Job {
  return { ...notStarted, threadId: null, ...job };
}
