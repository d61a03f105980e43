// Delivers the events of the outbox, each at least once and beside everything else: several processes share the work, and
// what one of them leaves undone another takes when its lease has run out.
import { setMaxListeners } from "node:events";
import { setTimeout } from "node:timers/promises";
import { type Clock, createDeadline, type Logger, minuteMs, repeat, secondMs } from "../base/index.ts";
import type { FetchFailureCode, FetchOutcome, Net } from "../net/index.ts";
import type { ClaimedWebhookEvent, Store, WebhookOutcome } from "../store/index.ts";
import { buildMessage, type WebhookTarget } from "./message.ts";

export interface WebhookDeliveryDeps {
  store: Pick<Store, "webhooks">;
  clock: Clock;
  fetch: Net["fetch"];
  log: Logger;
  /** Null when the job is gone: its events are given up. */
  readTarget(jobId: string, teamId: string): Promise<WebhookTarget | null>;
  /** The document of a job's finished page, null when it is gone: its event is given up. */
  readDocument(teamId: string, jobId: string, seq: number): Promise<unknown | null>;
  /** Signs every message; null leaves them unsigned. */
  secret: string | null;
  /** Of this process, different from every other one's. */
  owner: string;
}

export interface WebhookDeliveryOptions {
  /** For one attempt, up to the head of the receiver's answer. */
  timeoutMs: number;
  pollMs: number;
  /** Longer than an attempt can take. */
  leaseMs: number;
  concurrency: number;
  /** How long `stop` lets running attempts go on. */
  stopMs: number;
}

export interface WebhookDelivery {
  /** Looks for new events immediately. */
  wake(): void;
  /** Running attempts may still end for a while; those that do not are given back, to be made again by another process. */
  stop(): Promise<void>;
}

const defaults: WebhookDeliveryOptions = {
  timeoutMs: 10 * secondMs,
  pollMs: secondMs,
  leaseMs: 30 * secondMs,
  concurrency: 16,
  stopMs: 3 * secondMs,
};
/** From each failure to the next attempt; after the last of them an event is given up. */
const retryDelaysMs = [secondMs, 10 * secondMs, minuteMs, 5 * minuteMs, 30 * minuteMs];

type Attempt = { isDelivered: true; status: number } | FailedAttempt;

interface FailedAttempt {
  isDelivered: false;
  /** False for what no later attempt can change. */
  mayRetry: boolean;
  /** What the receiver answered, null when it did not. */
  status: number | null;
  error: string;
}

