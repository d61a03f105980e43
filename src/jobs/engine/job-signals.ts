// What the parts of this process, and other processes on the same database, tell each other about jobs. A lost message only
// costs time: whoever waits for one also polls.
import type { Store } from "../../store/index.ts";

/** Several processes may work on a job, so waiting callers poll again after this time. */
const lookMs = 1000;

export interface JobListener {
  /** There may be tasks to perform. */
  onWork?(): void;
  /** There may be webhook events to deliver. */
  onEvents?(): void;
  /** The job was cancelled: its active tasks count for nothing. */
  onCancelled?(jobId: string): void;
}

export type JobSignals = ReturnType<typeof createJobSignals>;

/** `notifier` null: no other process shares the store. */
export function createJobSignals(notifier: Store["notifier"]) {
  const listeners = new Set<JobListener>();
  /** Callers that wait for a job. Changes by this process wake them immediately, those by others at the next poll. */
  const waiting = new Map<string, Set<() => void>>();

  function tell(jobId: string, { isCancelled }: { isCancelled: boolean }): void {
    if (isCancelled) for (const listener of listeners) listener.onCancelled?.(jobId);
    const waiters = waiting.get(jobId) ?? [];
    waiting.delete(jobId);
    for (const wake of waiters) wake();
  }

  function tellWork(): void {
    for (const listener of listeners) listener.onWork?.();
  }

  function tellEvents(): void {
    for (const listener of listeners) listener.onEvents?.();
  }

  function receive(message: string): void {
    const [what, jobId = ""] = message.split(" ");
    if (what === "changed" || what === "cancelled") tell(jobId, { isCancelled: what === "cancelled" });
    tellWork();
    tellEvents();
  }

  return {
    subscribe: (listener: JobListener) => void listeners.add(listener),
    /** Receives what other processes publish from now on. */
    connect: () => notifier?.subscribe(receive),
    /** Whether messages of other processes arrive at present. */
    isConnected: () => notifier?.isConnected() ?? false,

    publishWork(): void {
      tellWork();
      notifier?.publish("work");
    },

    /** To this process only: others poll for events. */
    publishEvents: tellEvents,

    publishChange(jobId: string): void {
      tell(jobId, { isCancelled: false });
      notifier?.publish(`changed ${jobId}`);
    },

    publishCancelled(jobId: string): void {
      tell(jobId, { isCancelled: true });
      notifier?.publish(`cancelled ${jobId}`);
    },

    /** Resolves when something may have changed, or when the signal fires. */
    next(jobId: string, signal: AbortSignal): Promise<void> {
      return new Promise((done) => {
        const waiters = waiting.get(jobId) ?? new Set();
        waiting.set(jobId, waiters);
        const end = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", end);
          waiters.delete(end);
          if (waiters.size === 0 && waiting.get(jobId) === waiters) waiting.delete(jobId);
          done();
        };
        const timer = setTimeout(end, lookMs);
        waiters.add(end);
        signal.addEventListener("abort", end, { once: true });
        if (signal.aborted) end();
      });
    },
  };
}
