export { type Comparer, createComparer, type Version, type VersionChange } from "./compare-versions.ts";
export { writeFeed } from "./feed.ts";
export { writeLetter } from "./letter.ts";
export { nextRun, readSchedule, type Schedule } from "./schedule.ts";
