// What other rooms use of this folder.
export type { TaskKind } from "./job-tables.ts";
export type { CheckPageStatus, CheckStatus } from "./monitor-tables.ts";
export type { NoticeKind } from "./notice-tables.ts";
export type { PersonRole } from "./people-tables.ts";
export type { AuditActorType } from "./policy-tables.ts";
