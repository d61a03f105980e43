// The tasks that this process performs, job by job.
import { setMaxListeners } from "node:events";
import { secondMs } from "../../base/index.ts";

/** One job's tasks in this process. */
export interface ActiveJob {
  /** Aborted when the job ends or is cancelled. */
  controller: AbortController;
  tasks: number;
  /** Keys that the job knows. */
  remembered: Set<string>;
}

/** Keys remembered of all jobs, so that links found on every page are not looked up every time. */
const maxRemembered = 200_000;
/** A job's keys are remembered for this long after its latest task. */
const rememberMs = 2 * secondMs;

export type ActiveJobs = ReturnType<typeof createActiveJobs>;

export function createActiveJobs() {
  const jobs = new Map<string, ActiveJob>();
  let remembered = 0;

  function open(jobId: string): ActiveJob {
    const job = jobs.get(jobId) ?? { controller: createController(), tasks: 0, remembered: new Set() };
    jobs.set(jobId, job);
    return job;
  }

  function forgetLater(jobId: string, job: ActiveJob): void {
    setTimeout(() => {
      if (job.tasks > 0 || jobs.get(jobId) !== job) return;
      jobs.delete(jobId);
      remembered -= job.remembered.size;
    }, rememberMs).unref();
  }

  return {
    /** One more task of the job begins. */
    enter(jobId: string): ActiveJob {
      const job = open(jobId);
      job.tasks += 1;
      return job;
    },

    leave(jobId: string, job: ActiveJob): void {
      job.tasks -= 1;
      if (job.tasks === 0) forgetLater(jobId, job);
    },

    count: (jobId: string): number => jobs.get(jobId)?.tasks ?? 0,

    remember(jobId: string, keys: readonly string[]): void {
      const job = jobs.get(jobId);
      if (!job) return;
      for (const key of keys) {
        if (remembered >= maxRemembered || job.remembered.has(key)) continue;
        job.remembered.add(key);
        remembered += 1;
      }
    },

    abort(jobId: string): void {
      jobs.get(jobId)?.controller.abort();
    },

    /** Also for tasks that were claimed just now and are about to begin. */
    cancel(jobId: string): void {
      const job = open(jobId);
      job.controller.abort();
      if (job.tasks === 0) forgetLater(jobId, job);
    },

    abortAll(): void {
      for (const { controller } of jobs.values()) controller.abort();
    },
  };
}

/** Every active task may listen to its signal. */
export function createController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
