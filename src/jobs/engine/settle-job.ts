// The transaction that ends tasks: result, bill, found tasks and after move together or not at all. Each page has one
// result and one charge, however often it was fetched.
import { ServiceError } from "../../base/index.ts";
import type { Job, Statements } from "../../store/index.ts";
import { addFound } from "./found-tasks.ts";
import { failedAt, findEnd, limitedAt, stoppedAt } from "./job-end.ts";
import type { Stop } from "./job-limits.ts";
import { type Ended, openOutcomes, type SettledTask, settleTasks, type TaskOutcomes } from "./task-outcomes.ts";

export interface Settlement<Rows> {
  job: Job;
  tasks: SettledTask[];
  rows: Rows[];
  /** Keys of found tasks that the job knows now. */
  found: string[];
  /** To be called when the transaction is over. */
  onTaken: (() => void)[];
  /** The job's status tells how. */
  hasEnded: boolean;
  /** Something other than its own limits has stopped it. */
  stopped?: true;
}

/** Of tasks that wait for another try when their job ends: as many as an answer lists. */
const maxTriedListed = 10_000;

/** In a transaction. Null when the job is gone or over: then nothing is kept. */
export async function settleJob<Rows>(
  statements: Statements,
  jobId: string,
  endings: readonly Ended<Rows>[],
  now: number,
): Promise<Settlement<Rows> | null> {
  const job = await statements.jobs.lock(jobId);
  if (job?.status !== "scraping") return null;
  const outcomes = openOutcomes<Rows>(job, now);
  await settleTasks(statements, outcomes, endings);
  const found = await addFound(statements, outcomes);
  await statements.jobResults.insert(outcomes.results);
  await statements.jobResults.insertErrors(outcomes.errors);
  await statements.jobResults.insertRemoved(outcomes.removed);

  const { counts, fault, stopReason } = outcomes;
  // Counted from the end of a page, so that its requests are that far apart, however long each one took.
  if (counts.active < 0 && job.delayMs > 0) {
    outcomes.set.nextStartAt = Math.max(outcomes.set.nextStartAt ?? job.nextStartAt, now + job.delayMs);
  }
  const after = {
    ...job,
    waiting: job.waiting + counts.waiting,
    active: job.active + counts.active,
    started: job.started + counts.started,
    completed: job.completed + counts.completed,
    failed: job.failed + counts.failed,
  };
  const end =
    fault !== null
      ? { ...failedAt(now, job, fault), ...(stopReason === null ? {} : { stopReason }) }
      : stopReason !== null
        ? limitedAt(now, job, stopReason)
        : await findEnd(statements, after, counts.failed > 0, now);
  if (end !== null && after.waiting > 0) await listTried(statements, outcomes);
  const set = { ...outcomes.set, ...end };
  await statements.jobs.change(jobId, { ...counts, ...(Object.keys(set).length > 0 ? { set } : {}) });
  return {
    job: { ...job, ...set },
    tasks: outcomes.settled,
    rows: outcomes.rows,
    found,
    onTaken: outcomes.onTaken,
    hasEnded: end !== null,
  };
}

/** In a transaction. Ends a job that may start no further page; null when it is over, or active tasks are to end first. */
export async function stopJob(
  statements: Statements,
  jobId: string,
  stop: Stop,
  now: number,
): Promise<Settlement<never> | null> {
  const job = await statements.jobs.lock(jobId);
  if (job?.status !== "scraping" || job.pausedAt !== null || (job.active > 0 && !stop.cutsOff)) return null;
  const outcomes = openOutcomes<never>(job, now);
  await listTried(statements, outcomes);
  const set = stoppedAt(now, job, stop);
  await statements.jobs.change(jobId, { set });
  return {
    job: { ...job, ...set },
    tasks: outcomes.settled,
    rows: [],
    found: [],
    onTaken: [],
    hasEnded: true,
    ...(stop.isLimit ? {} : { stopped: true as const }),
  };
}

/**
 * A page that waits for another try gives its place in the limit to others. When they fill it, the page has no result and no
 * error yet, although its site was asked for it.
 */
async function listTried<Rows>(statements: Statements, { job, now, settled }: TaskOutcomes<Rows>): Promise<void> {
  const { code, message } = new ServiceError("SCRAPE_NOT_TRIED_AGAIN");
  const tried = await statements.jobPages.listTried(job.id, maxTriedListed);
  await statements.jobResults.insertErrors(
    tried.map(({ id, url }) => ({ jobId: job.id, id, at: now, url, code, message })),
  );
  settled.push(...tried.map((task) => ({ task, result: { code, message } })));
}
