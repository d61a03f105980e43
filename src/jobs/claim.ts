// The transaction that takes pages into work, within the limits of the job and of its team over all processes.
import { type Clock, secondMs } from "../base/index.ts";
import type { RunningJob, Statements } from "../store/index.ts";
import type { Task } from "./task.ts";

/** A worker that shows no sign of life for so long has lost its pages. */
export const leaseMs = 30 * secondMs;

export interface ClaimOptions {
  owner: string;
  /** Pages that the worker has room for. */
  room: number;
  /** Pages of one team at the same time, over all its jobs and all processes. */
  teamLimit: number;
}

/** In a transaction. */
export async function claimPages(
  statements: Statements,
  { id }: RunningJob,
  { owner, room, teamLimit }: ClaimOptions,
  clock: Clock,
): Promise<Task[]> {
  const now = clock.now();
  const job = await statements.jobs.lock(id);
  if (!job || job.status !== "scraping" || job.nextStartAt > now) return [];
  const team = await statements.jobs.countOfTeam(job.teamId);
  const limit = Math.min(
    room,
    job.maxActive - job.active,
    teamLimit - team.active,
    job.pageLimit - job.started,
    job.delayMs > 0 ? 1 : room,
  );
  if (limit <= 0) return [];
  const leaseUntil = now + leaseMs;
  const pages = await statements.jobPages.claim({ jobId: id, owner, leaseUntil, now, limit });
  if (pages.length === 0) return [];
  const started = pages.filter(({ kind }) => kind === "page").length;
  const count = { waiting: -pages.length, active: pages.length, started };
  const pause = job.delayMs > 0 ? { set: { nextStartAt: now + job.delayMs } } : {};
  await statements.jobs.change(id, { ...count, ...pause });
  return pages.map((page) => ({ ...page, teamId: job.teamId }));
}
