// What performs the tasks of a crawl.

import type { Clock } from "../../base/index.ts";
import type { KindOfWork, TaskPages } from "../../jobs/index.ts";
import type { LanguageModel, PageRows } from "../../pages/index.ts";
import type { RobotsChecks } from "../../reach/index.ts";
import type { SiteReader } from "../../site/index.ts";
import type { Store } from "../../store/index.ts";
import { createChangedPages } from "./changed-pages.ts";
import { createCrawlPages } from "./crawl-pages.ts";
import { readSitemaps } from "./crawl-sitemaps.ts";
import { type CrawlContext, crawlStep, openCrawl } from "./crawl-step.ts";
import { createGonePages } from "./gone-pages.ts";
import { createLinkSorter } from "./sort-links.ts";

export interface CrawlWorkDeps {
  store: Store;
  clock: Clock;
  sites: SiteReader;
  robots: RobotsChecks;
  taskPages: TaskPages;
  /** Null when none is configured. */
  model: LanguageModel | null;
}

export function createCrawlWork(deps: CrawlWorkDeps): KindOfWork<"crawl", CrawlContext, PageRows> {
  const { store, clock, sites, robots, taskPages: pages } = deps;
  const links = createLinkSorter({ clock });
  const changed = createChangedPages({ store });
  const readPage = createCrawlPages({ store, clock, pages, robots, links, changed });
  const findGone = createGonePages({ store, clock, pages, robots, changed });
  return {
    open: (context) => openCrawl(context, deps.model),
    tasks: {
      page: async (work) => readPage(await crawlStep(work)),
      gone: async (work) => findGone(await crawlStep(work)),
      sitemaps: async (work) => readSitemaps({ sites, links }, await crawlStep(work), work.report),
    },
  };
}
