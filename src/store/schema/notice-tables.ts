// What the sixth migration added: whom notices go to, notices that wait to be sent, and faults that are not over.
import { type TableDefinitions, wordOf } from "./table-definition.ts";

export type NoticeKind =
  | "monitor.changed"
  | "monitor.failed"
  | "monitor.recovered"
  | "job.failed"
  | "server.trouble"
  | "server.recovered"
  | "test";

export const noticeTables = {
  notify_entries: {
    id: "text not null primary key",
    teamId: "text not null",
    /** Of a monitor, or of the team itself. */
    ownerId: "text not null",
    place: "bigint not null",
    channel: "text not null",
    /** As its callers see it, JSON text with secrets masked. */
    shown: "text not null",
    /** The whole of it: sealed. */
    sealed: "text not null",
    /** Where links of its notices begin. */
    baseUrl: "text not null",
    createdAt: "bigint not null",
  },
  notices: {
    id: "text not null primary key",
    teamId: "text not null",
    /** Whose entries are told: a monitor or a team. */
    ownerId: "text not null",
    /** "" until it is shared out among the entries. */
    entryId: "text not null",
    kind: wordOf<NoticeKind>(),
    /** What its text is made from, JSON text. */
    facts: "text not null",
    createdAt: "bigint not null",
    dueAt: "bigint not null",
  },
  troubles: {
    /** What has the fault: a monitor, or a part of the server. */
    id: "text not null primary key",
    teamId: "text not null",
    /** How often in a row it was seen. */
    failures: "bigint not null",
    message: "text not null",
    since: "bigint not null",
  },
} as const satisfies TableDefinitions;

export interface NoticeColumns {
  /** JSON text of the notices that a message holds; null for the event of a job. */
  notice: string | null;
}

export const noticeChanges = [
  "alter table webhook_events add column notice text",
  "create index notify_entries_of_owner on notify_entries (owner_id, place)",
  "create index notices_due on notices (due_at)",
];
