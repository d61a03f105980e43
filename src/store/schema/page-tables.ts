// What scrapes store. Each index costs every scrape one more write: reads need every one of them.
import { type TableDefinitions, wordOf } from "./table-definition.ts";

export const pageTables = {
  // The data follows the small columns: SQLite reads a row from its front and does not touch the data for them.
  blobs: {
    id: "text primary key",
    teamId: "text not null",
    createdAt: "bigint not null",
    /** Null means it is kept until it is deleted. */
    expiresAt: "bigint",
    encoding: "text not null",
    sizeBytes: "bigint not null",
    /** The bytes, or their SHA-256 where they lie elsewhere. */
    data: "bytes not null",
    /** Where the bytes lie; null: in this row. */
    place: "text",
  },
  // In the order of arrival: keys are random, so in their order each row would change a block by itself.
  page_copies: {
    /** Hash of everything that the copy depends on. */
    copyKey: "text not null",
    fetchedAt: "bigint not null",
    id: "text not null",
    teamId: "text not null",
    expiresAt: "bigint not null",
    /** 1: it may be given to other teams where the operator allows it. */
    isShared: "bigint not null",
    blobId: "text not null",
    sizeBytes: "bigint not null",
    /** Small facts as JSON text; the bytes are in the blob. */
    details: "text not null",
    primaryKey: ["copyKey", "fetchedAt", "id"],
  },
  // Not in the tree of their keys: rows of more than a quarter of a block would spill into extra blocks there.
  scrapes: {
    id: "text not null",
    teamId: "text not null",
    createdAt: "bigint not null",
    expiresAt: "bigint not null",
    /** The document; null for a scrape that failed. */
    blobId: "text",
    /** What differs from the stored document, or the failure, as JSON text. */
    details: "text not null",
    primaryKey: ["id"],
  },
  // Keyed by the URL's hash: PostgreSQL takes no key as long as a URL may be.
  known_pages: {
    teamId: "text not null",
    hostKey: "ordered_text not null",
    urlHash: "text not null",
    seenAt: "bigint not null",
    url: "text not null",
    title: "text not null",
    description: "text not null",
    clusteredKey: ["teamId", "hostKey", "urlHash"],
  },
  page_fingerprints: {
    teamId: "text not null",
    /** Of the URL and everything that decides what its server sends. */
    fingerprintKey: "text not null",
    readAt: "bigint not null",
    /** When a reading first had this content. */
    changedAt: "bigint not null",
    /** Where redirects led. */
    finalUrl: "text not null",
    etag: "text",
    lastModified: "text",
    /** Of everything that decides what is made of the page. */
    contentKey: "text not null",
    /** Of the outputs; null where they differ each time. */
    contentHash: "text",
    linksEncoding: "text not null",
    linksBytes: "bigint not null",
    links: "bytes",
    primaryKey: ["teamId", "fingerprintKey"],
  },
  change_snapshots: {
    teamId: "text not null",
    snapshotKey: "text not null",
    scrapedAt: "bigint not null",
    encoding: "text not null",
    sizeBytes: "bigint not null",
    data: "bytes not null",
    primaryKey: ["teamId", "snapshotKey"],
  },
  /** What pages of hosts taught about the fields of schemas. */
  site_rules: {
    teamId: "text not null",
    host: "text not null",
    /** Extractors are asked for, listed and deleted by callers; templates are learned without asking. */
    kind: wordOf<"extractor" | "template">(),
    /** Hash of the schema, and of an extractor's prompt. */
    form: "text not null",
    id: "text not null",
    /** JSON: where each field is. */
    rules: "text not null",
    version: "integer not null",
    createdAt: "bigint not null",
    updatedAt: "bigint not null",
    /** By the day. */
    usedAt: "bigint not null",
    /** When it was first tried to repair it of late, and how often since. */
    triedAt: "bigint not null",
    tries: "integer not null",
    clusteredKey: ["teamId", "host", "kind", "form"],
  },
  host_memory: {
    teamId: "text not null",
    /** With its port, unless that is the scheme's own. */
    host: "text not null",
    seenAt: "bigint not null",
    /** Of its robots.txt. */
    delayMs: "integer not null default 0",
    last429At: "bigint",
    robots: "text",
    /** JSON: what came back lately, the latest first. */
    verdicts: "text not null",
    /** What got past its block page: engine and tier; null when the first attempt does. */
    attempt: "text",
    attemptSince: "bigint",
    attemptMs: "integer",
    sealedCookies: "text",
    clusteredKey: ["teamId", "host"],
  },
} as const satisfies TableDefinitions;

export const pageIndexes = [
  "create index blobs_by_expiry on blobs (expires_at)",
  "create index page_copies_until on page_copies (expires_at)",
  "create index known_pages_by_age on known_pages (seen_at)",
  "create index page_fingerprints_by_age on page_fingerprints (read_at)",
  "create index change_snapshots_by_age on change_snapshots (scraped_at)",
  "create index site_rules_by_use on site_rules (used_at)",
  "create index host_memory_by_time on host_memory (seen_at)",
];
