// What processes that share a database tell each other about jobs.
import type { Store } from "../store/index.ts";

export interface JobListeners {
  /** There may be something to do. */
  wake(): void;
  onChange(jobId: string): void;
  cancel(jobId: string): void;
}

export function createJobNotifier(notifier: Store["bell"], { wake, onChange, cancel }: JobListeners) {
  function receive(word: string): void {
    const [what, jobId = ""] = word.split(" ");
    if (what === "cancelled") cancel(jobId);
    if (what === "changed" || what === "cancelled") onChange(jobId);
    wake();
  }

  return {
    subscribe: () => notifier?.listen(receive),
    isConnected: () => notifier?.isHeard() ?? false,
    publishWork: () => notifier?.ring("work"),
    publishChange: (jobId: string) => notifier?.ring(`changed ${jobId}`),
    publishCancelled: (jobId: string) => notifier?.ring(`cancelled ${jobId}`),
  };
}
