// What other rooms use of this folder.
export type { PersonRole } from "./dashboard-tables.ts";
export type { TaskKind } from "./job-tables.ts";
export type { CheckPageStatus, CheckStatus } from "./monitor-tables.ts";
