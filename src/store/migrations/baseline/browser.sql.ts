// Browser profiles and browser sessions.
import type { ColumnTypes } from "../../engine/store-engine.ts";

export const browserTables = ({ rowless }: ColumnTypes) => `
create table browser_profiles (
  team_id text not null,
  name text not null,
  used_at bigint not null,
  writer text,
  writer_until bigint,
  sealed text,
  constraint browser_profiles_key primary key (team_id, name)
) ${rowless};
create index browser_profiles_by_use on browser_profiles (used_at);

create table browser_sessions (
  id text primary key,
  team_id text not null,
  key_id text,
  endpoint text not null,
  scrape_id text,
  status text not null,
  created_at bigint not null,
  ttl_ms bigint not null,
  idle_ms bigint not null,
  has_view integer not null,
  minute_price integer not null,
  base_url text not null,
  sealed_secret text not null,
  activity_row_id text not null,
  used_at bigint not null,
  owner text not null,
  seen_at bigint not null,
  ended_at bigint,
  duration_ms bigint,
  credits integer
);
create index browser_sessions_by_team on browser_sessions (team_id, id);
create index browser_sessions_by_state on browser_sessions (status, seen_at);
create index browser_sessions_by_end on browser_sessions (ended_at);
`;
