// The sources of local indexes: sites, pages and documents that a team keeps in its index, and which pages each has brought.
import { type TableDefinitions, wordOf } from "./table-definition.ts";

export const indexedSourceTables = {
  indexed_sources: {
    id: "text not null primary key",
    teamId: "text not null",
    keyId: "text",
    type: wordOf<"site" | "pages" | "documents">(),
    name: "text not null",
    status: wordOf<"queued" | "indexing" | "ready" | "failed">(),
    /** 0: searches do not find pages that only such sources have. */
    isEnabled: "integer not null",
    /** What is read, as JSON text. */
    settings: "text not null",
    /** How often it is read again; null: never. */
    refresh: "text",
    /** When it is read next; null: it is not planned. */
    dueAt: "bigint",
    /** What reads it at present. */
    jobId: "text",
    baseUrl: "text not null",
    error: "text",
    lastIndexedAt: "bigint",
    createdAt: "bigint not null",
    updatedAt: "bigint not null",
  },
  indexed_source_pages: {
    id: "serial not null primary key",
    sourceId: "text not null",
    pageKey: "bytes not null",
    readAt: "bigint not null",
  },
} as const satisfies TableDefinitions;

/** 1: the team itself has read the page, or added it as a file; 0: only its sources have. */
export const ownPageColumn = "is_own integer not null default 1";

export const indexedSourceIndexes = [
  "create index indexed_sources_of_team on indexed_sources (team_id, created_at, id)",
  "create index indexed_sources_due on indexed_sources (due_at) where due_at is not null",
  "create index indexed_sources_read on indexed_sources (id) where job_id is not null",
  "create unique index indexed_source_pages_of_source on indexed_source_pages (source_id, page_key)",
  "create index indexed_source_pages_of_page on indexed_source_pages (page_key)",
];
