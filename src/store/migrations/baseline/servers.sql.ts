// What the servers on one database share, and the state of the store itself.
export const serversTables = () => `
create table nodes (
  id text not null primary key,
  role text not null,
  url text not null,
  has_browser integer not null,
  has_sessions integer not null,
  browser_load integer not null,
  seen_at bigint not null
);

create table elections (
  office text not null primary key,
  owner text not null,
  lease_until bigint not null
);

create table host_turns (
  host text not null primary key,
  next_at bigint not null
);

create table host_slots (
  host text not null,
  owner text not null,
  wanted bigint not null,
  held bigint not null,
  lease_until bigint not null,
  constraint host_slots_key primary key (host, owner)
);

create table host_paces (
  host text not null primary key,
  paused_until bigint not null,
  refusals bigint not null,
  noted_at bigint not null
);
create index host_paces_by_news on host_paces (noted_at);

create table store_moves (
  name text not null primary key,
  note text not null,
  row_count bigint not null
);

create table health_probes (
  id text primary key,
  at bigint not null,
  payload text not null
);
`;
