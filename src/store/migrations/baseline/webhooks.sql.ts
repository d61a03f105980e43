// Webhook events of jobs, until they are delivered and purged.
import type { ColumnTypes } from "../../engine/store-engine.ts";

export const webhooksTables = ({ rowless }: ColumnTypes) => `
create table webhook_events (
  id text not null,
  team_id text not null,
  job_id text not null,
  ordinal bigint not null,
  type text not null,
  created_at bigint not null,
  result_seq bigint,
  page_error text,
  error text,
  status text not null,
  attempts bigint not null,
  next_at bigint not null,
  last_status bigint,
  last_error text,
  done_at bigint,
  lease_owner text,
  lease_until bigint,
  constraint webhook_events_id primary key (id)
) ${rowless};
-- One index for each of a job's two queues and one for the purge; a row is in one of them at a time.
create index webhook_events_first on webhook_events (job_id, ordinal, id) where done_at is null and attempts = 0;
create index webhook_events_again on webhook_events (job_id, next_at, id) where done_at is null and attempts > 0;
create index webhook_events_done on webhook_events (done_at) where done_at is not null;
create index webhook_events_of_team on webhook_events (team_id, id);
`;
