// What processes that share a database tell each other about jobs.
import type { Store } from "../store/index.ts";

export interface JobHearers {
  /** There may be something to do. */
  wake(): void;
  onChange(jobId: string): void;
  cancel(jobId: string): void;
}

export function createJobNotifier(notifier: Store["notifier"], { wake, onChange, cancel }: JobHearers) {
  function hear(word: string): void {
    const [what, jobId = ""] = word.split(" ");
    if (what === "cancelled") cancel(jobId);
    if (what === "changed" || what === "cancelled") onChange(jobId);
    wake();
  }

  return {
    subscribe: () => notifier?.subscribe(hear),
    isConnected: () => notifier?.isConnected() ?? false,
    tellWork: () => notifier?.publish("work"),
    tellChange: (jobId: string) => notifier?.publish(`changed ${jobId}`),
    tellCancelled: (jobId: string) => notifier?.publish(`cancelled ${jobId}`),
  };
}
