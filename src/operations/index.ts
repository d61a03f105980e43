export { createOperations, type FeatureParts, type OperationsOptions } from "./assembly/create-operations.ts";
export { createDashboardOperations } from "./dashboard/dashboard.ts";
export { createPageIndexer } from "./local-index/page-indexer.ts";
export type { LiveView } from "./sessions/live-view.ts";
export type { ReplayFiles } from "./sessions/replays.ts";
