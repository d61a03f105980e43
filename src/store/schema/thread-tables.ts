// What the third migration added: the threads of agents, and who has agreed to get the email of monitors.
import { type TableDefinitions, wordOf } from "./table-definition.ts";

export const threadTables = {
  /** An address that a monitor's email may go to. */
  monitor_subscriptions: {
    monitorId: "text not null",
    /** In lower case. */
    email: "text not null",
    status: wordOf<"pending" | "confirmed" | "unsubscribed">(),
    /** Why it may get email: a member of the team, by its own consent, or from before consent was asked for. */
    source: wordOf<"team" | "opt_in" | "legacy">(),
    createdAt: "bigint not null",
    /** Of the email that asks for consent. */
    consentState: wordOf<"none" | "due" | "sent" | "failed">(),
    consentAttempts: "bigint not null default 0",
    /** When it may be tried; while it is being sent, when others may take it over. */
    consentNextAt: "bigint",
    /** The last check that it got an email about. */
    lastCheckId: "text",
    primaryKey: ["monitorId", "email"],
  },
} as const satisfies TableDefinitions;

export interface ThreadColumns {
  /** The first run of its thread; null for a first run, and for what is no agent. */
  threadId: string | null;
}

export const threadChanges = [
  "alter table jobs add column thread_id text",
  "create index jobs_of_thread on jobs (thread_id) where thread_id is not null",
  "create index monitor_subscriptions_due on monitor_subscriptions (consent_next_at) where consent_state = 'due'",
];
