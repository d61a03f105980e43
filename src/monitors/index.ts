export { type Comparer, createComparer, type Version, type VersionChange } from "./compare-versions.ts";
export { escapeXml, type FeedEntry, writeFeed } from "./feed.ts";
export { type Letter, type LetterPage, writeLetter } from "./letter.ts";
export { nextRun, readSchedule, type Schedule } from "./schedule.ts";
