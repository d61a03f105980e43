// Durable work: what callers can ask of crawls, batches, extracts and agents, who works on them, and who tells of them.
import type { Caller } from "../accounts/index.ts";
import type { Logger } from "../base/index.ts";
import type { Config } from "../config.ts";
import type { Operations } from "../contract/index.ts";
import { createWorker, type Owner } from "../jobs/index.ts";
import type { Net } from "../net/index.ts";
import {
  createAgentOperations,
  createBatchOperations,
  createCrawlOperations,
  createEventData,
  createExtractionRecords,
  createExtractOperations,
  createJobChanges,
  createJobOperations,
  createJobSaver,
  createJobStarter,
  createJobWork,
  createPageCounter,
  createSettingsPacker,
  createTraceOperations,
} from "../operations/index.ts";
import type { LazyExtraction } from "../pages/index.ts";
import type { Sealer } from "../store/index.ts";
import type { WebhookDelivery } from "../webhooks/index.ts";
import type { OperationDeps } from "./join-operations.ts";
import type { PagePart } from "./join-pages.ts";
import { logFailure } from "./log-failure.ts";
import { createMemoryReader } from "./memory-pressure.ts";

export type Jobs = ReturnType<typeof joinJobs>;

export interface JobPartDeps extends OperationDeps, Pick<PagePart, "recorder" | "robots" | "sites"> {
  net: Net;
  log: Logger;
  sealer: Sealer;
  owner: Owner;
  extraction: LazyExtraction;
}

export function joinJobs(config: Config, { accounts, net, log, sealer, owner, ...deps }: JobPartDeps) {
  const { store, clock, judge, schemas, requireBrowser, model } = deps;
  const { credits } = accounts;
  const { teamConcurrency, hostConcurrency } = config;
  const changes = createJobChanges();
  const packer = createSettingsPacker(sealer);
  const records = createExtractionRecords({ store, clock });
  const work = createJobWork({ ...deps, credits, records, packer, readyAt: net.readyAt });
  const worker = createWorker(
    {
      store,
      clock,
      log,
      perform: work.perform,
      countAffordable: createPageCounter(credits),
      save: createJobSaver({ clock, forget: work.forget }),
      onKept: deps.recorder.index,
      onChange(jobId) {
        changes.tell(jobId);
        webhooks?.wake();
      },
    },
    { owner, concurrency: config.workerConcurrency, teamLimit: teamConcurrency, leaseMs: config.jobLeaseMs },
  );
  let webhooks: WebhookDelivery | null = null;
  const readMemory = createMemoryReader(config.memoryLimitMb);
  const starter = createJobStarter({ store, clock, packer, judge, readMemory, wake: worker.wake });
  const cancelWork = (jobId: string) => {
    worker.cancel(jobId);
    work.forget(jobId);
  };
  const operations = createJobOperations({ store, clock, changes, cancelWork });
  const answering = { store, clock, credits, starter, schemas, records, judge, requireBrowser, model };
  return {
    operations: {
      ...operations.operations,
      ...createTraceOperations({ store, clock, records, findStoredPage: deps.findStoredPage }),
      ...createBatchOperations({ ...answering, teamConcurrency }),
      ...createCrawlOperations({
        ...answering,
        teamConcurrency,
        hostConcurrency,
        mayIgnoreRobots: config.respectRobots === "off",
      }),
      ...createExtractOperations({
        ...answering,
        teamConcurrency,
        maxUrls: config.extractMaxUrls,
        maxPages: config.extractMaxPages,
      }),
      ...createAgentOperations({
        ...answering,
        maxPages: config.agentMaxPages,
        maxSeconds: config.agentMaxSeconds,
        isPlanned: deps.model !== null,
        cancelWork,
      }),
    } satisfies Partial<Operations<Caller>>,

    /** Begins to work on jobs and to tell of them; until then they are only accepted and read. */
    async start(): Promise<void> {
      worker.start();
      const { createWebhookDelivery } = await import("../webhooks/index.ts");
      const readDocument = createEventData({ store, records }, operations.readDocument);
      const readTarget = async (jobId: string) => {
        const job = await store.jobs.read(jobId);
        return job && packer.openWebhook(job);
      };
      const what = "taking back the webhooks of an ended process";
      await store.webhooks
        .listOwners(owner.prefix)
        .then((owners) => store.webhooks.releaseOwners(owners.filter(owner.isGone)))
        .catch(logFailure(log, what)); // They can be claimed when their leases have run out.
      const secret = config.webhookSecret;
      webhooks = createWebhookDelivery({
        store,
        clock,
        log,
        fetch: net.fetch,
        readTarget,
        readDocument,
        secret,
        owner: owner.name,
      });
    },

    async stop(graceMs: number): Promise<void> {
      await worker.stop(graceMs);
      await webhooks?.stop();
    },
  };
}
