// One attempt to deliver an event, and what follows from it: delivered, tried again later, or given up.
import { type Clock, createDeadline, type Logger, minuteMs, secondMs } from "../base/index.ts";
import type { FetchOutcome, Net } from "../net/index.ts";
import type { ClaimedWebhookEvent, WebhookOutcome } from "../store/index.ts";
import { buildMessage, type WebhookTarget } from "./message.ts";

export interface DeliveryAttemptDeps {
  clock: Clock;
  fetch: Net["fetch"];
  log: Logger;
  /** Null when the job is gone: its events are given up. */
  readTarget(jobId: string, teamId: string): Promise<WebhookTarget | null>;
  /** The document of a job's finished page, null when it is gone: its event is given up. */
  readDocument(teamId: string, jobId: string, seq: number): Promise<unknown | null>;
  /** Signs every message; null leaves them unsigned. */
  secret: string | null;
}

/** From each failure to the next attempt; after the last of them an event is given up. */
const retryDelaysMs = [secondMs, 10 * secondMs, minuteMs, 5 * minuteMs, 30 * minuteMs];

/** `timeoutMs`: up to the head of the receiver's answer. An attempt that stopping ends is made again by another process. */
export async function attemptDelivery(
  deps: DeliveryAttemptDeps,
  event: ClaimedWebhookEvent,
  timeoutMs: number,
  stopping: AbortSignal,
): Promise<WebhookOutcome> {
  const { clock, log } = deps;
  const { jobId, teamId, result, attempts } = event;
  const giveUp = (error: string) => ({ kind: "failed" as const, at: clock.now(), status: null, error });
  try {
    const target = await deps.readTarget(jobId, teamId);
    if (target === null) return giveUp("The job is no longer stored");
    const document = result && (await deps.readDocument(teamId, jobId, result.seq));
    if (result !== null && document === null) return giveUp("The page is no longer stored");
    const answer = await send(deps, target, event, document, createDeadline(stopping, timeoutMs));
    return !answer.ok && stopping.aborted ? { kind: "released" } : outcomeOf(answer, attempts, clock.now());
  } catch (error) {
    log.error({ err: error, ...aboutEvent(event) }, "preparing a webhook failed");
    return retryOf(null, "The event could not be prepared", attempts, clock.now());
  }
}

async function send(
  deps: DeliveryAttemptDeps,
  target: WebhookTarget,
  event: ClaimedWebhookEvent,
  document: unknown,
  { signal, clear }: ReturnType<typeof createDeadline>,
): Promise<FetchOutcome> {
  const message = buildMessage(event, document, target, deps.secret);
  // The status says everything; net reads 64 KB of the rest at most.
  const how = { method: "POST" as const, followRedirects: false, ignoresBody: true };
  return deps.fetch({ url: target.url, ...message, ...how, signal }).finally(clear);
}

/** Any 2xx is a delivery; a URL that is not allowed stays so. */
export function outcomeOf(answer: FetchOutcome, attempts: number, now: number): WebhookOutcome {
  if (!answer.ok) {
    // The other messages of `net` speak of pages.
    const error = answer.code === "SCRAPE_TIMEOUT" ? "The receiver did not answer in time" : answer.message;
    return answer.code === "URL_NOT_ALLOWED"
      ? { kind: "failed", at: now, status: null, error }
      : retryOf(null, error, attempts, now);
  }
  const { status } = answer;
  if (status >= 200 && status < 300) return { kind: "delivered", at: now, status };
  const hint = status >= 300 && status < 400 ? "; redirects are not followed" : "";
  return retryOf(status, `The receiver answered ${status}${hint}`, attempts, now);
}

function retryOf(status: number | null, error: string, attempts: number, now: number): WebhookOutcome {
  const delayMs = retryDelaysMs[attempts];
  if (delayMs === undefined) return { kind: "failed", at: now, status, error };
  return { kind: "retry", nextAt: now + delayMs, status, error };
}

/** For the log: who, but never where to or what. */
export function aboutEvent({ id, jobId, teamId, type, attempts }: ClaimedWebhookEvent) {
  return { webhookId: id, jobId, teamId, type, attempts };
}
