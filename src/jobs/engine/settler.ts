// Settles tasks of several jobs at once, and takes back the tasks of workers that are gone.
import { type Clock, type Logger, ServiceError } from "../../base/index.ts";
import type { Job, Statements, Store } from "../../store/index.ts";
import type { Stop } from "./job-limits.ts";
import { type Settlement, settleJob, stopJob } from "./settle-job.ts";
import type { Ended } from "./task-outcomes.ts";

export interface SettlerDeps<Rows> {
  store: Store;
  clock: Clock;
  log: Logger;
  /** Writes, in the settling transaction, what belongs to the tasks beyond the job's own rows. */
  save(statements: Statements, settlements: readonly Settlement<Rows>[]): Promise<void>;
  /** Told after the commit. */
  onChange(job: Pick<Job, "id" | "webhook">): void;
  /** Told after the commit which rows were kept. */
  onKept?(rows: readonly Rows[]): void;
}

const sweepBatch = 200;

export function createSettler<Rows>({ store, clock, log, save, onChange, onKept }: SettlerDeps<Rows>) {
  /** All in one transaction. What it answers has been kept. */
  async function settle(endings: readonly Ended<Rows>[]): Promise<Settlement<Rows>[]> {
    // Always in the same order, so that two workers that settle the same jobs never wait for each other.
    const byJob = [...groupByJob(endings)].sort(([one], [two]) => (one < two ? -1 : 1));
    const settlements = await store.transaction(async (statements) => {
      const settled: Settlement<Rows>[] = [];
      for (const [jobId, group] of byJob) {
        const settlement = await settleJob(statements, jobId, group, clock.now());
        if (settlement) settled.push(settlement);
      }
      await save(statements, settled);
      return settled;
    });
    onKept?.(settlements.flatMap(({ rows }) => rows));
    for (const taken of settlements.flatMap(({ onTaken }) => onTaken)) taken();
    for (const { job } of settlements) onChange(job);
    return settlements;
  }

  return {
    settle,

    /** Ends a job that may start no further page; false when it goes on, because it is over or has active tasks. */
    async stop(jobId: string, stop: Stop): Promise<boolean> {
      const settlement = await store.transaction(async (statements) => {
        const stopped = await stopJob(statements, jobId, stop, clock.now());
        if (stopped) await save(statements, [stopped]);
        return stopped;
      });
      if (settlement) onChange(settlement.job);
      return settlement !== null;
    },

    /** Tasks whose lease has run out, or whose owner is one of these, wait again; says how many. */
    async sweep(owners: readonly string[]): Promise<number> {
      for (let found = 0; ; ) {
        const lost = await store.jobPages.listLost({ now: clock.now(), owners, limit: sweepBatch });
        let isStuck = false;
        const endings = lost.map((task) => ({ task, ending: { kind: "lost" } }) as const);
        for (const [jobId, group] of groupByJob<Rows>(endings)) {
          try {
            await settle(group);
          } catch (error) {
            if (isAway(error)) throw error;
            // One job that cannot be settled keeps no other from it.
            log.error({ err: error, jobId }, "lost tasks could not be taken back");
            isStuck = true;
          }
        }
        found += lost.length;
        if (lost.length < sweepBatch || isStuck) return found;
      }
    },
  };
}

/** The storage cannot serve now; later it will. */
export function isAway(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "STORE_UNAVAILABLE";
}

function groupByJob<Rows>(endings: readonly Ended<Rows>[]): Map<string, Ended<Rows>[]> {
  const groups = new Map<string, Ended<Rows>[]>();
  for (const ended of endings) {
    const group = groups.get(ended.task.jobId);
    if (group) group.push(ended);
    else groups.set(ended.task.jobId, [ended]);
  }
  return groups;
}
