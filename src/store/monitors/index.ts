// What other rooms use of this folder.
export { type CheckPage, type PackedCheckPage, packCheckPage } from "./check-pages.ts";
export type { CheckTarget } from "./check-targets.ts";
export { counterOf, type MonitorCheck } from "./checks.ts";
export type { ListFeed, ListFeedRow } from "./list-feeds.ts";
export type { Monitor } from "./monitors.ts";
export type { Subscription } from "./subscriptions.ts";
export { type PackedVersion, packVersion } from "./versions.ts";
