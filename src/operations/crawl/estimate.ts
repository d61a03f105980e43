// What a crawl would cost, from robots.txt, the sitemaps and what the team knows of the site. No page is fetched for it.
import { secondMs } from "../../base/index.ts";
import type { OperationInput } from "../../contract/index.ts";
import type { CrawlScope, RobotsState } from "../../discovery/index.ts";
import { isOffline, loadDiscovery } from "../../reach/index.ts";
import { readSitemapsOf, type SiteRequest } from "../../site/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { siteRequestOf } from "./crawl-step.ts";

export interface EstimateRequest {
  input: OperationInput<"startCrawl">;
  /** Without credentials and fragment. */
  start: string;
  scope: CrawlScope;
  teamId: string;
  /** Most pages, by its limit and the team's credits. */
  pageLimit: number;
  /** The least that a page costs. */
  price: number;
  /** Pages at the same time. */
  maxActive: number;
  signal: AbortSignal;
}

/** Assumed where nothing is known: what one page takes, and its size as transferred. */
const pageMs = 500;
const pageBytes = 60_000;
const mostKnown = 10_000;

interface Counted {
  count: number;
  basis: string;
  warnings: string[];
}

export async function estimateCrawl(parts: OperationParts, request: EstimateRequest) {
  const { input, start, teamId, signal } = request;
  const { scrapeOptions, robotsUserAgent } = input;
  const site = siteRequestOf({ teamId, signal, origin: new URL(start).origin, scrapeOptions, robotsUserAgent });
  const rules = isOffline(scrapeOptions) ? null : await parts.sites.readRules(new URL(start), site);
  const { count, basis, warnings } = await countPages(parts, request, rules, site);
  return { estimate: estimateOfPages(request, { count, basis, robotsDelayMs: rules?.crawlDelayMs ?? 0 }), warnings };
}

/** Never more than the crawl's limits allow. */
export function estimateOfPages(
  { input, price, pageLimit, maxActive }: Pick<EstimateRequest, "input" | "price" | "pageLimit" | "maxActive">,
  { count, basis, robotsDelayMs }: { count: number; basis: string; robotsDelayMs: number },
) {
  const paid = input.maxCredits === undefined ? pageLimit : Math.floor(input.maxCredits / price);
  const pages = Math.min(count, pageLimit, paid);
  const delayMs = Math.max(Math.round((input.delay ?? 0) * secondMs), robotsDelayMs);
  const ms = delayMs > 0 ? pages * (delayMs + pageMs) : (pages * pageMs) / maxActive;
  const pace = delayMs > 0 ? `${delayMs / secondMs} s between two pages` : `${maxActive} pages at the same time`;
  return {
    pages,
    credits: pages * price,
    seconds: Math.min(Math.ceil(ms / secondMs), input.maxSeconds ?? Number.POSITIVE_INFINITY),
    bytes: Math.min(pages * pageBytes, input.maxBytes ?? Number.POSITIVE_INFINITY),
    basis: {
      pages: basis,
      credits: `At least ${price} per page; a PDF costs as much for each of its pages.`,
      seconds: `Assumes ${pageMs / secondMs} s per page, with ${pace}.`,
      bytes: `Assumes ${pageBytes} bytes per page.`,
    },
  };
}

async function countPages(
  parts: OperationParts,
  request: EstimateRequest,
  rules: RobotsState | null,
  site: SiteRequest,
): Promise<Counted> {
  const { input, start, scope, signal } = request;
  const mayRead = (url: string) => input.ignoreRobotsTxt || rules === null || rules.allows(url);
  if (!mayRead(start)) {
    const why = rules?.reason ?? "robots.txt disallows the start page.";
    return { count: 0, basis: "robots.txt", warnings: [why] };
  }
  const keys = new Set<string>();
  const add = async (urls: readonly string[]) => {
    for (const { key } of (await scope.sift(urls, null, signal, mayRead)).accepted) keys.add(key);
  };
  if ((await scope.accepts(start, signal)) === true) keys.add(scope.keyOf(start));
  const warnings: string[] = [];
  if (input.sitemap !== "skip" && rules !== null) {
    const sitemaps = readSitemapsOf(
      parts.sites,
      { base: new URL(start), robots: rules, feeds: [], ignoreCache: false },
      site,
    );
    await addListed(sitemaps, request, keys, add);
    const listed = sitemaps.listed();
    if (listed > 0) {
      return { count: keys.size, basis: `The sitemaps list ${listed} URLs.`, warnings: sitemaps.warnings() };
    }
    warnings.push(...sitemaps.warnings(), "The site has no sitemap, so its number of pages is unknown.");
  } else warnings.push("Sitemaps are not read, so the number of pages is unknown.");
  const asked = { teamId: request.teamId, site: new URL(start).hostname, limit: mostKnown };
  const known = await parts.store.knownPages.listOfSite(asked);
  await add(known.map(({ url }) => url));
  return { count: keys.size, basis: `The team has read ${known.length} pages of the site before.`, warnings };
}

/** Until there are as many as the crawl may read. */
async function addListed(
  sitemaps: ReturnType<typeof readSitemapsOf>,
  { pageLimit, signal }: EstimateRequest,
  keys: ReadonlySet<string>,
  add: (urls: readonly string[]) => Promise<void>,
): Promise<void> {
  const { maxLinksPerPage } = await loadDiscovery();
  for await (const entries of sitemaps.files()) {
    for (let from = 0; from < entries.length && keys.size < pageLimit; from += maxLinksPerPage) {
      await add(entries.slice(from, from + maxLinksPerPage).map(({ url }) => url));
    }
    signal.throwIfAborted();
    if (keys.size >= pageLimit) return;
  }
}
