// Jobs, their tasks (frontier and queue in one) and their results.
import type { ColumnTypes } from "../../engine/store-engine.ts";

export const jobsTables = ({ orderedText, rowless }: ColumnTypes) => `
create table jobs (
  id text primary key,
  team_id text not null,
  key_id text,
  kind text not null,
  api_version text not null,
  status text not null,
  created_at bigint not null,
  finished_at bigint,
  expires_at bigint,
  page_limit bigint not null,
  max_active bigint not null,
  delay_ms bigint not null,
  next_start_at bigint not null default 0,
  known bigint not null default 0,
  waiting bigint not null default 0,
  active bigint not null default 0,
  started bigint not null default 0,
  completed bigint not null default 0,
  failed bigint not null default 0,
  credits bigint not null default 0,
  scope_url text not null,
  activity_row_id text not null,
  warning text,
  error text,
  secrets text,
  webhook text,
  options text not null,
  paused_at bigint,
  stop_at bigint,
  stop_reason text,
  max_credits bigint,
  max_bytes bigint,
  bytes bigint not null default 0,
  page_price bigint not null default 1,
  retention_ms bigint not null default 86400000
);
create index jobs_running on jobs (team_id, created_at) where status = 'scraping';
create index jobs_by_expiry on jobs (expires_at);
-- Agents and crawls are also listed after their end, other jobs only while they run.
create index jobs_agents on jobs (team_id, created_at) where kind = 'agent';
create index jobs_crawls on jobs (team_id, created_at, id) where kind = 'crawl';

create table idempotency_keys (
  team_id text not null,
  endpoint text not null,
  idempotency_key text not null,
  job_id text not null,
  created_at bigint not null,
  constraint idempotency_keys_key primary key (team_id, endpoint, idempotency_key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- In the order of arrival: pages that are claimed and ended together share blocks of the file.
create table job_pages (
  job_id text not null,
  page_key text not null,
  place bigint not null,
  id text not null,
  url text not null,
  depth bigint not null,
  task text not null,
  step bigint,
  state text not null,
  tries bigint not null default 0,
  lost_leases bigint not null default 0,
  claims bigint not null default 0,
  not_before bigint not null default 0,
  lease_owner ${orderedText},
  lease_until bigint,
  lastmod bigint,
  constraint job_pages_key primary key (job_id, page_key)
);
create index job_pages_waiting on job_pages (job_id, place) where state = 'waiting';
create index job_pages_leased on job_pages (lease_owner, lease_until) where state = 'leased';

create table job_results (
  job_id text not null,
  seq bigint not null,
  page_id text not null,
  blob_id text not null,
  size_bytes bigint not null,
  details text not null,
  constraint job_results_key primary key (job_id, seq)
) ${rowless};
-- Page ids grow with time, so new entries are written side by side.
create index job_results_of_page on job_results (page_id);

create table job_errors (
  job_id text not null,
  id text not null,
  at bigint not null,
  url text not null,
  code text not null,
  message text not null,
  constraint job_errors_key primary key (job_id, id)
) ${rowless};

create table job_removed (
  job_id text not null,
  page_key text not null,
  url text not null,
  constraint job_removed_key primary key (job_id, page_key)
) ${rowless};
`;