export function createWebhookDelivery(
  deps: WebhookDeliveryDeps,
  options: Partial<WebhookDeliveryOptions> = {},
): WebhookDelivery {
  const { store, clock, log, owner } = deps;
  const { timeoutMs, pollMs, leaseMs, concurrency, stopMs } = { ...defaults, ...options };
  const aborting = new AbortController();
  setMaxListeners(concurrency, aborting.signal);
  const running = new Set<Promise<void>>();
  let claiming: Promise<void> | null = null;
  let isWoken = false;
  let isStopping = false;
  let isStoreFailing = false;

  function wake(): void {
    isWoken = true;
    claiming ??= claimWhileWoken().finally(() => {
      claiming = null;
      if (isWoken && !isStopping) wake();
    });
  }

  async function claimWhileWoken(): Promise<void> {
    while (isWoken && !isStopping) {
      isWoken = false;
      const limit = concurrency - running.size;
      if (limit === 0) return; // The end of an attempt wakes.
      for (const event of await claim(limit)) start(event);
    }
  }

  /** An unreachable store is reported once, not at every turn. */
  async function claim(limit: number): Promise<ClaimedWebhookEvent[]> {
    try {
      const events = await store.webhooks.claimDue({ now: clock.now(), limit, owner, leaseMs });
      isStoreFailing = false;
      return events;
    } catch (error) {
      if (!isStoreFailing) log.error({ err: error }, "claiming webhooks failed");
      isStoreFailing = true;
      return [];
    }
  }

  function start(event: ClaimedWebhookEvent): void {
    const work = deliver(event)
      .catch((error) => log.error({ err: error, ...aboutEvent(event) }, "delivering a webhook failed"))
      .finally(() => {
        running.delete(work);
        wake();
      });
    running.add(work);
  }

  async function deliver(event: ClaimedWebhookEvent): Promise<void> {
    const attempt = isStopping ? null : await attemptOnce(event);
    const outcome = attempt === null ? { kind: "released" as const } : toOutcome(event, attempt);
    const isOurs = await store.webhooks.settle(event, outcome);
    if (!isOurs) log.warn(aboutEvent(event), "a webhook took longer than its lease and may be delivered twice");
    else if (outcome.kind === "failed")
      log.warn({ ...aboutEvent(event), reason: outcome.error }, "a webhook was given up");
  }

  /** Null when stopping ended it. */
  async function attemptOnce(event: ClaimedWebhookEvent): Promise<Attempt | null> {
    try {
      const target = await deps.readTarget(event.jobId, event.teamId);
      if (target === null) return hopeless("The job is no longer stored");
      const document = event.result && (await deps.readDocument(event.teamId, event.jobId, event.result.seq));
      if (event.result !== null && document === null) return hopeless("The page is no longer stored");
      const answer = await send(target, event, document);
      return !answer.ok && aborting.signal.aborted ? null : attemptOf(answer);
    } catch (error) {
      log.error({ err: error, ...aboutEvent(event) }, "preparing a webhook failed");
      return { isDelivered: false, mayRetry: true, status: null, error: "The event could not be prepared" };
    }
  }

  async function send(target: WebhookTarget, event: ClaimedWebhookEvent, document: unknown): Promise<FetchOutcome> {
    const message = buildMessage(event, document, target, deps.secret);
    const deadline = createDeadline(aborting.signal, timeoutMs);
    try {
      return await deps.fetch({
        url: target.url,
        method: "POST",
        ...message,
        signal: deadline.signal,
        followRedirects: false,
        // Its status says everything; net reads 64 KB of the rest at most.
        ignoresBody: true,
      });
    } finally {
      deadline.clear();
    }
  }

  function toOutcome({ attempts }: ClaimedWebhookEvent, attempt: Attempt): WebhookOutcome {
    const at = clock.now();
    if (attempt.isDelivered) return { kind: "delivered", at, status: attempt.status };
    const { status, error } = attempt;
    const delayMs = attempt.mayRetry ? retryDelaysMs[attempts] : undefined;
    if (delayMs === undefined) return { kind: "failed", at, status, error };
    return { kind: "retry", nextAt: at + delayMs, status, error };
  }

  const polling = repeat(
    pollMs,
    async () => wake(),
    () => undefined,
  );
  return {
    wake,
    async stop() {
      isStopping = true;
      await polling.stop();
      await claiming;
      const ended = new AbortController();
      const late = setTimeout(stopMs, null, { signal: ended.signal }).then(
        () => aborting.abort(),
        () => undefined,
      );
      await Promise.all(running);
      ended.abort();
      await late;
    },
  };
}

/** Any 2xx is a delivery. */
function attemptOf(answer: FetchOutcome): Attempt {
  if (!answer.ok) {
    const error = receiverErrors[answer.code] ?? answer.message;
    return { isDelivered: false, mayRetry: answer.code !== "URL_NOT_ALLOWED", status: null, error };
  }
  const { status } = answer;
  if (status >= 200 && status < 300) return { isDelivered: true, status };
  const hint = status >= 300 && status < 400 ? "; redirects are not followed" : "";
  return { isDelivered: false, mayRetry: true, status, error: `The receiver answered ${status}${hint}` };
}

/** What `net` says about pages. */
const receiverErrors: Partial<Record<FetchFailureCode, string>> = {
  SCRAPE_TIMEOUT: "The receiver did not answer in time",
};

function hopeless(error: string): FailedAttempt {
  return { isDelivered: false, mayRetry: false, status: null, error };
}

/** For the log: who, but never where to or what. */
function aboutEvent({ id, jobId, teamId, type, attempts }: ClaimedWebhookEvent) {
  return { webhookId: id, jobId, teamId, type, attempts };
}
