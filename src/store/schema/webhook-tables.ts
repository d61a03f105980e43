// Webhook events of jobs, until they are delivered and purged.
import { type TableDefinitions, wordOf } from "./table-definition.ts";

export type WebhookStatus = "pending" | "delivered" | "failed";

export const webhookTables = {
  webhook_events: {
    id: "text not null",
    teamId: "text not null",
    jobId: "text not null",
    /** The order of a job's first attempts; it means nothing after them. */
    ordinal: "bigint not null",
    type: "text not null",
    createdAt: "bigint not null",
    resultSeq: "bigint",
    pageError: "text",
    error: "text",
    status: wordOf<WebhookStatus>(),
    attempts: "bigint not null",
    nextAt: "bigint not null",
    lastStatus: "bigint",
    lastError: "text",
    doneAt: "bigint",
    leaseOwner: "text",
    leaseUntil: "bigint",
    clusteredKey: ["id"],
  },
} as const satisfies TableDefinitions;

export const webhookIndexes = [
  // One index for each of a job's two queues and one for the purge; a row is in one of them at a time.
  "create index webhook_events_first on webhook_events (job_id, ordinal, id) where done_at is null and attempts = 0",
  "create index webhook_events_again on webhook_events (job_id, next_at, id) where done_at is null and attempts > 0",
  "create index webhook_events_done on webhook_events (done_at) where done_at is not null",
  "create index webhook_events_of_team on webhook_events (team_id, id)",
];
