// Jobs as one part of the program: what features need to start, show and steer them, and the worker that performs their tasks.

import type { Credits } from "../../accounts/index.ts";
import type { Archives } from "../../archive/index.ts";
import type { Clock, Lazy, Logger, Owner, StartTrace } from "../../base/index.ts";
import type { Extractor } from "../../extraction/index.ts";
import type { LanguageModel } from "../../llm/index.ts";
import type { Net } from "../../net/index.ts";
import { type PageRows, type Pages, writePages } from "../../pages/index.ts";
import type { Reach } from "../../reach/index.ts";
import type { FindResults } from "../../search/index.ts";
import type { Site } from "../../site/index.ts";
import type { Sealer, Store } from "../../store/index.ts";
import { createPageCounter } from "../engine/claim.ts";
import { createJobSignals } from "../engine/job-signals.ts";
import { createJobStarter } from "../engine/job-start.ts";
import { createWorker, type Worker, withoutReserve } from "../engine/job-worker.ts";
import { createMemoryReader } from "../engine/memory-pressure.ts";
import { createJobPauser } from "../engine/pause-job.ts";
import { createTaskPerformer, type KindsOfWork } from "../engine/perform-task.ts";
import { createJobSaver } from "../engine/save-settlements.ts";
import { createSettingsPacker } from "../engine/settings-packer.ts";
import { createPageAnswerer } from "../extraction/answer-from-records.ts";
import { createEventData } from "../extraction/event-data.ts";
import { createExtractionPages } from "../extraction/extraction-pages.ts";
import { createPageFinder } from "../extraction/find-pages.ts";
import { createExtractionRecords } from "../extraction/record-store.ts";
import { createDocumentJobs } from "../pages/document-jobs.ts";
import { createJobExport } from "../pages/export/export-job.ts";
import { readLlmsPages } from "../pages/export/write-llms.ts";
import { createTaskPages } from "../pages/read-task-page.ts";
import { createJobPages } from "../pages/stored-job-page.ts";

export interface JobsDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  sealer: Sealer;
  owner: Owner;
  credits: Credits;
  archives: Pick<Archives, "open">;
  net: Pick<Net, "checkUrl" | "readyAt">;
  reach: Pick<Reach, "robots">;
  pages: Pick<Pages, "obtainPage" | "openResultTexts" | "recorder">;
  site: Pick<Site, "findSiteUrls">;
  findResults: FindResults;
  extraction: Lazy<Extractor>;
  /** Null when none is configured. */
  model: LanguageModel | null;
  /** Null when tracing is off. */
  startTrace: StartTrace | null;
}

export interface JobsOptions {
  /** Tasks that this process performs at the same time. */
  concurrency: number;
  /** Tasks of one team at the same time, over all processes. */
  teamLimit: number;
  /** A process that does not renew its leases for this long loses its tasks. */
  leaseMs: number;
  maxRetentionHours: number;
  /** 0: the limit of the container. */
  memoryLimitMb: number;
}

export type Jobs = ReturnType<typeof createJobs>;

export function createJobs(deps: JobsDeps, options: JobsOptions) {
  const { store, clock, log, model, extraction, credits, findResults } = deps;
  const { checkUrl, readyAt } = deps.net;
  const { robots } = deps.reach;
  const { obtainPage, openResultTexts, recorder } = deps.pages;
  const { findSiteUrls } = deps.site;
  const signals = createJobSignals(store.notifier);
  const packer = createSettingsPacker(deps.sealer);
  const readMemory = createMemoryReader(options.memoryLimitMb);
  const { maxRetentionHours } = options;
  const starter = createJobStarter({ store, clock, packer, checkUrl, readMemory, signals, maxRetentionHours });
  const documents = createDocumentJobs({ store, clock, signals });
  const records = createExtractionRecords({ store, clock });
  const taskPages = createTaskPages({
    clock,
    archives: deps.archives,
    obtainPage,
    readyAt,
    mostOfHost: withoutReserve(options.concurrency),
  });

  return {
    signals,
    starter,
    pauser: createJobPauser({ store, clock, signals }),
    documents,
    exportJob: createJobExport(documents),
    readLlmsPages,
    records,
    /** A page of a crawl or batch, by its own id. */
    findPage: createJobPages({ store, clock }),
    taskPages,
    extractionPages: createExtractionPages({ clock, pages: taskPages, model }),
    finder: createPageFinder({
      clock,
      archives: deps.archives,
      robots,
      records,
      findSiteUrls,
      findResults,
      openResultTexts,
    }),
    answerer: createPageAnswerer({ clock, store, records, extraction, model, credits }),

    /** Where the webhook events of a job go; null when it has no webhook, or is gone. */
    async readWebhook(jobId: string) {
      const job = await store.jobs.read(jobId);
      return job && packer.openWebhook(job);
    },
    /** What an event carries. */
    readEvent: createEventData({ store, records }, documents.readDocument),

    /** The worker of this process; it performs nothing before it is started. */
    openWorker(kinds: KindsOfWork<PageRows>): Worker {
      const tasks = createTaskPerformer({ store, packer, kinds, startTrace: deps.startTrace });
      const worker = createWorker<PageRows>(
        {
          store,
          clock,
          log,
          perform: tasks.perform,
          trace: tasks.trace,
          countAffordable: createPageCounter(credits),
          save: createJobSaver({ clock, writeRows: writePages, forget: tasks.forget }),
          onKept: recorder.onKept,
          onChange({ id, webhook }) {
            signals.publishChange(id);
            if (webhook !== null) signals.publishEvents();
          },
        },
        {
          owner: deps.owner,
          concurrency: options.concurrency,
          teamLimit: options.teamLimit,
          leaseMs: options.leaseMs,
          isTold: signals.isConnected,
        },
      );
      signals.subscribe({
        onWork: worker.wake,
        onCancelled(jobId) {
          worker.cancel(jobId);
          tasks.forget(jobId);
        },
      });
      return worker;
    },
  };
}
