// What the parts of this process, and other processes on the same database, tell each other about jobs. A lost message only
// costs time: whoever waits for one also polls.
import type { Store } from "../../store/index.ts";

export interface JobListener {
  /** There may be tasks to perform. */
  onWork?(): void;
  /** There may be webhook events to deliver. */
  onEvents?(): void;
  onChange?(jobId: string): void;
  /** The job was cancelled: its active tasks count for nothing. */
  onCancelled?(jobId: string): void;
}

export type JobSignals = ReturnType<typeof createJobSignals>;

/** `notifier` null: no other process shares the store. */
export function createJobSignals(notifier: Store["notifier"]) {
  const listeners = new Set<JobListener>();

  function tell(jobId: string, { isCancelled }: { isCancelled: boolean }): void {
    for (const listener of listeners) {
      if (isCancelled) listener.onCancelled?.(jobId);
      listener.onChange?.(jobId);
    }
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
  };
}
