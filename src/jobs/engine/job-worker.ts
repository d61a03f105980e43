// The loop that works on jobs: it takes tasks of running jobs in turn, has each performed, and settles the result. Many
// workers may share one store; a worker that dies loses only its leases.
import { type Owner, type Repetition, repeat, secondMs } from "../../base/index.ts";
import { createActiveJobs, createController } from "./active-jobs.ts";
import type { CountAffordable } from "./claim.ts";
import type { Stop } from "./job-limits.ts";
import { createScheduler } from "./scheduler.ts";
import { createSettler, isAway, type SettlerDeps } from "./settler.ts";
import type { PerformTask, Task } from "./task.ts";
import { createTaskRunner, pause, type TraceTask } from "./task-runner.ts";

export interface WorkerDeps<Rows> extends SettlerDeps<Rows> {
  perform: PerformTask<Rows>;
  /** Absent when tracing is off. */
  trace?: TraceTask;
  countAffordable: CountAffordable;
}

export interface WorkerOptions {
  owner: Owner;
  /** Tasks performed at the same time. */
  concurrency: number;
  /** Tasks of one team at the same time, over all workers. */
  teamLimit: number;
  /** A worker that does not renew its leases for this long loses its tasks. */
  leaseMs: number;
  /** Whether others tell this process of new work: then it looks less often. */
  isTold?: () => boolean;
}

export interface Worker {
  /** Begins with what processes of this machine held when they ended. */
  start(): void;
  /** There may be something to do. */
  wake(): void;
  /** Tasks under leases of this process, how many it takes at most, and those it took back since it started. */
  load(): { held: number; limit: number; lost: number };
  /** A job was cancelled: its tasks are given up. */
  cancel(jobId: string): void;
  /** No further task is begun; active ones get `graceMs`, then they are put back. */
  stop(graceMs: number): Promise<void>;
}

const pollMs = 500;
/** Who is told of new work looks by itself at every so many polls. */
const toldPolls = 10;
const cancelledMs = secondMs;
/** Tasks that end together free places that are filled together. */
const gatherMs = 4;
/** How long tasks that were told to stop may take for it. */
const stoppingMs = 3 * secondMs;

/** Of the tasks that a worker takes, as many as may be of one job or of one host: a quarter is left to others. */
export function withoutReserve(concurrency: number): number {
  return concurrency - Math.floor(concurrency / 4);
}

