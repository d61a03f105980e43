// Flows, their versions and runs, and what was recorded of sessions that flows can be made from.
import { type TableDefinitions, wordOf } from "./table-definition.ts";

export const flowTables = {
  flows: {
    id: "text not null primary key",
    teamId: "text not null",
    keyId: "text",
    name: "text not null",
    description: "text",
    version: "bigint not null",
    source: "text not null",
    url: "text not null",
    stepCount: "bigint not null",
    createdAt: "bigint not null",
    updatedAt: "bigint not null",
    lastRunAt: "bigint",
    lastRunStatus: "text",
  },
  flow_versions: {
    flowId: "text not null",
    version: "bigint not null",
    by: wordOf<"created" | "edited" | "healed" | "restored">(),
    createdAt: "bigint not null",
    /** JSON text: steps and parameters. */
    content: "text not null",
    /** JSON text: which targets became which. */
    healed: "text not null",
    clusteredKey: ["flowId", "version"],
  },
  flow_runs: {
    id: "text not null primary key",
    flowId: "text not null",
    teamId: "text not null",
    version: "bigint not null",
    status: wordOf<"completed" | "failed">(),
    startedAt: "bigint not null",
    durationMs: "bigint not null",
    healed: "bigint not null",
    error: "text",
    errorCode: "text",
  },
  session_events: {
    /** Of the session. */
    id: "text not null primary key",
    teamId: "text not null",
    expiresAt: "bigint not null",
    /** JSON text, sealed. */
    sealed: "text not null",
  },
} as const satisfies TableDefinitions;

export const flowIndexes = [
  "create index flows_of_team on flows (team_id, created_at, id)",
  "create index flow_runs_of_flow on flow_runs (team_id, flow_id, started_at, id)",
  "create index flow_runs_by_start on flow_runs (started_at)",
  "create index session_events_by_end on session_events (expires_at)",
];
