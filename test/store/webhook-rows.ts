import { newId } from "../../src/base/index.ts";
import type { NewWebhookEvent } from "../../src/store/index.ts";
import { noon } from "./rows.ts";

/** An event of a new job, unless one is named. */
export function makeWebhookEvent(teamId: string, fields: Partial<NewWebhookEvent> = {}): NewWebhookEvent {
  const createdAt = fields.createdAt ?? noon;
  return {
    id: newId(createdAt),
    teamId,
    jobId: newId(createdAt),
    type: "crawl.page",
    createdAt,
    result: null,
    pageError: null,
    error: null,
    ...fields,
  };
}
