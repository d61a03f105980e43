// Teams, their keys, what they used and what they did.
import type { ColumnTypes } from "../../engine/store-engine.ts";

export const accountsTables = ({ rowless }: ColumnTypes) => `
create table teams (
  id text primary key,
  name text not null unique,
  requests_per_minute bigint,
  created_at bigint not null
);

create table api_keys (
  id text primary key,
  team_id text not null references teams (id),
  name text not null,
  hash text not null unique,
  last_four text not null,
  created_at bigint not null,
  last_used_at bigint,
  revoked_at bigint,
  requests_per_minute bigint,
  credits_per_month bigint
);
create index api_keys_by_team on api_keys (team_id, created_at);

-- Written only where several processes may share the store.
create table team_slots (
  team_id text not null,
  owner text not null,
  wanted bigint not null,
  held bigint not null,
  lease_until bigint not null,
  constraint team_slots_key primary key (team_id, owner)
);

create table rate_windows (
  team_id text not null,
  rate_group text not null,
  window_start bigint not null,
  used bigint not null,
  last_granted bigint not null,
  constraint rate_windows_key primary key (team_id, rate_group, window_start)
);
create index rate_windows_by_age on rate_windows (window_start);

-- No reference to teams: on PostgreSQL each charge would lock its team's row until the crawl's transaction ends.
create table credit_ledger (
  id text not null,
  team_id text not null,
  key_id text,
  job_id text not null,
  endpoint text not null,
  credits bigint not null,
  reason text not null,
  at bigint not null,
  constraint credit_ledger_id primary key (id)
) ${rowless};

create table usage_months (
  team_id text not null,
  key_id text not null,
  month bigint not null,
  credits bigint not null,
  constraint usage_months_key primary key (team_id, month, key_id)
);

create table usage_hours (
  team_id text not null,
  hour bigint not null,
  endpoint text not null,
  key_id text not null,
  cause text not null,
  step integer not null,
  requests bigint not null default 0,
  pages bigint not null default 0,
  cache_hits bigint not null default 0,
  credits bigint not null default 0,
  constraint usage_hours_key primary key (team_id, hour, endpoint, key_id, cause, step)
) ${rowless};
create index usage_hours_by_age on usage_hours (hour);

create table activity (
  team_id text not null,
  created_at bigint not null,
  row_id text not null,
  id text not null,
  key_id text,
  endpoint text not null,
  api_version text not null,
  target text not null,
  outcome text not null,
  constraint activity_key primary key (team_id, created_at, row_id)
) ${rowless};
create index activity_of_endpoint on activity (team_id, endpoint, created_at, row_id);

create table feedback (
  team_id text not null,
  job_id text not null,
  id text not null,
  key_id text,
  endpoint text not null,
  rating text not null,
  created_at bigint not null,
  details text not null,
  constraint feedback_key primary key (team_id, job_id)
) ${rowless};
create index feedback_by_age on feedback (created_at);

create table model_token_months (
  team_id text not null,
  month integer not null,
  key_id text not null,
  input bigint not null default 0,
  output bigint not null default 0,
  constraint model_token_months_key primary key (team_id, month, key_id)
) ${rowless};

-- Tokens of model calls in progress; a row lives as long as its call.
create table model_reservations (
  team_id text not null,
  id text not null,
  tokens bigint not null,
  until bigint not null,
  constraint model_reservations_key primary key (team_id, id)
);
`;
