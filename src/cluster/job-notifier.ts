// What processes that share a database tell each other about jobs.
import type { Store } from "../store/index.ts";

export interface JobHearers {
  /** There may be something to do. */
  wake(): void;
  onChange(jobId: string): void;
  cancel(jobId: string): void;
}

export function createJobBell(bell: Store["bell"], { wake, onChange, cancel }: JobHearers) {
  function hear(word: string): void {
    const [what, jobId = ""] = word.split(" ");
    if (what === "cancelled") cancel(jobId);
    if (what === "changed" || what === "cancelled") onChange(jobId);
    wake();
  }

  return {
    listen: () => bell?.listen(hear),
    isHeard: () => bell?.isHeard() ?? false,
    tellWork: () => bell?.ring("work"),
    tellChange: (jobId: string) => bell?.ring(`changed ${jobId}`),
    tellCancelled: (jobId: string) => bell?.ring(`cancelled ${jobId}`),
  };
}
