// What a crawl would come to, from robots.txt, the sitemaps and what the team knows of the site. No page is fetched for it.
import { secondMs } from "../../base/index.ts";
import type { OperationInput, OperationOutput } from "../../contract/index.ts";
import type { CrawlScope, RobotsState } from "../../discovery/index.ts";
import { acceptLanguage } from "../../engines/index.ts";
import { isOffline, loadDiscovery } from "../../reach/index.ts";
import { readSitemapsOf, type SiteRequest } from "../../site/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";

type CrawlInput = OperationInput<"startCrawl">;
type Answer = Extract<OperationOutput<"startCrawl">, { estimate: unknown }>;

export interface EstimateRequest {
  input: CrawlInput;
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

/** Assumed where nothing is known: what one page takes, and how large it is on its way. */
const pageMs = 500;
const pageBytes = 60_000;
const mostKnown = 10_000;

interface Counted {
  count: number;
  basis: string;
  warnings: string[];
}

export async function estimateCrawl(parts: OperationParts, request: EstimateRequest): Promise<Answer> {
  const { input, start, price, maxActive } = request;
  const site = siteRequest(request);
  const isAsked = !isOffline(input.scrapeOptions);
  const rules = isAsked ? await parts.sites.readRules(new URL(start), site) : null;
  const counted = await countPages(parts, request, rules, site);
  const most = input.maxCredits === undefined ? request.pageLimit : Math.floor(input.maxCredits / price);
  const pages = Math.min(counted.count, request.pageLimit, most);
  const delayMs = Math.max(Math.round((input.delay ?? 0) * secondMs), rules?.crawlDelayMs ?? 0);
  const ms = delayMs > 0 ? pages * (delayMs + pageMs) : (pages * pageMs) / maxActive;
  const seconds = Math.min(Math.ceil(ms / secondMs), input.maxSeconds ?? Number.POSITIVE_INFINITY);
  const bytes = Math.min(pages * pageBytes, input.maxBytes ?? Number.POSITIVE_INFINITY);
  const pace = delayMs > 0 ? `${delayMs / secondMs} s between two pages` : `${maxActive} pages at the same time`;
  return {
    success: true,
    estimate: {
      pages,
      credits: pages * price,
      seconds,
      bytes,
      basis: {
        pages: counted.basis,
        credits: `${price} a page, the least that one costs; a PDF costs as much for each of its pages.`,
        seconds: `${pageMs / secondMs} s a page are assumed, with ${pace}.`,
        bytes: `${pageBytes} bytes a page are assumed.`,
      },
    },
    ...(counted.warnings.length > 0 ? { warning: counted.warnings.join(" ") } : {}),
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
  const keys = new Set<string>();
  if (!mayRead(start)) {
    const why = rules?.reason ?? "robots.txt disallows the start page.";
    return { count: 0, basis: "robots.txt", warnings: [why] };
  }
  if ((await scope.accepts(start, signal)) === true) keys.add(scope.keyOf(start));
  const warnings: string[] = [];
  if (input.sitemap !== "skip" && rules !== null) {
    const listed = await countListed(parts, request, { rules, site, keys, mayRead });
    if (listed.count > 0)
      return { count: keys.size, basis: `The sitemaps list ${listed.count} URLs.`, warnings: listed.warnings };
    warnings.push(...listed.warnings, "The site has no sitemap, so the number of its pages is not known.");
  } else warnings.push("No sitemap is read, so the number of pages is not known.");
  const known = await countKnown(parts, request, { keys, mayRead });
  return { count: keys.size, basis: `The team has read ${known} pages of the site before.`, warnings };
}

interface Counting {
  keys: Set<string>;
  mayRead(url: string): boolean;
}

async function countListed(
  { sites }: OperationParts,
  { start, scope, pageLimit, signal }: EstimateRequest,
  { rules, site, keys, mayRead }: Counting & { rules: RobotsState; site: SiteRequest },
): Promise<{ count: number; warnings: string[] }> {
  const { maxLinksPerPage } = await loadDiscovery();
  const sources = { base: new URL(start), robots: rules, feeds: [], ignoreCache: false };
  const sitemaps = readSitemapsOf(sites, sources, site);
  for await (const entries of sitemaps.files()) {
    for (let from = 0; from < entries.length && keys.size < pageLimit; from += maxLinksPerPage) {
      const urls = entries.slice(from, from + maxLinksPerPage).map(({ url }) => url);
      for (const { key } of (await scope.sift(urls, null, signal, mayRead)).accepted) keys.add(key);
    }
    signal.throwIfAborted();
    if (keys.size >= pageLimit) break;
  }
  return { count: sitemaps.listed(), warnings: sitemaps.warnings() };
}

async function countKnown(
  { store }: OperationParts,
  { start, scope, teamId, signal }: EstimateRequest,
  { keys, mayRead }: Counting,
): Promise<number> {
  const known = await store.knownPages.listOfSite({ teamId, site: new URL(start).hostname, limit: mostKnown });
  const urls = known.map(({ url }) => url);
  for (const { key } of (await scope.sift(urls, null, signal, mayRead)).accepted) keys.add(key);
  return known.length;
}

function siteRequest({ input, start, teamId, signal }: EstimateRequest): SiteRequest {
  const { headers, location } = input.scrapeOptions;
  const own = Object.keys(headers).length > 0 ? { origin: new URL(start).origin, headers } : null;
  const agent = input.robotsUserAgent === undefined ? {} : { robotsAgent: input.robotsUserAgent };
  return { teamId, signal, language: acceptLanguage(location), own, ...agent };
}
