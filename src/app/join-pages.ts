// How pages are obtained, with the settings of this server.
import type { Config } from "../config.ts";
import { createPages, type PagesDeps } from "../pages/index.ts";

export function joinPages(config: Config, deps: PagesDeps) {
  const { ocrLanguages: languages, ocrProgram: program } = config;
  return createPages(deps, {
    isShared: config.sharedCache,
    cacheDays: config.pageCacheDays,
    files: { processes: config.documentProcesses, maxMemoryMb: config.documentMemoryMb },
    recognition: { languages, ...(program ? { program } : {}) },
    memoryMs: config.reachMemoryMs,
    obeysAlways: config.respectRobots === "all",
  });
}
