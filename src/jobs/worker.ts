// The loop that works on jobs: it takes pages of running jobs in turn, has each performed, and settles what comes of it. Many
// workers may share one store; a worker that dies loses only its leases.
import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { createGroup, type Repetition, repeat, secondMs } from "../base/index.ts";
import type { RunningJob } from "../store/index.ts";
import { type CountAffordable, claimPages } from "./claim.ts";
import type { Owner } from "./owner.ts";
import type { Ended } from "./settle.ts";
import { createSettler, isAway, type SettlerDeps } from "./settler.ts";
import type { Ending, FoundPage, Task } from "./task.ts";

export interface WorkerDeps<Rows> extends SettlerDeps<Rows> {
  /** Does the work on one page. What it throws is a failure of ours, and the page is tried again. */
  perform(task: Task, signal: AbortSignal, report: Report): Promise<Ending<Rows>>;
  countAffordable: CountAffordable;
}

/** Takes pages in before the task that found them has ended. */
export type Report = (found: FoundPage[]) => Promise<void>;

export interface WorkerOptions {
  owner: Owner;
  /** Pages in work at the same time. */
  concurrency: number;
  /** Pages of one team at the same time, over all workers. */
  teamLimit: number;
  /** A worker that shows no sign of life for so long has lost its pages. */
  leaseMs: number;
}

export interface Worker {
  /** Begins, first with what processes of this machine held when they ended. */
  start(): void;
  /** There may be something to do. */
  wake(): void;
  /** A job was cancelled: its pages are given up. */
  cancel(jobId: string): void;
  /** No further page is begun; those in work get `graceMs`, then they are put back. */
  stop(graceMs: number): Promise<void>;
}

/** What is in work here of one job. */
interface JobInWork {
  controller: AbortController;
  /** Pages. */
  count: number;
  /** Keys of addresses that the job knows. */
  remembered: Set<string>;
}

const pollMs = 500;
const cancelledMs = secondMs;
/** Pages taken from one job before another has its turn. */
const portion = 8;
/** Other workers may change when a page is due, so a job without due pages is looked at again after this time. */
const longestQuietMs = 5 * secondMs;
/** Until the next try of a page that our own failure ended, by the tries before. */
const failedMs = [2 * secondMs, 10 * secondMs];
const firstSettleAgainMs = 200;
const longestSettleAgainMs = 10 * secondMs;
/** Nobody waits for one page of a job: under load pages are settled together, so that several share a transaction. */
const settleGatherMs = 20;
/** Pages that end together are followed by pages that are taken together. */
const gatherMs = 4;
/** How long pages that were told to stop may take for it. */
const stoppingMs = 3 * secondMs;
/** Addresses remembered of all jobs, so that links that stand on every page are not asked about every time. */
const maxRemembered = 200_000;
/** A job's addresses are remembered so long after its latest page. */
const rememberMs = 2 * secondMs;

