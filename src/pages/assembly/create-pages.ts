// Builds the room: everything through which a feature obtains pages, from what it is given.
import type { Clock, Slots } from "../../base/index.ts";
import type { ContentPool } from "../../content/index.ts";
import type { BrowserEngine, HttpEngine } from "../../engines/index.ts";
import type { PageFinding, ReaderInput } from "../../extraction/index.ts";
import type { Net } from "../../net/index.ts";
import type { Sealer, Store } from "../../store/index.ts";
import { createPageAnswers } from "../answers/page-answers.ts";
import { createPageCache } from "../cache/page-cache.ts";
import { createChangeTracker } from "../changes/change-tracking.ts";
import type { LazyExtraction } from "../data/lazy-extraction.ts";
import { createAttemptMemory } from "../fetch-strategy/attempt-memory.ts";
import { createBrowserCheck } from "../fetching/browser-check.ts";
import type { BrowserProfiles } from "../fetching/browser-profiles.ts";
import { createPageFetcher } from "../fetching/fetch-page.ts";
import { createProxyWarnings } from "../fetching/proxy-warnings.ts";
import type { RecognitionSettings } from "../files/file-messages.ts";
import { createFileRunner, type FileRunnerOptions } from "../files/file-runner.ts";
import { createDocumentReader, createPageFileReader } from "../files/page-file.ts";
import { createHostStats } from "../hosts/host-stats.ts";
import { createSiteRulesReader } from "../learning/site-rules.ts";
import { createCaptionReader } from "../media/captions.ts";
import type { LanguageModel } from "../model/language-model.ts";
import { createFileObtainer } from "../obtain/obtain-file.ts";
import { createPageObtainer } from "../obtain/obtain-page.ts";
import { createPageReader } from "../reading/read-page.ts";
import { createAttempts } from "../reading/try-attempts.ts";
import { createPageRecorder, type IndexIntake } from "../record/page-record.ts";
import { createPageSaver } from "../record/save-pages.ts";
import { createRobotsChecks } from "../robots/robots-check.ts";
import { createSiteReader } from "../site/site-reader.ts";
import { createSiteUrlFinder } from "../site-urls/find-site-urls.ts";
import { createStartPageReader } from "../site-urls/start-page.ts";
import { createPageStages } from "../stages/stages.ts";
import { createResultTexts } from "../texts/result-texts.ts";

export interface PagesDeps {
  store: Store;
  clock: Clock;
  net: Net;
  slots: Slots;
  content: ContentPool<ReaderInput, PageFinding>;
  extraction: LazyExtraction;
  /** Null when none is configured. */
  model: LanguageModel | null;
  /** Null when the local index is off. */
  index: IndexIntake | null;
  sealer: Sealer;
  engine: HttpEngine;
  browser: BrowserEngine;
  profiles: BrowserProfiles;
}

export interface PagesOptions {
  /** Whether copies made for one team may serve another. */
  isShared: boolean;
  /** Days that a copy is kept. */
  cacheDays: number;
  /** The processes that read files. */
  files: FileRunnerOptions;
  recognition: RecognitionSettings;
  /** How long is remembered which attempt reached a host. */
  memoryMs: number;
  /** Whether pages that a caller named must be allowed by robots.txt, too. */
  obeysAlways: boolean;
}

export function createPages(deps: PagesDeps, options: PagesOptions) {
  const { store, clock, net, slots, content, extraction, model, index, sealer, engine, browser, profiles } = deps;
  const { isShared, cacheDays, memoryMs, obeysAlways } = options;
  const { proxies } = net;
  const hosts = createHostStats({ store, clock }, { memoryMs });
  const files = createFileRunner(options.files);
  const readDocument = createDocumentReader(files, options.recognition);
  const siteRules = createSiteRulesReader({ store, clock, content, extraction });
  const stages = createPageStages({
    readFile: createPageFileReader(readDocument, model),
    content,
    siteRules,
    answers: createPageAnswers(extraction, model),
    captions: createCaptionReader(net),
    trackChanges: createChangeTracker({ store, clock }),
  });

  const cache = createPageCache({ store, clock }, { isShared, days: cacheDays });
  const fetcher = createPageFetcher({ clock, engine, browser, profiles });
  const memory = createAttemptMemory({ store, sealer, clock }, { memoryMs });
  const tryAttempts = createAttempts({ fetcher, stages, memory, hosts, clock, proxies });
  const proxyWarnings = createProxyWarnings(proxies);
  const readPage = createPageReader({ cache, clock, tryAttempts, stages, hosts, slots, proxyWarnings });

  const sites = createSiteReader({ store, clock, fetch: net.fetch, proxies }, { isShared });
  const robots = createRobotsChecks({ sites, obeysAlways, proxies, onRules: hosts.noteRules });
  const recorder = createPageRecorder({ cache, clock, pack: store.blobs.pack, index });
  const obtainPage = createPageObtainer({ recorder, readPage, robots });
  const savePages = createPageSaver({ store, recorder });
  const readStartPage = createStartPageReader({ obtainPage, clock });
  return {
    hostStats: hosts,
    siteRules,
    recorder,
    sites,
    robots,
    requireBrowser: createBrowserCheck(browser),
    obtainPage,
    obtainFile: createFileObtainer({ recorder, stages, slots }),
    files,
    readDocument,
    savePages,
    findSiteUrls: createSiteUrlFinder({ store, sites, robots, readStartPage }),
    openResultTexts: createResultTexts({ clock, obtainPage, savePages }),
  };
}
