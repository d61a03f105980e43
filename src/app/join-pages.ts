// How pages are obtained: cache, robots check, reader and recorder, joined once for all features.
import type { Accounts } from "../accounts/index.ts";
import type { Clock } from "../base/index.ts";
import type { Config } from "../config.ts";
import type { ContentPool } from "../content/index.ts";
import type { PageFinding, ReaderInput } from "../extraction/index.ts";
import type { Net } from "../net/index.ts";
import {
  type ChangeTracker,
  createAttemptMemory,
  createAttempts,
  createByteReader,
  createCaptionReader,
  createDocumentReader,
  createFileObtainer,
  createFileRunner,
  createHostStats,
  createPageAnswers,
  createPageCache,
  createPageFileReader,
  createPageObtainer,
  createPageReader,
  createPageRecorder,
  createPageSaver,
  createProxyWarnings,
  createResultTexts,
  createRobotsChecks,
  createSiteReader,
  createSiteRulesReader,
  createSiteUrlFinder,
  createStartPageReader,
  type IndexIntake,
  type LanguageModel,
  type LazyExtraction,
  type PageFetcher,
} from "../pages/index.ts";
import type { Sealer, Store } from "../store/index.ts";

export interface PagePartDeps {
  store: Store;
  clock: Clock;
  net: Net;
  accounts: Accounts;
  content: ContentPool<ReaderInput, PageFinding>;
  extraction: LazyExtraction;
  /** Null when none is configured. */
  model: LanguageModel | null;
  /** Null when the local index is off. */
  index: IndexIntake | null;
  sealer: Sealer;
  fetcher: PageFetcher;
  trackChanges: ChangeTracker;
}

export type PagePart = ReturnType<typeof joinPages>;

export function joinPages(config: Config, deps: PagePartDeps) {
  const { store, clock, net, accounts, content, extraction, model, index, sealer, fetcher, trackChanges } = deps;
  const cache = createPageCache({ store, clock }, { isShared: config.sharedCache, days: config.pageCacheDays });
  const files = createFileRunner({ processes: config.documentProcesses, maxMemoryMb: config.documentMemoryMb });
  const recognition = {
    languages: config.ocrLanguages,
    ...(config.ocrProgram ? { program: config.ocrProgram } : {}),
  };
  const readDocument = createDocumentReader(files, recognition);
  const readFile = createPageFileReader(readDocument, model);
  const answers = createPageAnswers(extraction, model);
  const siteRules = createSiteRulesReader({ store, clock, content, extraction });
  const readBytes = createByteReader({
    content,
    answers,
    trackChanges,
    readFile,
    captions: createCaptionReader(net),
    siteRules,
  });
  const { reachMemoryMs: memoryMs } = config;
  const hostStats = createHostStats({ store, clock }, { memoryMs });
  const memory = createAttemptMemory({ store, sealer, clock }, { memoryMs });
  const tryAttempts = createAttempts({ fetcher, readBytes, memory, hosts: hostStats, clock, proxies: net.proxies });
  const proxyWarnings = createProxyWarnings(net.proxies);
  const reading = { readBytes, hosts: hostStats, slots: accounts.slots, proxyWarnings };
  const readPage = createPageReader({ cache, clock, tryAttempts, ...reading });
  const recorder = createPageRecorder({ cache, clock, pack: store.blobs.pack, index });
  const sites = createSiteReader(
    { store, clock, fetch: net.fetch, proxies: net.proxies },
    { isShared: config.sharedCache },
  );
  const robots = createRobotsChecks({
    sites,
    obeysAlways: config.respectRobots === "all",
    proxies: net.proxies,
    onRules: hostStats.noteRules,
  });
  const obtainPage = createPageObtainer({ recorder, readPage, robots });
  const savePages = createPageSaver({ store, recorder });
  const readStartPage = createStartPageReader({ obtainPage, clock });
  return {
    hostStats,
    siteRules,
    recorder,
    sites,
    robots,
    obtainPage,
    obtainFile: createFileObtainer({ recorder, readBytes, slots: accounts.slots }),
    files,
    readDocument,
    savePages,
    findSiteUrls: createSiteUrlFinder({ store, sites, robots, readStartPage }),
    openResultTexts: createResultTexts({ clock, obtainPage, savePages }),
  };
}
