// The transaction that takes tasks into work, within the limits of the job and of its team over all processes.
import type { Credits } from "../../accounts/index.ts";
import type { ClaimedPage, Job, RunningJob, Statements } from "../../store/index.ts";
import { hasAnswer } from "./job-kinds.ts";
import { countBudgeted, creditsSpent, findSpent, type Stop } from "./job-limits.ts";
import type { Task } from "./task.ts";

export interface ClaimOptions {
  owner: string;
  /** Tasks that the worker has room for. */
  room: number;
  /** Tasks of one team at the same time, over all its jobs and all processes. */
  teamLimit: number;
  leaseMs: number;
  countAffordable: CountAffordable;
}

/** Pages that the job's team can still pay for. What is in progress, over all its jobs, counts as paid. */
export type CountAffordable = (statements: Statements, job: Job, active: number) => Promise<number>;

export interface Claim {
  tasks: Task[];
  /** Tasks that still wait, when none of them may begin before `until`. */
  quiet: { waiting: number; until: number } | null;
  /** The job may start no further task, and those in progress, which might still cost nothing, have ended or end with it. */
  stop: Stop | null;
}

const nothing: Claim = { tasks: [], quiet: null, stop: null };
const creditsUsedUp: Stop = {
  reason: "The team has no credits left: the remaining pages were not read.",
  isLimit: false,
  cutsOff: false,
};

/** In a transaction. */
export async function claimPages(
  statements: Statements,
  { id, teamId }: RunningJob,
  { owner, room, teamLimit, leaseMs, countAffordable }: ClaimOptions,
  now: number,
): Promise<Claim> {
  // The team first: two workers that claim from two of its jobs at once would each miss the other's tasks in their count.
  await statements.teams.lock(teamId);
  const locked = await statements.jobs.lockWithTeam(id);
  if (locked?.job.status !== "scraping" || locked.job.pausedAt !== null) return nothing;
  const { job, teamActive } = locked;
  const budgeted = countBudgeted(job);
  const spent = findSpent(job, now) ?? (budgeted <= 0 ? creditsSpent : null);
  if (spent) return { ...nothing, stop: spent.cutsOff || job.active === 0 ? spent : null };
  if (job.nextStartAt > now) return nothing;
  const wanted = Math.min(
    room,
    job.maxActive - job.active,
    teamLimit - teamActive,
    job.pageLimit - job.started,
    budgeted,
    job.delayMs > 0 ? 1 : room,
  );
  if (wanted <= 0) return nothing;
  const limit = Math.min(wanted, await countAffordable(statements, job, teamActive));
  if (limit <= 0) return { ...nothing, stop: teamActive === 0 ? creditsUsedUp : null };
  const pages = await statements.jobPages.claim({ jobId: id, owner, leaseUntil: now + leaseMs, now, limit });
  const waiting = job.waiting - pages.length;
  const until = pages.length < limit && waiting > 0 ? await statements.jobPages.nextDue(id) : null;
  if (pages.length > 0) {
    const started = pages.filter(({ kind }) => kind === "page").length;
    const count = { waiting: -pages.length, active: pages.length, started };
    const pause = job.delayMs > 0 ? { set: { nextStartAt: now + job.delayMs } } : {};
    await statements.jobs.change(id, { ...count, ...pause });
  }
  return {
    tasks: pages.map((page) => toTask(page, job)),
    quiet: until === null ? null : { waiting, until },
    stop: null,
  };
}

/** A row was written from a task, so its step fits its kind. */
function toTask(page: ClaimedPage, { teamId, scopeUrl }: Pick<Job, "teamId" | "scopeUrl">): Task {
  return { teamId, scopeUrl, ...page } as Task;
}

/** How many pages of a job may still be started on the team's credits. */
export function createPageCounter(credits: Credits): CountAffordable {
  return async (statements, job, active) => {
    // A job with an answer has its own limits, and must answer from what it has read.
    if (!credits.isLimited || hasAnswer(job.kind)) return Number.POSITIVE_INFINITY;
    return (await credits.countPages(statements, job.teamId, job.pagePrice)) - active;
  };
}
