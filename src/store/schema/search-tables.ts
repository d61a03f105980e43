// The local index, the links between hosts, and the state of the open search sources.
import type { TableDefinitions } from "./table-definition.ts";

export const searchTables = {
  search_teams: {
    teamId: "text not null primary key",
    teamNumber: "bigint not null unique",
    nextId: "bigint not null",
    /** How many pages `measuredBytes` is the sum of; both only grow. */
    measuredPages: "bigint not null default 0",
    /** Of their texts, before packing. */
    measuredBytes: "bigint not null default 0",
    clusteredKey: ["teamId"],
  },
  search_pages: {
    id: "row_number not null primary key",
    pageKey: "bytes not null unique",
    textKey: "bytes not null",
    hostKey: "ordered_text not null",
    url: "text not null",
    /** The decoded URL, where it differs from the URL. */
    urlText: "text",
    title: "text not null",
    language: "text",
    published: "bigint",
    modified: "bigint",
    firstSeen: "bigint not null",
    seenAt: "bigint not null",
    sizeBytes: "bigint not null",
    description: "text",
  },
  // Apart from the pages, so that a scan of many pages reads no texts.
  search_texts: {
    id: "row_number not null primary key",
    encoding: "text not null",
    sizeBytes: "bigint not null",
    data: "bytes not null",
  },
  // Keyed by a hash that begins with bits of the page's folder: most pages that links lead to are never read.
  /** A page that links lead to, known by a part of its key. */
  search_targets: {
    id: "row_number not null primary key",
    /** Since 1970. */
    notedDay: "integer not null",
    /** Other hosts that link to it. */
    linkHosts: "integer not null",
    /** Different words of links to it. */
    anchors: "text not null",
  },
  search_hosts: {
    id: "serial not null primary key",
    teamNumber: "bigint not null",
    notedDay: "integer not null",
    hostKey: "ordered_text not null",
  },
  // Hosts are numbers here: there are as many rows as links between hosts.
  /** Which host links to which target. */
  search_links: {
    target: "bigint not null",
    sourceHost: "bigint not null",
    clusteredKey: ["target", "sourceHost"],
  },
  search_host_links: {
    sourceHost: "bigint not null",
    targetHost: "bigint not null",
    clusteredKey: ["sourceHost", "targetHost"],
  },
  search_sources: {
    name: "text not null primary key",
    /** In a row, since the last answer or rest. */
    failures: "integer not null default 0",
    /** In a row, since the last answer: each is longer than the one before. */
    rests: "integer not null default 0",
    restUntil: "bigint not null default 0",
    lastError: "text",
    lastErrorAt: "bigint",
    clusteredKey: ["name"],
  },
  /** A bucket holds `most` requests and is empty again `windowMs` after its first one. */
  search_paces: {
    bucket: "text not null primary key",
    startedAt: "bigint not null",
    used: "integer not null",
    windowMs: "bigint not null",
    most: "integer not null",
    clusteredKey: ["bucket"],
  },
} as const satisfies TableDefinitions;

export const searchIndexes = [
  "create index search_pages_of_host on search_pages (host_key, id)",
  // With the sizes in it, the sum of all sizes reads no pages.
  "create index search_pages_by_age on search_pages (seen_at, size_bytes)",
  "create index search_targets_by_age on search_targets (noted_day)",
  "create unique index search_hosts_of_team on search_hosts (team_number, host_key)",
  "create index search_hosts_by_age on search_hosts (noted_day)",
  "create index search_host_links_to on search_host_links (target_host, source_host)",
];
