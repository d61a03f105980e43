// What performs the tasks of a crawl.
import type { KindOfWork } from "../../jobs/index.ts";
import type { PageRows } from "../../pages/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { createChangedPages } from "./changed-pages.ts";
import { createCrawlPages } from "./crawl-pages.ts";
import { readSitemaps } from "./crawl-sitemaps.ts";
import { type CrawlContext, crawlStep, openCrawl } from "./crawl-step.ts";
import { createGonePages } from "./gone-pages.ts";
import { createLinkSorter } from "./sort-links.ts";

export function createCrawlWork(parts: OperationParts): KindOfWork<"crawl", CrawlContext, PageRows> {
  const { sites, model } = parts;
  const links = createLinkSorter(parts);
  const changed = createChangedPages(parts);
  const readPage = createCrawlPages(parts, links, changed);
  const findGone = createGonePages(parts, changed);
  return {
    open: (context) => openCrawl(context, model),
    tasks: {
      page: async (work) => readPage(await crawlStep(work)),
      gone: async (work) => findGone(await crawlStep(work)),
      sitemaps: async (work) =>
        readSitemaps({ sites, links, pages: parts.jobs.taskPages }, await crawlStep(work), work.report),
    },
  };
}
