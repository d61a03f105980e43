// What a worker does: it performs the tasks of jobs, starts the checks of monitors, has sources of local indexes and list pages of feeds read, and delivers webhook events.
import type { Archives } from "../archive/index.ts";
import { type Clock, type Logger, logFailure, type Owner, type Repetition, repeat, secondMs } from "../base/index.ts";
import type { Jobs } from "../jobs/index.ts";
import type { Net } from "../net/index.ts";
import type { FeatureParts } from "../operations/index.ts";
import type { Store } from "../store/index.ts";
import type { WebhookDelivery } from "../webhooks/index.ts";

export interface BackgroundWorkDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  owner: Owner;
  fetch: Net["fetch"];
  jobs: Jobs;
  kinds: FeatureParts["kinds"];
  monitors: FeatureParts["monitors"];
  notices: FeatureParts["notices"];
  indexedSources: FeatureParts["indexedSources"];
  feeds: FeatureParts["feeds"];
  archives: Pick<Archives, "tend">;
  /** Signs webhook events; null leaves them unsigned. */
  webhookSecret: string | null;
}

export interface BackgroundWork {
  load: ReturnType<Jobs["openWorker"]>["load"];
  /** Starts the checks that are due; a started worker does so every second. */
  runDueMonitors: FeatureParts["monitors"]["runDue"];
  /** Until then jobs are only accepted and read. `isElected`: whether this process starts checks. */
  start(isElected?: () => boolean): Promise<void>;
  stop(graceMs: number): Promise<void>;
}

const archivesIntervalMs = 20 * secondMs;

export function createBackgroundWork(deps: BackgroundWorkDeps): BackgroundWork {
  const { store, clock, log, owner, fetch, jobs, monitors, notices, indexedSources, feeds } = deps;
  const worker = jobs.openWorker(deps.kinds);
  let webhooks: WebhookDelivery | null = null;
  let tending: Repetition | null = null;

  /** Events under the lease of a process that has ended do not have to wait until it expires. */
  async function takeBackEvents(): Promise<void> {
    const owners = await store.webhooks.listOwners(owner.prefix);
    await store.webhooks.releaseOwners(owners.filter(owner.isGone));
  }

  return {
    load: worker.load,
    runDueMonitors: monitors.runDue,
    async start(isElected = () => store.notifier === null) {
      worker.start();
      monitors.start(isElected);
      notices.start();
      indexedSources.start(isElected);
      feeds.start(isElected);
      const tend = async () => (isElected() ? deps.archives.tend() : undefined);
      tending = repeat(archivesIntervalMs, tend, logFailure(log, "ending and deleting web archives"));
      // A server that only answers does without it.
      const { createWebhookDelivery } = await import("../webhooks/index.ts");
      await takeBackEvents().catch(logFailure(log, "taking back the webhooks of an ended process"));
      webhooks = createWebhookDelivery({
        store,
        clock,
        log,
        fetch,
        readTarget: jobs.readWebhook,
        readDocument: async (...event) => (await monitors.readEvent(...event)) ?? jobs.readEvent(...event),
        sendNotice: notices.deliver,
        secret: deps.webhookSecret,
        owner: owner.name,
      });
      jobs.signals.subscribe({ onEvents: webhooks.wake });
    },
    async stop(graceMs) {
      await tending?.stop();
      await Promise.all([monitors.stop(), notices.stop(), indexedSources.stop(), feeds.stop()]);
      await worker.stop(graceMs);
      await webhooks?.stop();
    },
  };
}
