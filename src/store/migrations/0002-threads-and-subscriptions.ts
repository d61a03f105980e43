// The threads of agents, and who has agreed to get the email of monitors.
import { type Kysely, type Migration, sql } from "kysely";

const statements = [
  "alter table jobs add column thread_id text",
  "create index jobs_of_thread on jobs (thread_id) where thread_id is not null",
  `create table monitor_subscriptions (
    monitor_id text not null,
    email text not null,
    status text not null,
    source text not null,
    created_at bigint not null,
    consent_state text not null,
    consent_attempts bigint not null default 0,
    consent_next_at bigint,
    last_check_id text,
    constraint monitor_subscriptions_key primary key (monitor_id, email)
  )`,
  "create index monitor_subscriptions_due on monitor_subscriptions (consent_next_at) where consent_state = 'due'",
];

export const threadsAndSubscriptions: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
