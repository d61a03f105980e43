export { type Comparer, createComparer, type Version, type VersionChange } from "./compare-versions.ts";
export { countChanges, renderCheckEmail, renderConsentEmail } from "./email.ts";
export { type FeedEntry, writeFeed, writeJsonFeed } from "./feed.ts";
export { nextRun, readSchedule, type Schedule } from "./schedule.ts";
