// What processes that share a database tell each other about jobs.
import type { Store } from "../store/index.ts";

export interface JobListeners {
  /** There may be something to do. */
  wake(): void;
  onChange(jobId: string): void;
  cancel(jobId: string): void;
}

export function createJobNotifier(notifier: Store["notifier"], { wake, onChange, cancel }: JobListeners) {
  function receive(word: string): void {
    const [what, jobId = ""] = word.split(" ");
    if (what === "cancelled") cancel(jobId);
    if (what === "changed" || what === "cancelled") onChange(jobId);
    wake();
  }

  return {
    subscribe: () => notifier?.subscribe(receive),
    isConnected: () => notifier?.isConnected() ?? false,
    publishWork: () => notifier?.publish("work"),
    publishChange: (jobId: string) => notifier?.publish(`changed ${jobId}`),
    publishCancelled: (jobId: string) => notifier?.publish(`cancelled ${jobId}`),
  };
}
