// The loop that works on jobs: it takes pages of running jobs in turn, has each performed, and settles what comes of it. Many
// workers may share one store; a worker that dies loses only its leases.
import { setTimeout as wait } from "node:timers/promises";
import {
  type Clock,
  createGroup,
  type Logger,
  minuteMs,
  newId,
  type Repetition,
  repeat,
  secondMs,
} from "../base/index.ts";
import type { ClaimedPage, RunningJob, Statements, Store } from "../store/index.ts";
import { claimPages, leaseMs } from "./claim.ts";
import { type Ended, type Settlement, settleJob } from "./settle.ts";
import type { Ending, FoundPage, Task } from "./task.ts";

export interface WorkerDeps<Rows> {
  store: Store;
  clock: Clock;
  log: Logger;
  /** Does the work on one page. What it throws is a failure of ours, and the page is tried again. */
  perform(task: Task, signal: AbortSignal, report: Report): Promise<Ending<Rows>>;
  /** Writes, in the settling transaction, what belongs to the pages beyond the job's own rows. */
  save(statements: Statements, settlements: readonly Settlement<Rows>[]): Promise<void>;
  /** Told after the commit. */
  onChange(jobId: string): void;
}

/** Takes pages in before the task that found them has ended. */
export type Report = (found: FoundPage[]) => Promise<void>;

export interface WorkerOptions {
  /** The same after a restart of this process, different from other processes' names: its old leases are taken back at once. */
  name: string;
  /** Pages in work at the same time. */
  concurrency: number;
  /** Pages of one team at the same time. */
  teamLimit: number;
}

export interface Worker {
  /** Takes back what this process held before its restart, then begins. */
  start(): Promise<void>;
  /** There may be something to do. */
  wake(): void;
  /** A job was cancelled: its pages are given up. */
  cancel(jobId: string): void;
  /** No further page is begun; those in work get `graceMs`, then they are put back. */
  stop(graceMs: number): Promise<void>;
}

const pollMs = 500;
const heartbeatMs = leaseMs / 3;
const sweepMs = 5 * secondMs;
/** Pages taken from one job before another has its turn. */
const portion = 8;
const sweepPortion = 200;
/** A page whose worker dies again and again may be what kills it. */
const maxLosses = 10;
const retryMs = [2 * secondMs, 10 * secondMs, minuteMs];
/** Pages that end together are followed by pages that are taken together. */
const gatherMs = 4;
/** How long pages that were told to stop may take for it. */
const stoppingMs = 5 * secondMs;
/** Addresses remembered per job, so that links that stand on every page are not asked about every time. */
const maxRemembered = 200_000;

