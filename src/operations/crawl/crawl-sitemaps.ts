// The task that takes in what the sitemaps of a crawl's site list.
import type { Report } from "../../jobs/index.ts";
import type { Findings, PageEnding } from "../../page-jobs/index.ts";
import { loadDiscovery, readSitemapsOf, type SiteReader } from "../../pages/index.ts";
import { type CrawlStep, siteRequest } from "./crawl-step.ts";
import { allowedBy, type LinkSorter } from "./sort-links.ts";

/** URLs beyond the limit for which sitemaps are read on, instead of those that turn out to be duplicates or disallowed. */
const spareListed = 500;

export async function readSitemaps(
  { sites, links }: { sites: SiteReader; links: LinkSorter },
  step: CrawlStep<"sitemaps">,
  report: Report,
): Promise<PageEnding> {
  const { context, crawl, scope, signal } = step;
  const { maxLinksPerPage } = await loadDiscovery();
  const { scopeUrl, pageLimit } = context.job;
  const request = siteRequest(step);
  const rules = await sites.readRobots(new URL(scopeUrl), request);
  const sources = { base: new URL(scopeUrl), robots: rules, feeds: [], ignoreCache: false };
  const sitemaps = readSitemapsOf(sites, sources, request);
  const refused: Findings["refused"] = [];
  const wanted = pageLimit + spareListed;
  let taken = 0;
  for await (const entries of sitemaps.files()) {
    for (let from = 0; from < entries.length && taken < wanted; from += maxLinksPerPage) {
      const urls = entries.slice(from, from + maxLinksPerPage).map(({ url }) => url);
      const sifting = await scope.sift(urls, null, signal, allowedBy(crawl.ignoreRobotsTxt ? null : rules, scopeUrl));
      const findings = links.sortOut(step, sifting, 0);
      refused.push(...findings.refused);
      taken += findings.found.length;
      await report(findings.found);
    }
    if (taken >= wanted || signal.aborted) break;
  }
  if (signal.aborted) return { kind: "released" };
  const warnings = sitemaps.warnings();
  return { kind: "nothing", found: [], refused, ...(warnings.length > 0 ? { warning: warnings.join(" ") } : {}) };
}
