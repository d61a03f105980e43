// What scrapes store. Each index costs every scrape one more write: reads need every one of them.
import type { ColumnTypes } from "../../engine/store-engine.ts";

export const pagesTables = ({ bytes, orderedText, rowless }: ColumnTypes) => `
-- The data follows the small columns: SQLite reads a row from its front and does not touch the data for them.
create table blobs (
  id text primary key,
  team_id text not null,
  created_at bigint not null,
  expires_at bigint,
  encoding text not null,
  size_bytes bigint not null,
  data ${bytes} not null,
  place text
);
create index blobs_by_expiry on blobs (expires_at);

-- In the order of arrival: keys are random, so in their order each row would change a block by itself.
create table page_copies (
  copy_key text not null,
  fetched_at bigint not null,
  id text not null,
  team_id text not null,
  expires_at bigint not null,
  is_shared bigint not null,
  blob_id text not null,
  size_bytes bigint not null,
  details text not null,
  constraint page_copies_key primary key (copy_key, fetched_at, id)
);
create index page_copies_until on page_copies (expires_at);

-- Not in the tree of their keys: rows of more than a quarter of a block would spill into extra blocks there.
create table scrapes (
  id text not null,
  team_id text not null,
  created_at bigint not null,
  expires_at bigint not null,
  blob_id text,
  details text not null,
  constraint scrapes_id primary key (id)
);

-- Keyed by the URL's hash: PostgreSQL takes no key as long as a URL may be.
create table known_pages (
  team_id text not null,
  host_key ${orderedText} not null,
  url_hash text not null,
  seen_at bigint not null,
  url text not null,
  title text not null,
  description text not null,
  constraint known_pages_key primary key (team_id, host_key, url_hash)
) ${rowless};
create index known_pages_by_age on known_pages (seen_at);

create table page_fingerprints (
  team_id text not null,
  fingerprint_key text not null,
  read_at bigint not null,
  changed_at bigint not null,
  final_url text not null,
  etag text,
  last_modified text,
  content_key text not null,
  content_hash text,
  links_encoding text not null,
  links_bytes bigint not null,
  links ${bytes},
  constraint page_fingerprints_key primary key (team_id, fingerprint_key)
);
create index page_fingerprints_by_age on page_fingerprints (read_at);

create table change_snapshots (
  team_id text not null,
  snapshot_key text not null,
  scraped_at bigint not null,
  encoding text not null,
  size_bytes bigint not null,
  data ${bytes} not null,
  constraint change_snapshots_key primary key (team_id, snapshot_key)
);
create index change_snapshots_by_age on change_snapshots (scraped_at);

create table site_rules (
  team_id text not null,
  host text not null,
  kind text not null,
  form text not null,
  id text not null,
  rules text not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  used_at bigint not null,
  tried_at bigint not null,
  tries integer not null,
  constraint site_rules_key primary key (team_id, host, kind, form)
) ${rowless};
create index site_rules_by_use on site_rules (used_at);

create table host_memory (
  team_id text not null,
  host text not null,
  seen_at bigint not null,
  delay_ms integer not null default 0,
  last_429_at bigint,
  robots text,
  verdicts text not null,
  attempt text,
  attempt_since bigint,
  attempt_ms integer,
  sealed_cookies text,
  constraint host_memory_key primary key (team_id, host)
) ${rowless};
create index host_memory_by_time on host_memory (seen_at);
`;
