// Every URL of a site that the site itself, its start page or this team's earlier scrapes name; none is made up. robots.txt
// decides what is fetched for it, not what is listed: naming a page is not reading it. Nothing is charged or recorded here.
import { basicAuthorization, sentence } from "../../base/index.ts";
import type { Outlinks } from "../../content/index.ts";
import { acceptLanguage } from "../../engines/index.ts";
import type { RobotsChecks } from "../../reach/index.ts";
import { loadDiscovery } from "../../reach/index.ts";
import type { Store } from "../../store/index.ts";
import type { SiteReader, SiteRequest } from "../sitemaps/site-reader.ts";
import { readSitemapsOf, type SiteSitemaps } from "../sitemaps/site-sitemaps.ts";
import { createLinkList, type LinkList, type SiteLink } from "./link-list.ts";
import { type ReadStartPage, readSiteStart, type SiteStart, type StartPageRequest } from "./site-start.ts";

export interface SiteUrlsRequest extends StartPageRequest {
  /** Orders the URLs by relevance to these words. */
  search?: string | undefined;
  includeSubdomains: boolean;
  ignoreQueryParameters: boolean;
  /** Fetch every sitemap again. */
  ignoreCache: boolean;
  includePaths: readonly string[];
  excludePaths: readonly string[];
  /** List only URLs below the path of `url`. */
  filterByPath: boolean;
  /** Add the pages that the team has read before. */
  useIndex: boolean;
  sitemap: "skip" | "include" | "only";
  limit: number;
}

export interface SiteUrls {
  links: SiteLink[];
  /** What went wrong with the start page. */
  startWarnings: string[];
  warnings: string[];
  /** Which options would find more. */
  hints: string[];
}

export type FindSiteUrls = (request: SiteUrlsRequest, signal: AbortSignal) => Promise<SiteUrls>;

export interface SiteUrlFinderDeps {
  store: Pick<Store, "knownPages" | "archives">;
  sites: SiteReader;
  robots: RobotsChecks;
  readStartPage: ReadStartPage;
}

/** Known pages to look at: as many as a map can list. */
const maxKnown = 100_000;
/** With `search`, up to this many URLs are ranked. */
const maxSearched = 1_000_000;

export function createSiteUrlFinder(deps: SiteUrlFinderDeps): FindSiteUrls {
  const { store, sites } = deps;

  async function addSitemaps(list: LinkList, start: SiteStart, request: SiteUrlsRequest, site: SiteRequest) {
    const { base, robots, page } = start;
    const feeds = request.sitemap === "only" ? [] : (page?.outlinks.feeds ?? []);
    const sitemaps = readSitemapsOf(sites, { base, robots, feeds, ignoreCache: request.ignoreCache }, site);
    if (list.isFull()) return sitemaps;
    for await (const entries of sitemaps.files()) {
      await list.add(entries);
      if (list.isFull()) break;
    }
    return sitemaps;
  }

  /** Of any site: the list takes those that are wanted. */
  async function archivedPages(archiveId: string): Promise<SiteLink[]> {
    const pages = await store.archives.listPages(archiveId, { limit: maxKnown });
    return pages.map(({ url, title }) => ({ url, title, description: "" }));
  }

  /** The start page first, then what sitemaps list, what the start page names, and what the team has read before. */
  async function fill(list: LinkList, start: SiteStart, request: SiteUrlsRequest, site: SiteRequest) {
    const { base, page } = start;
    const { siteOf } = await loadDiscovery();
    const { teamId, useIndex, sitemap } = request;
    const ofSite = { teamId, site: siteOf(base), limit: maxKnown };
    const { archive } = request;
    const known = archive
      ? await archivedPages(archive.archiveId)
      : useIndex
        ? await store.knownPages.listOfSite(ofSite)
        : [];
    describeLinks(list, start, known);
    if (page && sitemap !== "only") await list.add([{ url: base.href }]);
    const sitemaps = sitemap === "skip" ? null : await addSitemaps(list, start, request, site);
    if (page && sitemap !== "only") await list.add(urlsOf(page.outlinks));
    if (sitemap !== "only") await list.add(known);
    return sitemaps;
  }

  return async (request, signal) => {
    const { createSitePages, rank } = await loadDiscovery();
    const { limit, search, includeSubdomains } = request;
    const site = siteRequest(request, signal);
    const start = await readSiteStart(deps, request, site);
    const pageOf = createSitePages(start.base, { includeSubdomains, below: pathToKeep(request, start.base) });
    const capacity = search === undefined ? limit : maxSearched;
    const list = await createLinkList({ ...request, pageOf, capacity }, signal);
    const sitemaps = await fill(list, start, request, site);
    const links = search === undefined ? list.links.slice(0, limit) : await rank(list.links, search, { limit, signal });
    const warnings = [
      ...(sitemaps?.warnings() ?? []),
      ...list.warnings(),
      ...(list.links.length >= maxSearched ? [`The search looked at the first ${maxSearched} URLs.`] : []),
    ];
    const isFew = list.links.length <= 1 && !list.isFull();
    return {
      links,
      startWarnings: start.warnings.map(sentence),
      warnings: warnings.map(sentence),
      hints: isFew ? whySoFew(request, start, list, sitemaps) : [],
    };
  };
}

