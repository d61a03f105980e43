// What MCP keeps between the requests of a client.
import type { TableDefinitions } from "./table-definition.ts";

export const doorTables = {
  /** Answers that were cut, for those who read on. */
  readings: {
    id: "text not null primary key",
    teamId: "text not null",
    /** The tool that reads on. */
    tool: "text not null",
    encoding: "text not null",
    sizeBytes: "bigint not null",
    data: "bytes not null",
    createdAt: "bigint not null",
    expiresAt: "bigint not null",
  },
} as const satisfies TableDefinitions;

export const doorIndexes = [
  "create index readings_of_team on readings (team_id, created_at)",
  "create index readings_by_end on readings (expires_at)",
];
