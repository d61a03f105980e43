// Monitors, the page versions they saw last, and their checks.
import type { ColumnTypes } from "../../engine/store-engine.ts";

export const monitorsTables = ({ bytes, rowless }: ColumnTypes) => `
create table monitors (
  id text not null primary key,
  team_id text not null,
  key_id text,
  name text not null,
  status text not null,
  cron text not null,
  timezone text not null,
  jitter_ms bigint not null default 0,
  next_run_at bigint,
  scheduled_at bigint not null,
  last_run_at bigint,
  current_check_id text,
  shown text not null,
  sealed text not null,
  retention_days bigint not null,
  credits_per_check bigint not null,
  runs_per_month bigint not null,
  base_url text not null,
  last_summary text,
  created_at bigint not null,
  updated_at bigint not null
);
create index monitors_of_team on monitors (team_id, created_at);
create index monitors_due on monitors (next_run_at) where status = 'active';
create index monitors_scheduled on monitors (scheduled_at) where status = 'active';
create index monitors_deleted on monitors (id) where status = 'deleted';

create table monitor_versions (
  monitor_id text not null,
  target_id text not null,
  page_key text not null,
  url text not null,
  state text not null,
  depth bigint not null,
  seen_at bigint not null,
  check_id text not null,
  scrape_id text,
  encoding text not null,
  size_bytes bigint not null,
  data ${bytes} not null,
  constraint monitor_versions_key primary key (monitor_id, target_id, page_key)
);

create table monitor_checks (
  id text not null primary key,
  monitor_id text not null,
  team_id text not null,
  status text not null,
  trigger text not null,
  scheduled_for bigint,
  created_at bigint not null,
  started_at bigint,
  finished_at bigint,
  updated_at bigint not null,
  expires_at bigint not null,
  estimated_credits bigint not null,
  own_credits bigint not null default 0,
  actual_credits bigint,
  total bigint not null default 0,
  same bigint not null default 0,
  changed bigint not null default 0,
  added bigint not null default 0,
  removed bigint not null default 0,
  failed bigint not null default 0,
  error text,
  warning text,
  mail_state text not null,
  mail_attempts bigint not null default 0,
  mail_next_at bigint
);
create index monitor_checks_of_monitor on monitor_checks (monitor_id, created_at);
create index monitor_checks_by_expiry on monitor_checks (expires_at);
create index monitor_checks_open on monitor_checks (id) where finished_at is null;
create index monitor_checks_mail on monitor_checks (mail_next_at) where mail_state = 'due';

create table monitor_check_targets (
  check_id text not null,
  target_id text not null,
  place bigint not null,
  type text not null,
  job_id text,
  state text not null,
  compared bigint not null default 0,
  error text,
  constraint monitor_check_targets_key primary key (check_id, target_id)
) ${rowless};

create table monitor_check_pages (
  check_id text not null,
  target_id text not null,
  page_key text not null,
  seq bigint not null,
  id text not null,
  url text not null,
  status text not null,
  previous_scrape_id text,
  current_scrape_id text,
  status_code bigint,
  error text,
  created_at bigint not null,
  encoding text not null,
  size_bytes bigint not null,
  data ${bytes} not null,
  constraint monitor_check_pages_key primary key (check_id, target_id, page_key)
);
create unique index monitor_check_pages_order on monitor_check_pages (check_id, seq);
`;
