// All features as one part of the program. Each names in its own interface what it takes of these parts.
import type { KindsOfWork } from "../../jobs/index.ts";
import type { PageRows } from "../../pages/index.ts";
import { createAgentOperations } from "../agent/agent.ts";
import { createAgentWork } from "../agent/agent-work.ts";
import { createResearchOperations } from "../agent/research.ts";
import type { AgentOptions } from "../agent/start-agent.ts";
import { createArchiveOperations } from "../archive/archives.ts";
import { createBatchOperations } from "../batch/batch.ts";
import { createBatchWork } from "../batch/batch-work.ts";
import { type CrawlOptions, createCrawlOperations } from "../crawl/crawl.ts";
import { createCrawlWork } from "../crawl/crawl-work.ts";
import { createExtractOperations, type ExtractOptions } from "../extract/extract.ts";
import { createExtractWork } from "../extract/extract-work.ts";
import { createFeedbackOperations } from "../feedback/feedback.ts";
import { createFlows } from "../flows/create-flows.ts";
import { createListFeeds } from "../list-feed/create-feeds.ts";
import { createLlmsTextOperations, createLlmsTextWork } from "../llms-text/site-llms-text.ts";
import { createFileAdder, createIndexOperations } from "../local-index/add-files.ts";
import { createSourceAdders } from "../local-index/add-sources.ts";
import { createIndexUpkeep } from "../local-index/index-upkeep.ts";
import { createIndexedSources } from "../local-index/indexed-sources.ts";
import { createSourceUpkeep } from "../local-index/source-upkeep.ts";
import { createMapOperations } from "../map/map.ts";
import { createMonitors, type MonitorOptions } from "../monitor/create-monitors.ts";
import { createNotices, createNotifyEntries, type NoticeOptions } from "../notices/create-notices.ts";
import { admitted } from "../parts/admitted.ts";
import { createAgentHints } from "../parts/agent-hints.ts";
import { partsOfRooms, type Rooms, type ServedOperations } from "../parts/operation-parts.ts";
import { createApiRequests } from "../scrape/api-request.ts";
import { createParseOperations } from "../scrape/parse.ts";
import { createScrapeOperations } from "../scrape/scrape.ts";
import { createUploads } from "../scrape/uploads.ts";
import { createDeveloperSearch } from "../search/developer.ts";
import { createPaperOperations } from "../search/papers.ts";
import { createSearchOperations } from "../search/search.ts";
import { createSessions, type SessionsOptions } from "../sessions/create-sessions.ts";
import { createDeliveryOperations } from "../team/deliveries.ts";
import { createExtractorOperations } from "../team/extractors.ts";
import { createPolicyOperations } from "../team/policy.ts";
import { createTeamOperations } from "../team/team.ts";
import { createSecretOperations } from "../team/team-secrets.ts";
import { createTraceOperations } from "../trace/read-trace.ts";

export interface OperationsOptions {
  maxUploadBytes: number;
  crawl: CrawlOptions;
  extract: ExtractOptions;
  agent: AgentOptions;
  monitor: MonitorOptions;
  notices: NoticeOptions;
  sessions: SessionsOptions;
}

export type FeatureParts = ReturnType<typeof createOperations>;

export function createOperations(rooms: Rooms, options: OperationsOptions) {
  const parts = partsOfRooms(rooms);
  const uploads = createUploads(parts, { maxBytes: options.maxUploadBytes });
  const parsing = createParseOperations(parts, uploads);
  const sessions = createSessions(parts, options.sessions);
  const batches = createBatchOperations(parts, options.crawl);
  const crawls = createCrawlOperations(parts, options.crawl);
  const addFiles = createFileAdder(parts);
  const scrapes = createScrapeOperations(parts);
  const flows = createFlows(parts, { scrape: scrapes.scrape, readEvents: sessions.readEvents });
  const feeds = createListFeeds(parts, { ...scrapes, ...batches });
  const entries = createNotifyEntries(parts);
  const monitors = createMonitors(parts, { ...batches, ...crawls }, entries, options.monitor);
  const notices = createNotices(parts, entries, monitors.notices, options.notices);
  const kinds: KindsOfWork<PageRows> = {
    crawl: createCrawlWork(parts),
    batch: createBatchWork(parts),
    extract: createExtractWork(parts),
    ...createAgentWork(parts),
    llmstxt: createLlmsTextWork(parts),
    monitor: monitors.work,
  };
  return {
    kinds,
    monitors,
    feeds,
    notices,
    indexedSources: createSourceUpkeep(parts, { ...batches, ...crawls }),
    sessions,
    uploads,
    index: createIndexUpkeep(parts),
    agentHints: createAgentHints(parts),
    /** The operation of the same name, which also tells of each page that was read. */
    parseFile: parsing.parse,
    operations: admitted({
      ...createTeamOperations(parts),
      ...createPolicyOperations(parts),
      ...scrapes,
      ...createApiRequests(parts),
      ...parsing,
      ...createMapOperations(parts),
      ...createArchiveOperations(parts),
      ...createSearchOperations(parts, options.crawl),
      ...createPaperOperations(parts),
      ...createDeveloperSearch(parts),
      ...createIndexOperations(addFiles),
      ...createSourceAdders(parts, addFiles),
      ...createIndexedSources(parts),
      ...createFeedbackOperations(parts),
      ...createExtractorOperations(parts),
      ...batches,
      ...crawls,
      ...createExtractOperations(parts, options.extract),
      ...createAgentOperations(parts, options.agent),
      ...createResearchOperations(parts, options.agent),
      ...createLlmsTextOperations(parts, options.crawl),
      ...monitors.operations,
      ...feeds.operations,
      ...flows.operations,
      ...notices.operations,
      ...createTraceOperations(parts),
      ...createDeliveryOperations(parts),
      ...createSecretOperations(parts),
      ...sessions.operations,
      deleteProfile: parts.profiles.deleteProfile,
    } satisfies ServedOperations),
  };
}
