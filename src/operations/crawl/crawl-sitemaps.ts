// The task that takes in what the sitemaps of a crawl's site list.

import type { SitemapEntry } from "../../discovery/index.ts";
import type { Findings, NewTask, PageEnding, Report, TaskPages } from "../../jobs/index.ts";
import { loadDiscovery } from "../../reach/index.ts";
import { readSitemapsOf, type SiteReader } from "../../site/index.ts";
import { warningOf } from "../parts/operation-parts.ts";
import { readLastmod } from "./changed-pages.ts";
import { type CrawlStep, siteRequest } from "./crawl-step.ts";
import { orderByPromise } from "./promising-links.ts";
import { allowedBy, type LinkSorter } from "./sort-links.ts";

/** URLs beyond the limit for which sitemaps are read on, instead of those that turn out to be duplicates or disallowed. */
const extraListed = 500;

/** The best of so many are read when something is looked for. */
const mostRanked = 50_000;

export async function readSitemaps(
  { sites, links, pages }: { sites: SiteReader; links: LinkSorter; pages: TaskPages },
  step: CrawlStep<"sitemaps">,
  report: Report,
): Promise<PageEnding> {
  const { context, crawl, scope, signal } = step;
  const { maxLinksPerPage } = await loadDiscovery();
  const { scopeUrl, pageLimit } = context.job;
  const request = { ...siteRequest(step), archive: pages.siteArchive(context) };
  const rules = await sites.readRules(new URL(scopeUrl), request);
  const sources = { base: new URL(scopeUrl), robots: rules, feeds: [], ignoreCache: crawl.changedSince !== undefined };
  const sitemaps = readSitemapsOf(sites, sources, request);
  const refused: Findings["refused"] = [];
  const wanted = crawl.search === undefined ? pageLimit + extraListed : Math.max(pageLimit + extraListed, mostRanked);
  let taken = 0;
  for await (const entries of sitemaps.files()) {
    for (let from = 0; from < entries.length && taken < wanted; from += maxLinksPerPage) {
      const batch = entries.slice(from, from + maxLinksPerPage);
      const urls = batch.map(({ url }) => url);
      const sifting = await scope.sift(urls, null, signal, allowedBy(crawl.ignoreRobotsTxt ? null : rules, scopeUrl));
      const findings = links.sortOut(step, sifting, 0);
      refused.push(...findings.refused);
      taken += findings.found.length;
      const found = await orderByPromise(step, findings.found, null);
      await report(crawl.changedSince === undefined ? found : withLastmod(found, batch));
    }
    if (taken >= wanted || signal.aborted) break;
  }
  await pages.keepSite(context);
  if (signal.aborted) return { kind: "released" };
  return { kind: "nothing", found: [], refused, ...warningOf(sitemaps.warnings()) };
}

/** A page that is older than the crawl before it does not have to be asked for. */
function withLastmod(found: readonly NewTask[], entries: readonly SitemapEntry[]): NewTask[] {
  const dates = new Map(entries.map(({ url, lastmod }) => [url, lastmod]));
  return found.map((task) => ({ ...task, lastmod: readLastmod(dates.get(task.url)) }));
}
