// What the servers on one database share, and the state of the store itself.
import type { TableDefinitions } from "./table-definition.ts";

export const serverTables = {
  nodes: {
    id: "text not null primary key",
    role: "text not null",
    url: "text not null",
    hasBrowser: "integer not null",
    hasSessions: "integer not null",
    browserLoad: "integer not null",
    seenAt: "bigint not null",
  },
  elections: {
    office: "text not null primary key",
    owner: "text not null",
    leaseUntil: "bigint not null",
  },
  host_turns: {
    host: "text not null primary key",
    nextAt: "bigint not null",
  },
  host_slots: {
    host: "text not null",
    owner: "text not null",
    wanted: "bigint not null",
    held: "bigint not null",
    leaseUntil: "bigint not null",
    primaryKey: ["host", "owner"],
  },
  host_paces: {
    host: "text not null primary key",
    pausedUntil: "bigint not null",
    refusals: "bigint not null",
    notedAt: "bigint not null",
  },
  store_moves: {
    name: "text not null primary key",
    note: "text not null",
    rowCount: "bigint not null",
  },
  health_probes: {
    id: "text primary key",
    at: "bigint not null",
    payload: "text not null",
  },
} as const satisfies TableDefinitions;

export const serverIndexes = ["create index host_paces_by_news on host_paces (noted_at)"];
