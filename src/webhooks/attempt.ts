// One attempt to deliver an event, and what follows from it: delivered, tried again later, or given up.
import { type Clock, createDeadline, type Logger, minuteMs, secondMs } from "../base/index.ts";
import type { FetchOutcome, Net } from "../net/index.ts";
import type { ClaimedWebhookEvent, WebhookOutcome } from "../store/index.ts";
import { buildMessage, type WebhookTarget } from "./message.ts";

export interface DeliveryAttemptDeps {
  clock: Clock;
  fetch: Net["fetch"];
  log: Logger;
  /** Null if the job no longer exists: its events are given up. */
  readTarget(jobId: string, teamId: string): Promise<WebhookTarget | null>;
  /** The document of a job's finished page; null if it no longer exists: its event is given up. */
  readDocument(teamId: string, jobId: string, seq: number): Promise<unknown | null>;
  /** Sends a message of notices to its channel; null if its entry, or what it is about, no longer exists. */
  sendNotice(event: NoticeDelivery, signal: AbortSignal): Promise<NoticeAnswer | null>;
  /** Signs every message; null leaves them unsigned. */
  secret: string | null;
}

/** The entry that is told is its job. */
export type NoticeDelivery = Pick<ClaimedWebhookEvent, "id" | "jobId" | "teamId"> & { notice: string };

/** What a channel said; `status` is null where it has none. `error` null: it took the message. */
export interface NoticeAnswer {
  status: number | null;
  error: string | null;
  /** Trying again cannot help. */
  isFinal?: boolean;
  /** How long the channel wants to be left alone. */
  retryAfterMs?: number;
}

/** Delays from each failure to the next attempt; after the last one an event is given up. */
const retryDelaysMs = [secondMs, 10 * secondMs, minuteMs, 5 * minuteMs, 30 * minuteMs];
/** However long a channel asks for. */
const longestWaitMs = 60 * minuteMs;

/** `timeoutMs`: until the receiver's response headers. An attempt that a shutdown ends is repeated by another process. */
export async function attemptDelivery(
  deps: DeliveryAttemptDeps,
  event: ClaimedWebhookEvent,
  timeoutMs: number,
  stopping: AbortSignal,
): Promise<WebhookOutcome> {
  const { clock, log } = deps;
  const { jobId, teamId, result, attempts } = event;
  const giveUp = (error: string) => ({ kind: "failed" as const, at: clock.now(), status: null, error });
  const deadline = () => createDeadline(stopping, timeoutMs);
  try {
    const { notice } = event;
    if (notice !== undefined) {
      const { signal, clear } = deadline();
      const answer = await deps.sendNotice({ ...event, notice }, signal).finally(clear);
      if (answer === null) return giveUp("What it tells, or whom it tells, is no longer stored");
      return answer.error !== null && stopping.aborted
        ? { kind: "released" }
        : noticeOutcome(answer, attempts, clock.now());
    }
    const target = await deps.readTarget(jobId, teamId);
    if (target === null) return giveUp("The job is no longer stored");
    const document = result && (await deps.readDocument(teamId, jobId, result.seq));
    if (result !== null && document === null) return giveUp("The page is no longer stored");
    const answer = await send(deps, target, event, document, deadline());
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
  // Only the status counts; net reads at most 64 KB of the body.
  const how = { method: "POST" as const, followRedirects: false, ignoresBody: true, service: "callers" as const };
  return deps.fetch({ url: target.url, ...message, ...how, signal }).finally(clear);
}

/** Any 2xx is a delivery; a refused URL is not tried again. */
export function outcomeOf(answer: FetchOutcome, attempts: number, now: number): WebhookOutcome {
  if (!answer.ok) {
    // The message of `net` is about pages.
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

function noticeOutcome(answer: NoticeAnswer, attempts: number, now: number): WebhookOutcome {
  const { status, error, isFinal, retryAfterMs = 0 } = answer;
  if (error === null) return { kind: "delivered", at: now, status };
  const outcome = retryOf(status, error, isFinal ? retryDelaysMs.length : attempts, now);
  if (outcome.kind !== "retry") return outcome;
  return { ...outcome, nextAt: Math.max(outcome.nextAt, now + Math.min(retryAfterMs, longestWaitMs)) };
}

function retryOf(status: number | null, error: string, attempts: number, now: number): WebhookOutcome {
  const delayMs = retryDelaysMs[attempts];
  if (delayMs === undefined) return { kind: "failed", at: now, status, error };
  return { kind: "retry", nextAt: now + delayMs, status, error };
}

/** For the log: which event, but never its URL or content. */
export function aboutEvent({ id, jobId, teamId, type, attempts }: ClaimedWebhookEvent) {
  return { webhookId: id, jobId, teamId, type, attempts };
}
