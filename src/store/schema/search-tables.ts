// The rows about search: the local index, and the open sources.

export interface SearchTeamsTable {
  team_id: string;
  team_number: number;
  next_id: number;
  /** How many pages `measured_bytes` is the sum of; both only grow. */
  measured_pages: number;
  /** Of their texts, before packing. */
  measured_bytes: number;
}

export interface SearchPagesTable {
  id: number;
  page_key: Uint8Array;
  text_key: Uint8Array;
  host_key: string;
  url: string;
  /** The decoded URL, where it differs from the URL. */
  url_text: string | null;
  title: string;
  description: string | null;
  language: string | null;
  published: number | null;
  modified: number | null;
  first_seen: number;
  seen_at: number;
  size_bytes: number;
}

/** A page that links lead to, known by a part of its key. */
export interface SearchTargetsTable {
  id: number;
  /** Since 1970. */
  noted_day: number;
  /** Other hosts that link to it. */
  link_hosts: number;
  /** Different words of links to it. */
  anchors: string;
}

/** Which host links to which target. */
export interface SearchLinksTable {
  target: number;
  source_host: number;
}

export interface SearchHostsTable {
  id: number;
  team_number: number;
  noted_day: number;
  host_key: string;
}

export interface SearchHostLinksTable {
  source_host: number;
  target_host: number;
}

export interface SearchTextsTable {
  id: number;
  encoding: string;
  size_bytes: number;
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
  rest_until: number;
  last_error: string | null;
  last_error_at: number | null;
}

/** A bucket holds `most` requests and is empty again `window_ms` after its first one. */
export interface SearchPacesTable {
  bucket: string;
  started_at: number;
  used: number;
  window_ms: number;
  most: number;
}