export function createWorker<Rows>(deps: WorkerDeps<Rows>, options: WorkerOptions): Worker {
  const { store, clock, log } = deps;
  const { owner, concurrency, teamLimit, leaseMs } = options;
  const { settle, stop: stopJob, sweep } = createSettler(deps);
  const settleTogether = createGroup<Ended<Rows>>(settleAndRemember, settleGatherMs);
  /** Nothing more is begun. */
  const stopping = new AbortController();
  /** Nothing more is written. */
  const closing = createController();
  const held = new Set<Task>();
  const inWork = new Map<string, JobInWork>();
  /** Jobs of which no page is due, with the number that waited then. */
  const quiet = new Map<string, { waiting: number; until: number }>();
  /** In which turn each job was asked for pages last. */
  const served = new Map<string, number>();
  let turns = 0;
  let remembered = 0;
  let scheduling: Promise<void> | null = null;
  let isAsked = false;
  let isStarted = false;
  let isStoreAway = false;
  let wakeTimer: NodeJS.Timeout | undefined;
  let whenIdle: (() => void) | null = null;
  let duties: Repetition[] = [];

  async function settleAndRemember(endings: readonly Ended<Rows>[]): Promise<void> {
    for (const { job, found, hasEnded } of await settle(endings)) {
      // It may have ended while others of its pages are in work.
      if (hasEnded) inWork.get(job.id)?.controller.abort();
      const keys = inWork.get(job.id)?.remembered;
      for (const key of keys ? found : []) {
        if (remembered >= maxRemembered || keys?.has(key)) continue;
        keys?.add(key);
        remembered += 1;
      }
    }
  }

  async function work(task: Task, job: JobInWork): Promise<void> {
    let ending = await perform(task, job.controller.signal);
    // What is worth keeping is kept; the rest is done again elsewhere.
    if (stopping.signal.aborted && ending.kind !== "document") ending = { kind: "released" };
    if ("found" in ending) ending = { ...ending, found: ending.found.filter(({ key }) => !job.remembered.has(key)) };
    let failures = 0;
    for (let tries = 0; !closing.signal.aborted; tries += 1) {
      try {
        const settlePage = failures === 0 ? settleTogether : (ended: Ended<Rows>) => settleAndRemember([ended]);
        return await settlePage({ task, ending });
      } catch (error) {
        if (tries === 0 || !isAway(error)) log.error({ err: error, jobId: task.jobId }, "a page could not be settled");
        // The store may be away for a while: until another worker has the page, the ending holds. Any other failure may be
        // that of a page in the same group; one that fails alone, too, cannot be kept.
        if (!isAway(error)) failures += 1;
        if (failures > 1) ending = notSaved;
        await pause(Math.min(firstSettleAgainMs * 2 ** tries, longestSettleAgainMs), closing.signal);
      }
    }
  }

  async function perform(task: Task, signal: AbortSignal): Promise<Ending<Rows>> {
    const report: Report = (found) => settleTogether({ task, ending: { kind: "progress", found, refused: [] } });
    try {
      return await deps.perform(task, signal, report);
    } catch (error) {
      if (signal.aborted) return { kind: "released" };
      log.error({ err: error, jobId: task.jobId }, "a page could not be worked on");
      const notBefore = clock.now() + (failedMs[task.tries] ?? 0);
      return { kind: "retry", notBefore, code: "INTERNAL_ERROR", message: "The page could not be worked on." };
    }
  }

  function openJob(jobId: string): JobInWork {
    const job = inWork.get(jobId) ?? { controller: createController(), count: 0, remembered: new Set() };
    inWork.set(jobId, job);
    return job;
  }

  function begin(task: Task): void {
    const job = openJob(task.jobId);
    job.count += 1;
    held.add(task);
    void work(task, job).finally(() => {
      held.delete(task);
      job.count -= 1;
      if (job.count === 0) forgetLater(task.jobId, job);
      if (held.size === 0) whenIdle?.();
      wake();
    });
  }

  function forgetLater(jobId: string, job: JobInWork): void {
    setTimeout(() => {
      if (job.count > 0 || inWork.get(jobId) !== job) return;
      inWork.delete(jobId);
      remembered -= job.remembered.size;
    }, rememberMs).unref();
  }

  /** Takes pages of the jobs that have the least in work, until there is no room or nothing to take. */
  async function schedule(): Promise<void> {
    const running = await store.jobs.listRunning();
    const perTeam = new Map<string, number>();
    for (const { teamId, active } of running) perTeam.set(teamId, (perTeam.get(teamId) ?? 0) + active);
    const ofTeam = ({ teamId }: RunningJob) => perTeam.get(teamId) ?? 0;
    const servedAt = ({ id }: RunningJob) => served.get(id) ?? 0;
    let jobs = findStartable(running);
    while (jobs.length > 0) {
      // Teams, then jobs, with the fewest pages in work first, then whoever waited longest: a large crawl whose pages all end
      // at once does not hold a small batch up.
      jobs.sort((one, two) => ofTeam(one) - ofTeam(two) || one.active - two.active || servedAt(one) - servedAt(two));
      const next: RunningJob[] = [];
      for (const job of jobs) {
        const room = Math.min(portion, concurrency - held.size);
        if (room <= 0 || stopping.signal.aborted) return;
        if (ofTeam(job) >= teamLimit) continue;
        const count = await take(job, room);
        turns += 1;
        served.set(job.id, turns);
        perTeam.set(job.teamId, ofTeam(job) + count);
        if (count === room) next.push({ ...job, active: job.active + count });
      }
      jobs = next;
    }
  }

  /** Takes pages of a job into work; says how many. */
  async function take(job: RunningJob, room: number): Promise<number> {
    const claim = { owner: owner.name, room, teamLimit, leaseMs, countAffordable: deps.countAffordable };
    const {
      tasks,
      quiet: rest,
      isUnpayable,
    } = await store.transaction((all) => claimPages(all, job, claim, clock.now()));
    if (rest) quiet.set(job.id, { ...rest, until: Math.min(rest.until, clock.now() + longestQuietMs) });
    if (isUnpayable) await stopJob(job.id, creditsUsedUp);
    if (stopping.signal.aborted) {
      await Promise.all(tasks.map((task) => settleTogether({ task, ending: { kind: "released" } })));
    } else for (const task of tasks) begin(task);
    return tasks.length;
  }

  /** Those of which a page may be taken now; for the others sets the alarm. */
  function findStartable(running: readonly RunningJob[]): RunningJob[] {
    const now = clock.now();
    const ids = new Set(running.map(({ id }) => id));
    for (const known of [quiet, served]) for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    let nextAt = Number.POSITIVE_INFINITY;
    const startable = running.filter((job) => {
      if (job.waiting === 0 || job.active >= job.maxActive || job.started >= job.pageLimit) return false;
      const silence = quiet.get(job.id);
      const dueAt = Math.max(job.nextStartAt, silence?.waiting === job.waiting ? silence.until : 0);
      if (dueAt > now) nextAt = Math.min(nextAt, dueAt);
      return dueAt <= now;
    });
    clearTimeout(wakeTimer);
    if (nextAt - now < pollMs) wakeTimer = setTimeout(wake, nextAt - now).unref();
    return startable;
  }

  async function run(): Promise<void> {
    try {
      while (isAsked && !stopping.signal.aborted) {
        await pause(gatherMs, stopping.signal);
        isAsked = false;
        await schedule();
        isStoreAway = false;
      }
    } catch (error) {
      // A store that is away is reported once, not at every turn.
      if (!isStoreAway) log.error({ err: error }, "pages could not be taken into work");
      isStoreAway = isAway(error);
    } finally {
      scheduling = null;
    }
  }

  function wake(): void {
    if (!isStarted || stopping.signal.aborted) return;
    isAsked = true;
    scheduling ??= run();
  }

  /** Jobs that another process cancelled. */
  async function dropCancelled(): Promise<void> {
    const ids = [...new Set([...held].map(({ jobId }) => jobId))];
    const running = await store.jobs.filterRunning(ids);
    for (const id of ids) if (!running.has(id)) inWork.get(id)?.controller.abort();
  }

  /** Only what is in work: a page of which nobody here knows, because its claim's answer was lost, is taken back in time. */
  function keepLeases(): Promise<void> {
    const ids = [...held].map(({ id }) => id);
    return store.jobPages.extendLeases(owner.name, ids, clock.now() + leaseMs);
  }

  /** Pages whose lease has run out, and those of processes of this machine that have ended. */
  async function takeBack(): Promise<void> {
    const owners = await store.jobPages.listOwners(owner.prefix);
    if (await sweep(owners.filter(owner.isGone))) wake();
  }

  const failed = (what: string) => (error: unknown) => {
    if (!isStoreAway) log.error({ err: error }, `${what} failed`);
  };

  return {
    start() {
      isStarted = true;
      duties = [
        repeat(pollMs, async () => wake(), failed("looking for work")),
        repeat(cancelledMs, dropCancelled, failed("looking for cancelled jobs")),
        repeat(leaseMs / 3, keepLeases, failed("keeping leases")),
        repeat(leaseMs / 6, takeBack, failed("taking lost pages back")),
      ];
    },
    wake,
    cancel(jobId) {
      // Also for pages that were claimed just now and are about to begin.
      const job = openJob(jobId);
      job.controller.abort();
      if (job.count === 0) forgetLater(jobId, job);
    },
    async stop(graceMs) {
      stopping.abort();
      clearTimeout(wakeTimer);
      const idle = new Promise<void>((done) => {
        whenIdle = done;
        if (held.size === 0) done();
      });
      const ended = Promise.all([scheduling?.catch(() => undefined), idle]);
      const never = new AbortController().signal;
      await Promise.race([ended, pause(graceMs, never)]);
      for (const { controller } of inWork.values()) controller.abort();
      await Promise.race([ended, pause(stoppingMs, never)]);
      closing.abort();
      await Promise.all(duties.map((duty) => duty.stop()));
    },
  };
}

const creditsUsedUp = "The team's credits are used up: the pages that were left were not read.";

const notSaved = {
  kind: "failed",
  code: "INTERNAL_ERROR",
  message: "The page could not be saved.",
  found: [],
  refused: [],
} satisfies Ending<never>;

/** Whose signal all pages in work may listen to. */
function createController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Ends early, without a word, when the signal does. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
