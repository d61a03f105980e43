// What other rooms use of this folder.
export type { NewJobPage } from "./job-pages.ts";
export type { JobError, JobResult, RemovedPage } from "./job-results.ts";
export type { Job, JobKind, NewJob } from "./job-row.ts";
export type { RunningJob } from "./jobs.ts";
export type { ClaimedPage } from "./leases.ts";
export type { NodeRow } from "./node-rows.ts";
export type { ClaimedWebhookEvent, NewWebhookEvent, WebhookOutcome, WebhookRecord } from "./webhooks.ts";
