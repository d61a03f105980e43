// What performs the tasks of jobs, by the kind of the job.

import type { Accounts } from "../accounts/index.ts";
import type { Clock } from "../base/index.ts";
import {
  createExtractionPages,
  createPageAnswerer,
  createPageFinder,
  createTaskPages,
  type ExtractionRecords,
  type KindsOfWork,
} from "../jobs/index.ts";
import type { Net } from "../net/index.ts";
import { createAgentWork, createBatchWork, createCrawlWork, createExtractWork } from "../operations/index.ts";
import type {
  BrowserCheck,
  CheckUrl,
  FindSiteUrls,
  LanguageModel,
  LazyExtraction,
  ObtainPage,
  OpenResultTexts,
  PageRows,
  RobotsChecks,
  SiteReader,
} from "../pages/index.ts";
import type { FindResults } from "../search/index.ts";
import type { Store } from "../store/index.ts";

export interface JobKindDeps {
  store: Store;
  clock: Clock;
  accounts: Accounts;
  net: Net;
  records: ExtractionRecords;
  extraction: LazyExtraction;
  /** Null when none is configured. */
  model: LanguageModel | null;
  obtainPage: ObtainPage;
  sites: SiteReader;
  robots: RobotsChecks;
  findSiteUrls: FindSiteUrls;
  findResults: FindResults;
  openResultTexts: OpenResultTexts;
  checkUrl: CheckUrl;
  requireBrowser: BrowserCheck;
  /** What performs the checks of monitors. */
  monitor: KindsOfWork<PageRows>["monitor"];
  /** Pages of one host that this process reads at the same time. */
  mostOfHost: number;
}

export function joinJobKinds(deps: JobKindDeps): KindsOfWork<PageRows> {
  const { store, clock, accounts, records, extraction, model, sites, robots, checkUrl, requireBrowser } = deps;
  const { credits } = accounts;
  const taskPages = createTaskPages({
    clock,
    obtainPage: deps.obtainPage,
    readyAt: deps.net.readyAt,
    mostOfHost: deps.mostOfHost,
  });
  const { findSiteUrls, findResults, openResultTexts } = deps;
  const pages = createExtractionPages({ clock, pages: taskPages, model });
  const finder = createPageFinder({ clock, robots, records, findSiteUrls, findResults, openResultTexts });
  const answerer = createPageAnswerer({ clock, store, records, extraction, model, credits });
  const extracting = { clock, store, records, extraction, model, pages, finder, answerer };
  return {
    crawl: createCrawlWork({ store, clock, sites, robots, model, pages: taskPages }),
    batch: createBatchWork({ model, pages: taskPages }),
    extract: createExtractWork(extracting),
    agent: createAgentWork({ ...extracting, checkUrl, requireBrowser }),
    monitor: deps.monitor,
  };
}
