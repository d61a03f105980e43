// Performs one task and settles its ending, however long the store is unreachable.
import { setTimeout as wait } from "node:timers/promises";
import { type Clock, createGroup, type Logger, runStage, secondMs } from "../../base/index.ts";
import type { ActiveJob, ActiveJobs } from "./active-jobs.ts";
import type { Settlement } from "./settle-job.ts";
import { isAway } from "./settler.ts";
import { type Ending, failed, type PerformTask, type Report, type Task } from "./task.ts";
import type { Ended } from "./task-outcomes.ts";

export interface TaskRunnerDeps<Rows> {
  clock: Clock;
  log: Logger;
  jobs: ActiveJobs;
  perform: PerformTask<Rows>;
  trace: TraceTask;
  settle(endings: readonly Ended<Rows>[]): Promise<Settlement<Rows>[]>;
  /** Nothing more is begun. */
  stopping: AbortSignal;
  /** Nothing more is written. */
  closing: AbortSignal;
}

/** Runs the work on a task, and may keep how long its parts took. */
export type TraceTask = <Result>(task: Task, work: () => Promise<Result>) => Promise<Result>;

/** Until the next try of a task that this server's own failure ended, by the tries before. */
const failedMs = [2 * secondMs, 10 * secondMs];
const firstSettleAgainMs = 200;
const longestSettleAgainMs = 10 * secondMs;
/** No caller waits for a single page of a job: under load tasks are settled together, so that several share a transaction. */
const settleGatherMs = 40;

export function createTaskRunner<Rows>(deps: TaskRunnerDeps<Rows>) {
  const { clock, log, jobs, stopping, closing } = deps;
  const settleTogether = createGroup<Ended<Rows>>(settleAndRemember, settleGatherMs);

  async function settleAndRemember(endings: readonly Ended<Rows>[]): Promise<void> {
    for (const { job, found, hasEnded } of await deps.settle(endings)) {
      // It may have ended while others of its tasks are active.
      if (hasEnded) jobs.abort(job.id);
      jobs.remember(job.id, found);
    }
  }

  async function perform(task: Task, signal: AbortSignal): Promise<Ending<Rows>> {
    const report: Report = (found) => settleTogether({ task, ending: { kind: "progress", found, refused: [] } });
    try {
      return await deps.perform(task, signal, report);
    } catch (error) {
      if (signal.aborted) return { kind: "released" };
      log.error({ err: error, jobId: task.jobId }, "a task failed unexpectedly");
      const notBefore = clock.now() + (failedMs[task.tries] ?? 0);
      return { kind: "retry", notBefore, code: "INTERNAL_ERROR", message: "The page could not be processed." };
    }
  }

  /** What is worth keeping when this process stops is kept; the rest is done again elsewhere. */
  function keptEnding(ending: Ending<Rows>, job: ActiveJob): Ending<Rows> {
    if (stopping.aborted && ending.kind !== "document") return { kind: "released" };
    if (!("found" in ending) || ending.found.length === 0) return ending;
    return { ...ending, found: ending.found.filter(({ key }) => !job.remembered.has(key)) };
  }

  async function settle(task: Task, performed: Ending<Rows>): Promise<void> {
    let ending = performed;
    let failures = 0;
    for (let tries = 0; !closing.aborted; tries += 1) {
      try {
        const settleTask = failures === 0 ? settleTogether : (ended: Ended<Rows>) => settleAndRemember([ended]);
        return await settleTask({ task, ending });
      } catch (error) {
        if (tries === 0 || !isAway(error)) log.error({ err: error, jobId: task.jobId }, "a task could not be settled");
        // The store may be away for a while: until another worker has the task, the ending holds. Any other failure may be
        // that of another task in the group; one that also fails alone cannot be kept.
        if (!isAway(error)) failures += 1;
        if (failures > 1) ending = failed("INTERNAL_ERROR", "The page could not be saved.");
        await pause(Math.min(firstSettleAgainMs * 2 ** tries, longestSettleAgainMs), closing);
      }
    }
  }

  return {
    async run(task: Task, job: ActiveJob): Promise<void> {
      await deps.trace(task, async () => {
        const ending = keptEnding(await perform(task, job.controller.signal), job);
        await runStage("store", () => settle(task, ending));
      });
    },

    /** Tasks that were claimed and are not begun. */
    async release(tasks: readonly Task[]): Promise<void> {
      await Promise.all(tasks.map((task) => settleTogether({ task, ending: { kind: "released" } })));
    },
  };
}

/** Ends early, without an error, when the signal fires. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
