export { createOperations, type FeatureParts, type OperationsOptions } from "./assembly/create-operations.ts";
export { createDashboardOperations } from "./dashboard/dashboard.ts";
export type { IndexUpkeep } from "./local-index/index-upkeep.ts";
export { createPageIndexer } from "./local-index/page-indexer.ts";
export type { ParseFile } from "./scrape/parse.ts";
export type { Uploads } from "./scrape/uploads.ts";
export type { Sessions } from "./sessions/create-sessions.ts";
export type { LiveView } from "./sessions/live-view.ts";
