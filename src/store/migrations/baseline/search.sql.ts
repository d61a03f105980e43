// The local index, the links between hosts, and the state of the open search sources.
import type { ColumnTypes } from "../../engine/store-engine.ts";

export const searchTables = ({ bytes, orderedText, rowNumber, rowless, serial }: ColumnTypes) => `
create table search_teams (
  team_id text not null primary key,
  team_number bigint not null unique,
  next_id bigint not null,
  measured_pages bigint not null default 0,
  measured_bytes bigint not null default 0
) ${rowless};

create table search_pages (
  id ${rowNumber} not null primary key,
  page_key ${bytes} not null unique,
  text_key ${bytes} not null,
  host_key ${orderedText} not null,
  url text not null,
  url_text text,
  title text not null,
  language text,
  published bigint,
  modified bigint,
  first_seen bigint not null,
  seen_at bigint not null,
  size_bytes bigint not null,
  description text
);
create index search_pages_of_host on search_pages (host_key, id);
-- With the sizes in it, the sum of all sizes reads no pages.
create index search_pages_by_age on search_pages (seen_at, size_bytes);

-- Apart from the pages, so that a scan of many pages reads no texts.
create table search_texts (
  id ${rowNumber} not null primary key,
  encoding text not null,
  size_bytes bigint not null,
  data ${bytes} not null
);

-- Keyed by a hash that begins with bits of the page's folder: most pages that links lead to are never read.
create table search_targets (
  id ${rowNumber} not null primary key,
  noted_day integer not null,
  link_hosts integer not null,
  anchors text not null
);
create index search_targets_by_age on search_targets (noted_day);

create table search_hosts (
  id ${serial} not null primary key,
  team_number bigint not null,
  noted_day integer not null,
  host_key ${orderedText} not null
);
create unique index search_hosts_of_team on search_hosts (team_number, host_key);
create index search_hosts_by_age on search_hosts (noted_day);

-- Hosts are numbers here: there are as many rows as links between hosts.
create table search_links (
  target bigint not null,
  source_host bigint not null,
  constraint search_links_key primary key (target, source_host)
) ${rowless};

create table search_host_links (
  source_host bigint not null,
  target_host bigint not null,
  constraint search_host_links_key primary key (source_host, target_host)
) ${rowless};
create index search_host_links_to on search_host_links (target_host, source_host);

create table search_sources (
  name text not null primary key,
  failures integer not null default 0,
  rests integer not null default 0,
  rest_until bigint not null default 0,
  last_error text,
  last_error_at bigint
) ${rowless};

create table search_paces (
  bucket text not null primary key,
  started_at bigint not null,
  used integer not null,
  window_ms bigint not null,
  most integer not null
) ${rowless};
`;
