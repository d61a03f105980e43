// Pausing a job: active tasks end, and nothing more is started until it is resumed. The row says so, so that it holds for
// every process and survives all of them.
import type { Caller } from "../../accounts/index.ts";
import { type Clock, ServiceError } from "../../base/index.ts";
import type { OperationOutput } from "../../contract/index.ts";
import type { Job, JobKind, Statements, Store } from "../../store/index.ts";
import { requireLiving } from "./job-end.ts";
import { newEvent } from "./job-events.ts";
import { shownSettings } from "./job-settings.ts";
import type { JobSignals } from "./job-signals.ts";

export interface JobPauserDeps {
  store: Store;
  clock: Clock;
  signals: Pick<JobSignals, "publishChange" | "publishEvents" | "publishWork">;
}

type Paused = OperationOutput<"pauseCrawl">;

export function createJobPauser({ store, clock, signals }: JobPauserDeps) {
  async function set(kind: JobKind, id: string, { teamId }: Caller, paused: boolean): Promise<Paused> {
    const now = clock.now();
    const hasChanged = await store.transaction(async (statements) => {
      const found = await statements.jobs.lock(id);
      const job = requireLiving(found?.teamId === teamId && found.kind === kind ? found : null, now);
      if (job.status !== "scraping") throw new ServiceError("JOB_ALREADY_ENDED", "The job has ended.");
      if ((job.pausedAt !== null) === paused) return false;
      await statements.jobs.change(id, { set: paused ? { pausedAt: now } : resumed(job, now) });
      await tell(statements, job, paused ? "paused" : "resumed", now);
      return true;
    });
    if (hasChanged) {
      signals.publishChange(id);
      signals.publishEvents();
      signals.publishWork();
    }
    return { success: true, status: "scraping", paused };
  }

  return {
    pause: (kind: JobKind, id: string, caller: Caller) => set(kind, id, caller, true),
    resume: (kind: JobKind, id: string, caller: Caller) => set(kind, id, caller, false),
  };
}

/** The time in which nothing was started does not count. */
function resumed({ stopAt, pausedAt }: Job, now: number) {
  return { pausedAt: null, ...(stopAt === null ? {} : { stopAt: stopAt + now - (pausedAt ?? now) }) };
}

async function tell(statements: Statements, job: Job, name: "paused" | "resumed", now: number): Promise<void> {
  if (job.webhook === null || !shownSettings(job).events.includes(name)) return;
  await statements.webhooks.enqueue([newEvent(job, name, now)]);
}
