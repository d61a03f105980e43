// All features as one part of the program. Each names in its own interface what it takes of these parts.
import type { Accounts, ActivityLog, Caller, Credits } from "../../accounts/index.ts";
import type { Clock, Logger } from "../../base/index.ts";
import type { ContentPool } from "../../content/index.ts";
import type { Operations } from "../../contract/index.ts";
import type { BrowserEngine } from "../../engines/index.ts";
import type { Jobs, KindsOfWork, Owner } from "../../jobs/index.ts";
import type { Net } from "../../net/index.ts";
import type {
  BrowserCheck,
  FindStoredPage,
  LanguageModel,
  LazyExtraction,
  ObtainFile,
  ObtainPage,
  OpenResultTexts,
  PageRows,
  ReadDocument,
  ReadStoredDocument,
  Replays,
  SavePages,
  SchemaCheck,
} from "../../pages/index.ts";
import type { BrowserProfiles, CallerProxyCheck, CheckUrl, HostStats, RobotsChecks } from "../../reach/index.ts";
import type { Federation, FindResults } from "../../search/index.ts";
import type { FindSiteUrls, SiteReader } from "../../site/index.ts";
import type { Sealer, Store } from "../../store/index.ts";
import { createAgentOperations } from "../agent/agent.ts";
import { createAgentWork } from "../agent/agent-work.ts";
import type { AgentOptions } from "../agent/start-agent.ts";
import { createBatchOperations } from "../batch/batch.ts";
import { createBatchWork } from "../batch/batch-work.ts";
import { type CrawlOptions, createCrawlOperations } from "../crawl/crawl.ts";
import { createCrawlWork } from "../crawl/crawl-work.ts";
import { createExtractOperations, type ExtractOptions } from "../extract/extract.ts";
import { createExtractWork } from "../extract/extract-work.ts";
import { createFeedbackOperations } from "../feedback/feedback.ts";
import { createIndexOperations } from "../local-index/add-files.ts";
import { createIndexUpkeep } from "../local-index/index-upkeep.ts";
import type { PageIndexer } from "../local-index/page-indexer.ts";
import { createMapOperations } from "../map/map.ts";
import type { EmailSender } from "../monitor/check-mail.ts";
import { createMonitors } from "../monitor/create-monitors.ts";
import { createParseOperations } from "../scrape/parse.ts";
import { createScrapeOperations } from "../scrape/scrape.ts";
import { createUploads } from "../scrape/uploads.ts";
import { createSourceOperations } from "../search/open-sources.ts";
import { createSearchOperations } from "../search/search.ts";
import { createSessions, type SessionsOptions } from "../sessions/create-sessions.ts";
import { createDeliveryOperations } from "../team/deliveries.ts";
import { createExtractorOperations } from "../team/extractors.ts";
import { createTeamOperations } from "../team/team.ts";
import { createTraceOperations } from "../trace/read-trace.ts";

export interface OperationsDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  sealer: Sealer;
  owner: Owner;
  accounts: Accounts;
  credits: Credits;
  activity: ActivityLog;
  net: Net;
  checkUrl: CheckUrl;
  checkCallerProxy: CallerProxyCheck;
  /** When a host that asked for a pause wants the next request; 0: now. */
  readyAt(url: string): number;
  content: ContentPool;
  extraction: LazyExtraction;
  schemas: SchemaCheck;
  /** Null when none is configured. */
  model: LanguageModel | null;
  /** The browser of this server, which holds its sessions. */
  browser: BrowserEngine;
  /** Whether any server has one for a request. */
  requireBrowser: BrowserCheck;
  profiles: BrowserProfiles;
  obtainPage: ObtainPage;
  obtainFile: ObtainFile;
  savePages: SavePages;
  readDocument: ReadDocument;
  readStoredDocument: ReadStoredDocument;
  findStoredPage: FindStoredPage;
  replays: Replays;
  sites: SiteReader;
  robots: RobotsChecks;
  findSiteUrls: FindSiteUrls;
  openResultTexts: OpenResultTexts;
  hostStats: Pick<HostStats, "list">;
  findResults: FindResults;
  /** Null when open sources are off. */
  openSources(): Promise<Pick<Federation, "list"> | null>;
  /** Null when the local index is off. */
  indexer: PageIndexer | null;
  jobs: Jobs;
  /** Null when no mail server is configured. */
  mailer: EmailSender | null;
}

export interface OperationsOptions {
  maxUploadBytes: number;
  crawl: CrawlOptions;
  extract: ExtractOptions;
  agent: AgentOptions;
  sessions: SessionsOptions;
}

export type FeatureParts = ReturnType<typeof createOperations>;

export function createOperations(deps: OperationsDeps, options: OperationsOptions) {
  const { store, clock, profiles, sites, indexer } = deps;
  const uploads = createUploads({ store, clock }, { maxBytes: options.maxUploadBytes });
  const parsing = createParseOperations(deps, uploads);
  const sessions = createSessions(deps, options.sessions);
  const inJobs = createJobFeatures(deps, options);
  return {
    kinds: inJobs.kinds,
    monitors: inJobs.monitors,
    sessions,
    uploads,
    index: createIndexUpkeep({ store, sites, indexer }),
    /** The operation of the same name, which also tells of each page that was read. */
    parseFile: parsing.parse,
    operations: {
      ...createTeamOperations(deps),
      ...createScrapeOperations(deps),
      ...parsing,
      ...createMapOperations(deps),
      ...createSearchOperations(deps),
      ...createSourceOperations(deps),
      ...createIndexOperations(deps),
      ...createFeedbackOperations(deps),
      ...createExtractorOperations(deps),
      ...inJobs.operations,
      ...sessions.operations,
      deleteProfile: profiles.deleteProfile,
    } satisfies Partial<Operations<Caller>>,
  };
}

/** What is started, shown and performed as jobs. */
function createJobFeatures(deps: OperationsDeps, options: OperationsOptions) {
  const { store, clock, log, sealer, credits, model, extraction, schemas, checkUrl, requireBrowser } = deps;
  const { findResults, openResultTexts, findStoredPage, sites, robots, mailer } = deps;
  const { starter, pauser, documents, exportJob, records, signals, readWebhook } = deps.jobs;
  const { taskPages, extractionPages, finder, answerer } = deps.jobs;
  const starting = { store, clock, credits, starter, schemas, checkUrl, requireBrowser, model };
  const documentJobs = { ...starting, documents, pauser, exportJob };
  const batches = createBatchOperations(documentJobs, options.crawl);
  const crawls = createCrawlOperations({ ...documentJobs, sites }, options.crawl);
  const monitors = createMonitors(
    { ...starting, log, sealer, signals, documents, findResults, openResultTexts, mailer },
    { ...batches, ...crawls },
  );
  const extracting = { clock, store, records, extraction, model, extractionPages, finder, answerer };
  const kinds: KindsOfWork<PageRows> = {
    crawl: createCrawlWork({ store, clock, sites, robots, model, taskPages }),
    batch: createBatchWork({ model, taskPages }),
    extract: createExtractWork(extracting),
    agent: createAgentWork({ ...extracting, checkUrl, requireBrowser }),
    monitor: monitors.work,
  };
  return {
    kinds,
    monitors,
    operations: {
      ...batches,
      ...crawls,
      ...createExtractOperations({ ...starting, records }, options.extract),
      ...createAgentOperations({ ...starting, records, signals }, options.agent),
      ...monitors.operations,
      ...createTraceOperations({ store, clock, records, findStoredPage }),
      ...createDeliveryOperations({ store, clock, readWebhook, signals }),
    },
  };
}