export function createWorker<Rows>(deps: WorkerDeps<Rows>, options: WorkerOptions): Worker {
  const { store, clock, log } = deps;
  const { owner, concurrency, teamLimit, leaseMs, isTold = () => false } = options;
  const { settle, stop, sweep } = createSettler(deps);
  /** Nothing more is begun. */
  const stopping = new AbortController();
  /** Nothing more is written. */
  const closing = createController();
  const held = new Set<Task>();
  const jobs = createActiveJobs();
  const trace: TraceTask = deps.trace ?? ((_task, work) => work());
  const signals = { stopping: stopping.signal, closing: closing.signal };
  const runner = createTaskRunner<Rows>({ clock, log, jobs, perform: deps.perform, trace, settle, ...signals });
  const mostOfJob = withoutReserve(concurrency);
  const schedule = createScheduler(
    {
      store,
      clock,
      stopJob,
      begin,
      countRoom: () => concurrency - held.size,
      countRoomOf: (jobId) => mostOfJob - jobs.count(jobId),
      stopping: stopping.signal,
    },
    { owner: owner.name, teamLimit, leaseMs, countAffordable: deps.countAffordable },
  );
  const wake = createWakeUp(schedule, {
    isStopping: () => stopping.signal.aborted,
    beforeEach: () => pause(gatherMs, stopping.signal),
    onFailure: (error) => log.error({ err: error }, "tasks could not be taken into work"),
    now: () => clock.now(),
  });
  let whenIdle: (() => void) | null = null;
  let duties: Repetition[] = [];
  let polls = 0;
  let lostTasks = 0;

  /** Active tasks of a job that was cut off are given up: they would count for nothing. */
  async function stopJob(jobId: string, why: Stop): Promise<void> {
    if (await stop(jobId, why)) jobs.abort(jobId);
  }

  async function begin(tasks: readonly Task[]): Promise<void> {
    if (stopping.signal.aborted) await runner.release(tasks);
    else for (const task of tasks) beginOne(task);
  }

  function beginOne(task: Task): void {
    const job = jobs.enter(task.jobId);
    held.add(task);
    void runner.run(task, job).finally(() => {
      held.delete(task);
      jobs.leave(task.jobId, job);
      if (held.size === 0) whenIdle?.();
      wake.now();
    });
  }

  /** Jobs that another process cancelled. */
  async function dropCancelled(): Promise<void> {
    const ids = [...new Set([...held].map(({ jobId }) => jobId))];
    const running = await store.jobs.filterRunning(ids);
    for (const id of ids) if (!running.has(id)) jobs.abort(id);
  }

  async function poll(): Promise<void> {
    polls += 1;
    if (!isTold() || polls % toldPolls === 0) wake.now();
  }

  /** Only active tasks: one that is unknown here, because the response to its claim was lost, is taken back in time. */
  function keepLeases(): Promise<void> {
    const ids = [...held].map(({ id }) => id);
    return store.jobPages.extendLeases(owner.name, ids, clock.now() + leaseMs);
  }

  /**
   * Tasks whose lease has run out, and those of processes of this machine that have ended. The own leases first: after a long
   * halt, of a slow disk for example, this worker would take its own tasks away from itself.
   */
  async function takeBack(): Promise<void> {
    await keepLeases();
    const owners = await store.jobPages.listOwners(owner.prefix);
    const lost = await sweep(owners.filter(owner.isGone));
    lostTasks += lost;
    if (lost > 0) wake.now();
  }

  const logged = (what: string) => (error: unknown) => {
    if (!wake.isStoreAway()) log.error({ err: error }, `${what} failed`);
  };

  return {
    start() {
      wake.start();
      duties = [
        repeat(pollMs, poll, logged("looking for work")),
        repeat(cancelledMs, dropCancelled, logged("looking for cancelled jobs")),
        repeat(leaseMs / 6, takeBack, logged("renewing leases and taking lost tasks back")),
      ];
    },
    wake: wake.now,
    load: () => ({ held: held.size, limit: concurrency, lost: lostTasks }),
    cancel: jobs.cancel,
    async stop(graceMs) {
      stopping.abort();
      const idle = new Promise<void>((done) => {
        whenIdle = done;
        if (held.size === 0) done();
      });
      const ended = Promise.all([wake.stop(), idle]);
      const never = new AbortController().signal;
      await Promise.race([ended, pause(graceMs, never)]);
      jobs.abortAll();
      await Promise.race([ended, pause(stoppingMs, never)]);
      closing.abort();
      await Promise.all(duties.map((duty) => duty.stop()));
    },
  };
}

interface AlarmOptions {
  isStopping(): boolean;
  /** Gathers what else may ask meanwhile. */
  beforeEach(): Promise<void>;
  onFailure(error: unknown): void;
  now(): number;
}

/** Runs `schedule` as often as it is asked to, one run at a time, and when the next job is due. */
function createWakeUp(schedule: (onDue: (at: number) => void) => Promise<void>, options: AlarmOptions) {
  let running: Promise<void> | null = null;
  let isStarted = false;
  let isAsked = false;
  let isStoreAway = false;
  let timer: NodeJS.Timeout | undefined;

  function now(): void {
    if (!isStarted || options.isStopping()) return;
    isAsked = true;
    running ??= run();
  }

  function wakeAt(at: number): void {
    clearTimeout(timer);
    const ms = at - options.now();
    if (ms < toldPolls * pollMs) timer = setTimeout(now, ms).unref();
  }

  async function run(): Promise<void> {
    try {
      while (isAsked && !options.isStopping()) {
        await options.beforeEach();
        isAsked = false;
        await schedule(wakeAt);
        isStoreAway = false;
      }
    } catch (error) {
      // An unreachable store is reported once, not every time.
      if (!isStoreAway) options.onFailure(error);
      isStoreAway = isAway(error);
    } finally {
      running = null;
    }
  }

  return {
    start: () => {
      isStarted = true;
    },
    now,
    isStoreAway: () => isStoreAway,
    /** Resolves when the last run has ended. */
    async stop(): Promise<void> {
      clearTimeout(timer);
      await running?.catch(() => undefined);
    },
  };
}
