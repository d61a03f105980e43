// Browser profiles and browser sessions.
import { type TableDefinitions, wordOf } from "./table-definition.ts";

export type SessionStatus = "starting" | "active" | "destroyed" | "error";

export const browserTables = {
  browser_profiles: {
    teamId: "text not null",
    name: "text not null",
    usedAt: "bigint not null",
    /** Who may save it, and until when; null: no session holds it. */
    writer: "text",
    writerUntil: "bigint",
    /** Null until it is saved for the first time. */
    sealed: "text",
    clusteredKey: ["teamId", "name"],
  },
  browser_sessions: {
    id: "text primary key",
    teamId: "text not null",
    keyId: "text",
    /** What it is billed and listed as. */
    endpoint: "text not null",
    /** The scrape whose page it goes on with. */
    scrapeId: "text",
    status: wordOf<SessionStatus>(),
    createdAt: "bigint not null",
    ttlMs: "bigint not null",
    /** How long it lives without being used. */
    idleMs: "bigint not null",
    hasView: "integer not null",
    minutePrice: "integer not null",
    /** Where the process that holds the browser is reached. */
    baseUrl: "text not null",
    /** What its URLs are made of. */
    sealedSecret: "text not null",
    activityRowId: "text not null",
    usedAt: "bigint not null",
    owner: "text not null",
    /** The last sign of life of its owner. */
    seenAt: "bigint not null",
    endedAt: "bigint",
    durationMs: "bigint",
    credits: "integer",
  },
} as const satisfies TableDefinitions;

export const browserIndexes = [
  "create index browser_profiles_by_use on browser_profiles (used_at)",
  "create index browser_sessions_by_team on browser_sessions (team_id, id)",
  "create index browser_sessions_by_state on browser_sessions (status, seen_at)",
  "create index browser_sessions_by_end on browser_sessions (ended_at)",
];
