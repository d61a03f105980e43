// Jobs: the operations of crawls, batches, extracts and agents, the worker that performs them, and their webhooks.

import type { Caller } from "../accounts/index.ts";
import { type Logger, logFailure, type StartTrace } from "../base/index.ts";
import { createJobNotifier } from "../cluster/index.ts";
import type { Config } from "../config.ts";
import type { Operations } from "../contract/index.ts";
import {
  createDocumentJobs,
  createEventData,
  createExtractionRecords,
  createJobExport,
  createJobNews,
  createJobPauser,
  createJobSaver,
  createJobStarter,
  createPageCounter,
  createSettingsPacker,
  createTaskPerformer,
  createWorker,
  type Owner,
  showDocument,
  withoutReserve,
} from "../jobs/index.ts";
import {
  createAgentOperations,
  createBatchOperations,
  createCrawlOperations,
  createDeliveryOperations,
  createExtractOperations,
  createExtractorOperations,
  createFewPages,
  createTraceOperations,
} from "../operations/index.ts";
import {
  type FindStoredPage,
  type PageRecorder,
  requireAllowedUrl,
  type SchemaCheck,
  writePages,
} from "../pages/index.ts";
import type { Sealer } from "../store/index.ts";
import type { WebhookDelivery } from "../webhooks/index.ts";
import { type JobKindDeps, joinJobKinds } from "./join-job-kinds.ts";
import { joinMonitors } from "./join-monitors.ts";
import { createMemoryReader } from "./memory-pressure.ts";

export type Jobs = ReturnType<typeof joinJobs>;

export interface JobPartDeps extends Omit<JobKindDeps, "records" | "monitor" | "mostOfHost"> {
  log: Logger;
  sealer: Sealer;
  owner: Owner;
  recorder: Pick<PageRecorder, "onKept">;
  schemas: SchemaCheck;
  findStoredPage: FindStoredPage;
  /** Null when tracing is off. */
  startTrace: StartTrace | null;
}

export function joinJobs(config: Config, { log, sealer, owner, ...deps }: JobPartDeps) {
  const { store, clock, net, checkUrl, schemas, requireBrowser, model } = deps;
  const { credits } = deps.accounts;
  const { teamConcurrency, hostConcurrency } = config;
  const news = createJobNews();
  const packer = createSettingsPacker(sealer);
  const records = createExtractionRecords({ store, clock });
  let webhooks: WebhookDelivery | null = null;
  const readMemory = createMemoryReader(config.memoryLimitMb);
  const checkWebhookUrl = (url: string, path: readonly string[]) => void requireAllowedUrl(checkUrl, url, path);
  const { maxRetentionHours } = config;
  const isAlone = () => store.notifier === null;
  const wakeWebhooks = () => webhooks?.wake();
  const notifier = createJobNotifier(store.notifier, {
    wake() {
      worker.wake();
      wakeWebhooks();
    },
    onChange: news.tell,
    cancel(jobId) {
      worker.cancel(jobId);
      work.forget(jobId);
    },
  });
  const wake = () => {
    worker.wake();
    notifier.publishWork();
  };
  const onChange = (jobId: string) => {
    news.tell(jobId);
    notifier.publishChange(jobId);
  };
  const readTarget = async (jobId: string) => {
    const job = await store.jobs.read(jobId);
    return job && packer.openWebhook(job);
  };
  const starter = createJobStarter({ store, clock, packer, checkWebhookUrl, readMemory, wake, maxRetentionHours });
  const pauser = createJobPauser({
    store,
    clock,
    onChange(jobId) {
      onChange(jobId);
      wakeWebhooks();
      wake();
    },
  });
  const cancelWork = (jobId: string) => {
    worker.cancel(jobId);
    work.forget(jobId);
    notifier.publishCancelled(jobId);
  };
  const explainFewPages = createFewPages({ store });
  const documentJobs = createDocumentJobs({ store, clock, news, showDocument, explainFewPages, cancelWork });
  const starting = { store, clock, credits, starter, schemas, records, checkUrl, requireBrowser, model };
  const exportJob = createJobExport(documentJobs);
  const batches = createBatchOperations({ ...starting, jobs: documentJobs, pauser, exportJob, teamConcurrency });
  const crawls = createCrawlOperations({
    ...starting,
    sites: deps.sites,
    jobs: documentJobs,
    pauser,
    exportJob,
    teamConcurrency,
    hostConcurrency,
    mayIgnoreRobots: config.respectRobots === "off",
  });
  const monitors = joinMonitors(config, {
    ...deps,
    log,
    sealer,
    starter,
    jobs: { ...batches, ...crawls },
    readDocument: documentJobs.readDocument,
    cancelWork,
    wakeWebhooks,
  });
  const kinds = joinJobKinds({
    ...deps,
    records,
    monitor: monitors.work,
    mostOfHost: withoutReserve(config.workerConcurrency),
  });
  const work = createTaskPerformer({ store, packer, kinds, startTrace: deps.startTrace });
  const worker = createWorker(
    {
      store,
      clock,
      log,
      perform: work.perform,
      trace: work.trace,
      countAffordable: createPageCounter(credits),
      save: createJobSaver({ clock, writeRows: writePages, forget: work.forget }),
      onKept: deps.recorder.onKept,
      onChange({ id, webhook }) {
        onChange(id);
        if (webhook !== null) wakeWebhooks();
      },
    },
    {
      owner,
      concurrency: config.workerConcurrency,
      teamLimit: teamConcurrency,
      leaseMs: config.jobLeaseMs,
      isTold: notifier.isConnected,
    },
  );
  return {
    operations: {
      ...createTraceOperations({ store, clock, records, findStoredPage: deps.findStoredPage }),
      ...createExtractorOperations({ store }),
      ...createDeliveryOperations({ store, clock, readTarget, wake: wakeWebhooks }),
      ...batches,
      ...crawls,
      ...monitors.operations,
      ...createExtractOperations({
        ...starting,
        teamConcurrency,
        maxUrls: config.extractMaxUrls,
        maxPages: config.extractMaxPages,
      }),
      ...createAgentOperations({
        ...starting,
        maxPages: config.agentMaxPages,
        maxSeconds: config.agentMaxSeconds,
        isPlanned: model !== null,
        cancelWork,
      }),
    } satisfies Partial<Operations<Caller>>,

    /** Starts the checks of monitors whose time has come; the worker does so every second. */
    runDueMonitors: monitors.runDue,

    /** Tasks under leases of this process. */
    load: worker.load,
    isTold: notifier.isConnected,

    /** Subscribes to what other processes do with jobs. */
    listen: notifier.subscribe,

    /** Starts the worker and the webhooks; until then jobs are only accepted and read. */
    async start(isElected: () => boolean = isAlone): Promise<void> {
      worker.start();
      monitors.start(isElected);
      const { createWebhookDelivery } = await import("../webhooks/index.ts");
      const readOther = createEventData({ store, records }, documentJobs.readDocument);
      const readDocument: typeof readOther = async (...event) =>
        (await monitors.readEvent(...event)) ?? readOther(...event);
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
      await monitors.stop();
      await worker.stop(graceMs);
      await webhooks?.stop();
    },
  };
}
