// The signed request that delivers one event.
import { createHmac } from "node:crypto";
import type { ClaimedWebhookEvent } from "../store/index.ts";

/** Where the events of a job go. */
export interface WebhookTarget {
  url: string;
  headers: Record<string, string>;
  metadata: Record<string, unknown>;
  /** What the caller calls the request that started the job. */
  externalRequestId?: string | null;
}

/** `document` is that of the event's finished page. */
export function buildMessage(
  event: ClaimedWebhookEvent,
  document: unknown,
  target: WebhookTarget,
  secret: string | null,
) {
  const error = event.error ?? event.pageError?.message ?? null;
  const payload = {
    success: error === null,
    type: event.type,
    id: event.jobId,
    webhookId: event.id,
    data: listData(event, document),
    ...(error === null ? {} : { error }),
    metadata: target.metadata,
    ...(target.externalRequestId ? { externalRequestId: target.externalRequestId } : {}),
  };
  const body = Buffer.from(JSON.stringify(payload));
  return { headers: { ...target.headers, "content-type": "application/json", ...signatures(body, secret) }, body };
}

/** A page that failed has no document, but its receiver wants to know which page it was. */
function listData({ result, pageError }: ClaimedWebhookEvent, document: unknown): unknown[] {
  if (result !== null) return [document];
  if (pageError === null) return [];
  return [{ metadata: { sourceURL: pageError.url, error: pageError.message, code: pageError.code } }];
}

/** In lower case and after the caller's headers, so that none of those can replace them. */
function signatures(body: Buffer, secret: string | null): Record<string, string> {
  if (secret === null) return {};
  // In hexadecimal, as receivers of Firecrawl's webhooks check it.
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  return { "x-webhook-signature": signature, "x-firecrawl-signature": signature };
}