/** Credentials in the URL count as a header of the caller. */
function siteRequest({ teamId, url, headers, location, archive }: SiteUrlsRequest, signal: AbortSignal): SiteRequest {
  const start = new URL(url);
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const authorization = own.authorization ?? basicAuthorization(start);
  if (authorization !== null) own.authorization = authorization;
  const isPersonal = Object.keys(own).length > 0;
  return {
    teamId,
    signal,
    language: acceptLanguage(location),
    own: isPersonal ? { origin: start.origin, headers: own } : null,
    archive,
  };
}

/** A start page without a path may redirect to one, such as /en/; that does not make the site smaller. */
function pathToKeep({ url, filterByPath }: SiteUrlsRequest, base: URL): string {
  return filterByPath && new URL(url).pathname !== "/" ? base.pathname : "/";
}

/** The best words first: the start page's own, then those of pages read before, then those of links. */
function describeLinks(list: LinkList, { base, page }: SiteStart, known: readonly SiteLink[]): void {
  if (page) list.describe(base.href, page.metadata);
  for (const { url, title, description } of known) list.describe(url, { title, description });
  for (const { url, text } of page?.outlinks.links ?? []) list.describe(url, { title: text });
}

function urlsOf({ canonical, alternates, links }: Outlinks): SiteLink[] {
  const others = canonical === null ? alternates : [canonical, ...alternates];
  return [...others.map((url) => ({ url })), ...links.map(({ url }) => ({ url }))];
}

function whySoFew(
  request: SiteUrlsRequest,
  { base, robots, page }: SiteStart,
  list: LinkList,
  sitemaps: SiteSitemaps | null,
): string[] {
  const reasons: string[] = [];
  const isRead = sitemaps !== null && robots.state !== "closed";
  if (isRead && sitemaps.listed() === 0 && robots.sitemaps.length === 0) {
    reasons.push("No sitemap was found at the usual places.");
  }
  if (isRead && sitemaps.listed() > 0) {
    reasons.push(
      `The sitemaps list ${sitemaps.listed()} URLs, which belong to other sites or are excluded by the options.`,
    );
  }
  if (page && page.outlinks.links.length === 0 && request.sitemap !== "only") {
    reasons.push("The start page has no links.");
  }
  if (pathToKeep(request, base) !== "/") {
    reasons.push(`Only URLs below ${base.pathname} are listed; set filterByPath to false to list the whole site.`);
  }
  if (list.withQuery() > 0) {
    reasons.push("URLs with a query are left out; set ignoreQueryParameters to false to list them.");
  }
  return reasons;
}
