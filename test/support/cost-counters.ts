// What the test file that runs in this process has started so far.

export interface FileCosts {
  apps: number;
  databases: number;
  processes: number;
  browsers: number;
}

/** In the temporary folder of the run. */
export const costsFolder = "file-costs";

const holder = globalThis as { trawlFileCosts?: FileCosts };

/** One object for the whole process, because files that share a process may load this module more than once. */
export function costsOf(): FileCosts {
  holder.trawlFileCosts ??= { apps: 0, databases: 0, processes: 0, browsers: 0 };
  return holder.trawlFileCosts;
}
