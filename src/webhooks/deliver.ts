// Delivers the events of the outbox in the background, each at least once. Several processes share the work; what one leaves undone,
// another takes over when the lease expires.
import { setMaxListeners } from "node:events";
import { setTimeout } from "node:timers/promises";
import { repeat, secondMs } from "../base/index.ts";
import type { ClaimedWebhookEvent, Store } from "../store/index.ts";
import { aboutEvent, attemptDelivery, type DeliveryAttemptDeps } from "./attempt.ts";

export interface WebhookDeliveryDeps extends DeliveryAttemptDeps {
  store: Pick<Store, "webhooks">;
  /** Unique to this process. */
  owner: string;
}

export interface WebhookDeliveryOptions {
  /** For one attempt, until the receiver's response headers. */
  timeoutMs: number;
  pollMs: number;
  /** Longer than an attempt can take. */
  leaseMs: number;
  concurrency: number;
  /** How long `stop` waits for running attempts. */
  stopMs: number;
}

export type WebhookDelivery = ReturnType<typeof createWebhookDelivery>;

const defaults: WebhookDeliveryOptions = {
  timeoutMs: 10 * secondMs,
  pollMs: secondMs,
  leaseMs: 30 * secondMs,
  concurrency: 16,
  stopMs: 3 * secondMs,
};

export function createWebhookDelivery(deps: WebhookDeliveryDeps, options: Partial<WebhookDeliveryOptions> = {}) {
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
      if (limit === 0) return; // The end of an attempt calls this again.
      for (const event of await claim(limit)) start(event);
    }
  }

  /** An unreachable store is reported once, not each time. */
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
    const outcome = isStopping
      ? { kind: "released" as const }
      : await attemptDelivery(deps, event, timeoutMs, aborting.signal);
    const isOurs = await store.webhooks.settle(event, outcome);
    if (!isOurs) log.warn(aboutEvent(event), "a webhook took longer than its lease and may be delivered twice");
    else if (outcome.kind === "failed")
      log.warn({ ...aboutEvent(event), reason: outcome.error }, "a webhook was given up");
  }

  const polling = repeat(
    pollMs,
    async () => wake(),
    () => undefined,
  );
  return {
    /** Looks for new events immediately. */
    wake,
    /** Waits a while for running attempts; the others are released, so that another process repeats them. */
    async stop(): Promise<void> {
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
