// The rows about search: the local index, and the open sources.

export interface SearchTeamsTable {
  teamId: string;
  teamNumber: number;
  nextId: number;
  /** How many pages `measuredBytes` is the sum of; both only grow. */
  measuredPages: number;
  /** Of their texts, before packing. */
  measuredBytes: number;
}

export interface SearchPagesTable {
  id: number;
  pageKey: Uint8Array;
  textKey: Uint8Array;
  hostKey: string;
  url: string;
  /** The decoded URL, where it differs from the URL. */
  urlText: string | null;
  title: string;
  description: string | null;
  language: string | null;
  published: number | null;
  modified: number | null;
  firstSeen: number;
  seenAt: number;
  sizeBytes: number;
}

/** A page that links lead to, known by a part of its key. */
export interface SearchTargetsTable {
  id: number;
  /** Since 1970. */
  notedDay: number;
  /** Other hosts that link to it. */
  linkHosts: number;
  /** Different words of links to it. */
  anchors: string;
}

/** Which host links to which target. */
export interface SearchLinksTable {
  target: number;
  sourceHost: number;
}

export interface SearchHostsTable {
  id: number;
  teamNumber: number;
  notedDay: number;
  hostKey: string;
}

export interface SearchHostLinksTable {
  sourceHost: number;
  targetHost: number;
}

export interface SearchTextsTable {
  id: number;
  encoding: string;
  sizeBytes: number;
  data: Uint8Array;
}

/** Its other columns differ from engine to engine; it has no `id` because SQLite gives none to a full-text table. */
export interface SearchWordsTable {
  rowid: number;
}

/** SQLite only. */
export interface SearchVocabularyTable {
  term: string;
  doc: number;
}

export interface SearchSourcesTable {
  name: string;
  /** In a row, since the last answer or rest. */
  failures: number;
  /** In a row, since the last answer: each is longer than the one before. */
  rests: number;
  restUntil: number;
  lastError: string | null;
  lastErrorAt: number | null;
}

/** A bucket holds `most` requests and is empty again `windowMs` after its first one. */
export interface SearchPacesTable {
  bucket: string;
  startedAt: number;
  used: number;
  windowMs: number;
  most: number;
}

export interface SearchTables {
  search_teams: SearchTeamsTable;
  search_pages: SearchPagesTable;
  search_texts: SearchTextsTable;
  search_targets: SearchTargetsTable;
  search_hosts: SearchHostsTable;
  search_links: SearchLinksTable;
  search_host_links: SearchHostLinksTable;
  search_words: SearchWordsTable;
  search_vocabulary: SearchVocabularyTable;
  search_sources: SearchSourcesTable;
  search_paces: SearchPacesTable;
}
