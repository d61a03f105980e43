// What the test file that runs in this process has started so far.

const none = { apps: 0, databases: 0, processes: 0, browsers: 0, programs: 0 };

export type Started = typeof none;

/** What a file took, as its process knows it. */
export interface FileCosts extends Started {
  /** CPU of the test process, its threads included. */
  ownSeconds: number;
  /** CPU of processes that ended while the file ran. */
  childSeconds: number;
  /** The test process had nothing to do: it waited for others, or slept. */
  idleSeconds: number;
}

/** In the temporary folder of the run. */
export const costsFolder = "file-costs";

const holder = globalThis as { trawlFileCosts?: Started };

/** One object for the whole process, because files that share a process may load this module more than once. */
export function costsOf(): Started {
  holder.trawlFileCosts ??= { ...none };
  return holder.trawlFileCosts;
}

export function forgetCosts(): void {
  Object.assign(costsOf(), none);
}