export function createWorker<Rows>(deps: WorkerDeps<Rows>, options: WorkerOptions): Worker {
  const { store, clock, log } = deps;
  const owner = `${options.name}/${newId(clock.now())}`;
  const stopping = new AbortController();
  /** What is in work here, by job. */
  const inWork = new Map<string, JobInWork>();
  let active = 0;
  let isScheduling = false;
  let isAsked = false;
  let whenIdle: (() => void) | null = null;
  let duties: Repetition[] = [];

  const settle = createGroup<Ended<Rows>>(async (endings) => {
    const byJob = groupByJob(endings, ({ task }) => task);
    const settlements = await store.transaction(async (statements) => {
      const settled: Settlement<Rows>[] = [];
      // Always in the same order, so that two workers that settle the same jobs never wait for each other.
      for (const [jobId, group] of [...byJob].sort(([one], [two]) => (one < two ? -1 : 1))) {
        const settlement = await settleJob(statements, jobId, group, clock.now());
        if (settlement) settled.push(settlement);
      }
      await deps.save(statements, settled);
      return settled;
    });
    for (const { job } of settlements) deps.onChange(job.id);
  });

  async function work(task: Task, job: JobInWork): Promise<void> {
    let ending = await perform(task, job.controller.signal);
    if (stopping.signal.aborted && ending.kind !== "document") ending = { kind: "released" };
    const found = "found" in ending ? ending.found.filter(({ key }) => !job.remembered.has(key)) : [];
    if ("found" in ending) ending = { ...ending, found };
    for (let tries = 0; ; tries += 1) {
      try {
        await settle({ task, ending });
        for (const { key } of found) if (job.remembered.size < maxRemembered) job.remembered.add(key);
        return;
      } catch (error) {
        log.error({ err: error, jobId: task.jobId }, "a page could not be settled");
        // The store may be away for a moment; the lease is kept alive meanwhile, and lost if it takes too long.
        if (tries >= retryMs.length || stopping.signal.aborted) return;
        await pause(retryMs[tries] ?? minuteMs, stopping.signal);
      }
    }
  }

  async function perform(task: Task, signal: AbortSignal): Promise<Ending<Rows>> {
    try {
      return await deps.perform(task, signal, (found) =>
        settle({ task, ending: { kind: "progress", found, refused: [] } }),
      );
    } catch (error) {
      if (signal.aborted) return { kind: "released" };
      log.error({ err: error, jobId: task.jobId }, "a page could not be worked on");
      const notBefore = clock.now() + (retryMs[task.tries] ?? minuteMs);
      return { kind: "retry", notBefore, code: "INTERNAL_ERROR", message: "The page could not be worked on." };
    }
  }

  function begin(task: Task): void {
    const job = inWork.get(task.jobId) ?? { controller: new AbortController(), count: 0, remembered: new Set() };
    inWork.set(task.jobId, job);
    job.count += 1;
    active += 1;
    void work(task, job).finally(() => {
      active -= 1;
      job.count -= 1;
      if (job.count === 0) forgetLater(task.jobId, job);
      if (active === 0) whenIdle?.();
      wake();
    });
  }

  /** Takes pages of the jobs that have the least in work, until there is no room or nothing to take. */
  async function schedule(): Promise<void> {
    let jobs = await listStartable();
    while (jobs.length > 0 && active < options.concurrency && !stopping.signal.aborted) {
      const idle: RunningJob[] = [];
      for (const job of inTurn(jobs)) {
        const room = Math.min(portion, options.concurrency - active);
        if (room <= 0 || stopping.signal.aborted) break;
        const claim = { owner, room, teamLimit: options.teamLimit };
        const tasks = await store.transaction((statements) => claimPages(statements, job, claim, clock));
        for (const task of tasks) begin(task);
        if (tasks.length < room) idle.push(job);
      }
      jobs = jobs.filter((job) => !idle.includes(job));
    }
  }

  async function listStartable(): Promise<RunningJob[]> {
    const now = clock.now();
    const running = await store.jobs.listRunning();
    return running.filter(
      (job) => job.waiting > 0 && job.active < job.maxActive && job.started < job.pageLimit && job.nextStartAt <= now,
    );
  }

  /** Teams, then jobs, with the fewest pages in work first: a large crawl does not hold a small batch up. */
  function inTurn(jobs: readonly RunningJob[]): RunningJob[] {
    const perTeam = new Map<string, number>();
    for (const { teamId, active: count } of jobs) perTeam.set(teamId, (perTeam.get(teamId) ?? 0) + count);
    const ofTeam = ({ teamId }: RunningJob) => perTeam.get(teamId) ?? 0;
    return [...jobs].sort((one, two) => ofTeam(one) - ofTeam(two) || one.active - two.active);
  }

  async function run(): Promise<void> {
    isScheduling = true;
    try {
      while (isAsked && !stopping.signal.aborted) {
        await pause(gatherMs, stopping.signal);
        isAsked = false;
        await schedule();
      }
    } catch (error) {
      log.error({ err: error }, "pages could not be taken into work");
    } finally {
      isScheduling = false;
    }
  }

  function wake(): void {
    if (stopping.signal.aborted) return;
    isAsked = true;
    if (!isScheduling) void run();
  }

  /** Pages whose worker is gone wait again; what is lost too often is given up. */
  async function sweep(ownerPrefix: string | null): Promise<void> {
    for (;;) {
      const lost = await store.jobPages.listLost({ now: clock.now(), ownerPrefix, limit: sweepPortion });
      for (const [jobId, pages] of groupByJob(lost, (page) => page)) {
        const endings = pages.map((page) => ({ task: { ...page, teamId: "" }, ending: endingOfLost(page) }));
        await store.transaction(async (statements) => {
          const settlement = await settleJob<Rows>(statements, jobId, endings, clock.now());
          await deps.save(statements, settlement ? [settlement] : []);
        });
        deps.onChange(jobId);
      }
      if (lost.length > 0) wake();
      if (lost.length < sweepPortion) return;
    }
  }

  /** Jobs that another process cancelled. */
  async function dropCancelled(): Promise<void> {
    for (const jobId of [...inWork.keys()]) {
      const job = await store.jobs.read(jobId);
      if (!job || job.status !== "scraping") inWork.get(jobId)?.controller.abort();
    }
  }

  /** Until the job's next page: what was remembered of its addresses may still serve. */
  function forgetLater(jobId: string, job: JobInWork): void {
    setTimeout(() => {
      if (job.count === 0 && inWork.get(jobId) === job) inWork.delete(jobId);
    }, pollMs * 4).unref();
  }

  const failed = (what: string) => (error: unknown) => log.error({ err: error }, `${what} failed`);

  return {
    async start() {
      await sweep(`${options.name}/`);
      duties = [
        repeat(pollMs, async () => wake(), failed("looking for work")),
        repeat(secondMs, dropCancelled, failed("looking for cancelled jobs")),
        repeat(heartbeatMs, () => store.jobPages.extendLeases(owner, clock.now() + leaseMs), failed("keeping leases")),
        repeat(sweepMs, () => sweep(null), failed("taking lost pages back")),
      ];
    },
    wake,
    cancel(jobId) {
      inWork.get(jobId)?.controller.abort();
    },
    async stop(graceMs) {
      stopping.abort();
      const never = new AbortController().signal;
      const idle = new Promise<void>((done) => {
        whenIdle = done;
        if (active === 0) done();
      });
      await Promise.race([idle, pause(graceMs, never)]);
      for (const { controller } of inWork.values()) controller.abort();
      await Promise.race([idle, pause(stoppingMs, never)]);
      await Promise.all(duties.map((duty) => duty.stop()));
    },
  };
}

interface JobInWork {
  controller: AbortController;
  /** Pages in work here. */
  count: number;
  /** Keys of addresses that the job knows. */
  remembered: Set<string>;
}

function endingOfLost({ claims, tries }: ClaimedPage): Ending<never> {
  if (claims - tries < maxLosses) return { kind: "released" };
  const message = "The page was given up: its worker was lost again and again.";
  return { kind: "failed", code: "SCRAPE_WORKER_LOST", message, found: [], refused: [] };
}

function groupByJob<Item>(items: readonly Item[], leaseOf: (item: Item) => { jobId: string }): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const { jobId } = leaseOf(item);
    const group = groups.get(jobId);
    if (group) group.push(item);
    else groups.set(jobId, [item]);
  }
  return groups;
}

/** Ends early, without a word, when the signal does. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
