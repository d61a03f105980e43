// Web archives: their bytes lie in blobs, part after part; here is what is in them, and where.
import { type TableDefinitions, wordOf } from "./table-definition.ts";

export const archiveTables = {
  archives: {
    /** Of a job, that of the job. */
    id: "text not null primary key",
    teamId: "text not null",
    name: "text not null",
    source: wordOf<"scrape" | "batch" | "crawl" | "import">(),
    /** loading: an import that is not readable yet; deleted: its rows and bytes are on their way out. */
    status: wordOf<"loading" | "capturing" | "ready" | "deleted">(),
    createdAt: "bigint not null",
    /** When its job ended or its import was complete. */
    finishedAt: "bigint",
    /** Null: it is kept until it is deleted. */
    expiresAt: "bigint",
    pages: "bigint not null default 0",
    records: "bigint not null default 0",
    bytes: "bigint not null default 0",
    firstAt: "bigint",
    lastAt: "bigint",
    /** Pages that were read and not archived. */
    missing: "bigint not null default 0",
    /** Records whose digest is not that of their bytes. */
    mismatched: "bigint not null default 0",
    /** Pages that search finds. */
    indexed: "bigint not null default 0",
    /** How many parts there are: the number of the next one. */
    parts: "bigint not null default 0",
    /** 1: its bytes begin with a warcinfo record. */
    hasInfo: "bigint not null default 0",
  },
  // The bytes of an archive in pieces: gzip members, one a record, one after the other.
  archive_parts: {
    archiveId: "text not null",
    part: "bigint not null",
    blobId: "text not null",
    sizeBytes: "bigint not null",
    /** 1: a record begins with it. */
    startsRecord: "bigint not null",
    clusteredKey: ["archiveId", "part"],
  },
  // What CDXJ lists: responses, revisits, resources and the like. Requests are found in the bytes only.
  archive_records: {
    archiveId: "text not null",
    part: "bigint not null",
    /** In its part, of its gzip member. */
    place: "bigint not null",
    length: "bigint not null",
    type: "text not null",
    url: "text not null",
    urlHash: "text not null",
    keyHash: "text not null",
    /** The beginning of the CDXJ key: PostgreSQL takes no key as long as a URL may be. */
    keyStart: "ordered_text not null",
    recordKey: "ordered_text not null",
    at: "bigint not null",
    status: "bigint",
    mime: "text not null",
    /** Of its payload, as the record says; '' where later ones must not refer to it. */
    digest: "text not null",
    primaryKey: ["archiveId", "part", "place"],
  },
  archive_pages: {
    archiveId: "text not null",
    /** Of the task that read it, so that a page that is read again after a crash is there once. */
    pageId: "text not null",
    url: "text not null",
    urlHash: "text not null",
    at: "bigint not null",
    status: "bigint",
    mime: "text not null",
    title: "text not null",
    bytes: "bigint not null",
    /** The page of the search index that it was put into; '' where it was not. */
    searchUrl: "text not null",
    primaryKey: ["archiveId", "pageId"],
  },
} as const satisfies TableDefinitions;

export const archiveIndexes = [
  "create index archives_of_team on archives (team_id, id)",
  "create index archives_until on archives (expires_at)",
  "create index archives_unfinished on archives (id) where status <> 'ready'",
  "create index archive_records_by_url on archive_records (archive_id, url_hash, at)",
  "create index archive_records_by_key on archive_records (archive_id, key_hash, at)",
  "create index archive_records_by_order on archive_records (archive_id, key_start)",
  "create index archive_records_by_digest on archive_records (archive_id, digest)",
  "create index archive_pages_by_time on archive_pages (archive_id, at, page_id)",
];
