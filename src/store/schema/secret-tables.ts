// A team's secrets, and the recordings of browser sessions.
import { type TableDefinitions, wordOf } from "./table-definition.ts";

export const secretTables = {
  team_secrets: {
    teamId: "text not null",
    name: "text not null",
    kind: wordOf<"text" | "totp">(),
    sealed: "text not null",
    /** JSON text: a list of names, each with a port or without. */
    hosts: "text not null",
    createdAt: "bigint not null",
    updatedAt: "bigint not null",
    lastUsedAt: "bigint",
    /** The latest period whose code was typed. */
    lastPeriod: "bigint",
    clusteredKey: ["teamId", "name"],
  },
  recordings: {
    /** Of the session, or the run of a flow. */
    id: "text not null primary key",
    teamId: "text not null",
    startedAt: "bigint not null",
    /** Null while it is being recorded. */
    endedAt: "bigint",
    expiresAt: "bigint not null",
    byteCount: "bigint not null",
    eventCount: "bigint not null",
    /** Whether frames were left out because there was no room for more. */
    isCut: "integer not null",
    /** What the tokens of its URLs are made of. */
    sealedSecret: "text not null",
  },
  recording_parts: {
    recordingId: "text not null",
    part: "bigint not null",
    /** The pictures, one after the other; null without any. */
    blobId: "text",
    /** JSON text: what each of its pictures shows, and what happened meanwhile. */
    content: "text not null",
    clusteredKey: ["recordingId", "part"],
  },
} as const satisfies TableDefinitions;

export interface RecordedColumn {
  /** 0: it was opened so that nothing is recorded. */
  isRecorded: number;
}

export const secretChanges = [
  "create index recordings_by_end on recordings (expires_at)",
  "alter table browser_sessions add column is_recorded integer not null default 1",
];
