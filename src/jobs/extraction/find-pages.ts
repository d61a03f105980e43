// How extracts and agents find pages: the URLs of a site, and the results of a query. Nothing of it is charged here.
import type { Archives } from "../../archive/index.ts";
import {
  type Clock,
  createDeadline,
  createSemaphore,
  createTrace,
  minuteMs,
  ServiceError,
  secondMs,
  type Trace,
} from "../../base/index.ts";
import { keepsNothing, scrapeOptions } from "../../contract/index.ts";
import type { Pages } from "../../pages/index.ts";
import type { RobotsChecks } from "../../reach/index.ts";
import type { FindResults, ResultRequest } from "../../search/index.ts";
import type { FindSiteUrls, SiteUrlsRequest } from "../../site/index.ts";
import type { ExtractionSettings } from "../engine/job-settings.ts";
import type { NewTask } from "../engine/task.ts";
import type { PageEnding } from "../pages/task-page.ts";
import type { ExtractionRecords } from "./record-store.ts";
import type { FoundRecord } from "./records.ts";
import { type ExtractionStep, foundPage, isOver, timeIsUp, timeLeft } from "./step.ts";

export interface PageFinderDeps {
  clock: Clock;
  archives: Pick<Archives, "open">;
  robots: RobotsChecks;
  findSiteUrls: FindSiteUrls;
  findResults: FindResults;
  openResultTexts: Pages["openResultTexts"];
  records: ExtractionRecords;
}

/** A search asks for so many results, and looks at so many of their sites for further pages, so many of each. */
const searchResults = 10;
const searchedSites = 3;
const pagesPerSite = 3;
const searchMs = minuteMs;
const searchedSiteMs = 15 * secondMs;
/** URLs of a site that are looked at. */
const mostUrls = 100_000;
/** As long as that of a search. */
const longestQuery = 500;

export function createPageFinder(deps: PageFinderDeps) {
  const { clock, archives, robots, findSiteUrls, findResults, openResultTexts, records } = deps;
  /** Listing a large site takes much memory, so the sites of one team are listed one after the other. */
  const listings = createSemaphore({ placesPerKey: 1 });

  /** Null when it took too long. Headers of the caller's own may hold secrets: they are for sites that the caller named. */
  async function ofSite(step: ExtractionStep, url: string, trace: Trace, ms: number, headers: Record<string, string>) {
    const { teamId } = step.context.job;
    if (step.context.settings.scrapeOptions.lockdown)
      return { links: [], warnings: ["With lockdown, no site is searched for pages."] };
    const asked = { ...siteRequest(step, url, headers), archive: archiveOf(archives, step) };
    const list = async (signal: AbortSignal) => {
      const { links, startWarnings, warnings } = await findSiteUrls(asked, signal);
      return { links, warnings: links.length > 0 ? warnings : [...startWarnings, ...warnings] };
    };
    return trace.run(
      "map",
      () => listings.run(() => withinTime(step, ms, list), step.signal, teamId),
      (found) => ({ url, outcome: found ? `${found.links.length} URLs` : "timed out" }),
    );
  }

  /** What is found by looking for it is read only where the site's rules allow it. */
  async function siftByRobots<Link extends { url: string }>(
    { context, signal }: ExtractionStep,
    base: URL,
    links: readonly Link[],
  ): Promise<{ allowed: Link[]; crawlDelayMs: number }> {
    const { scrapeOptions: options } = context.settings;
    const site = { own: null, archive: archiveOf(archives, { context }) };
    const check = robots.open({ teamId: context.job.teamId, options, isNamed: false, signal, site });
    if (!check || links.length === 0) return { allowed: [], crawlDelayMs: 0 };
    const rules = await check.rulesFor(base.href);
    const isOwnHost = (url: string) => new URL(url).host === base.host;
    const allowed = links.filter(({ url }) => !isOwnHost(url) || rules.allows(url));
    return { allowed, crawlDelayMs: rules.crawlDelayMs ?? 0 };
  }

  async function ofQuery(step: ExtractionStep, query: string, trace: Trace) {
    const { teamId } = step.context.job;
    const search = (signal: AbortSignal) => {
      const readText = openResultTexts({ teamId, options: scrapeOptions.parse({ formats: [] }) }, signal);
      const isCacheable = !keepsNothing(step.context.settings.scrapeOptions);
      return findResults(webRequest(query, teamId, isCacheable), { readText, trace, signal });
    };
    try {
      const found = await trace.run(
        "search",
        () => withinTime(step, searchMs, search),
        (answer) => ({ outcome: `${answer?.groups.get("web")?.length ?? 0} results`, detail: query }),
      );
      if (!found) return { found: [], warnings: ["The web search timed out."] };
      const results = found.groups.get("web") ?? [];
      const warnings = results.length > 0 ? found.warnings : [...found.warnings, "The web search found nothing."];
      return { found: results, warnings };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { found: [], warnings: [`The web was not searched: ${error.message}`] };
    }
  }

  /** The task of a web search: its results, and a few more pages of their sites. */
  async function searchWeb(step: ExtractionStep<"search">): Promise<PageEnding> {
    const { wanted, signal } = step;
    const trace = createTrace();
    if (isOver(wanted, clock.now())) return endOfSearch(step, "search", trace, [timeIsUp], []);
    const query = (wanted.prompt ?? wanted.words).slice(0, longestQuery);
    const { found: foundResults, warnings } = await ofQuery(step, query, trace);
    if (signal.aborted) return { kind: "released" };
    const results = foundResults.map(({ url }) => url).slice(0, Math.min(searchResults, wanted.share));
    const further: string[] = [];
    for (const url of results.slice(0, searchedSites)) {
      const room = Math.min(pagesPerSite, wanted.share - results.length - further.length);
      if (room <= 0) break;
      const start = new URL("/", url);
      const site = await ofSite(step, start.href, trace, searchedSiteMs, {}).catch(unlessStopped(signal));
      const { allowed } = await siftByRobots(step, start, site?.links ?? []);
      further.push(...allowed.slice(0, room).map((link) => link.url));
    }
    const found = [...results.map((url) => foundPage(url, 0)), ...further.map((url) => foundPage(url))];
    return endOfSearch(step, "search", trace, warnings, found);
  }

  async function withinTime<Result>(
    { wanted, signal: jobSignal }: ExtractionStep,
    ms: number,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | null> {
    const { signal, clear } = createDeadline(jobSignal, Math.min(ms, timeLeft(wanted, clock.now())));
    try {
      return await work(signal);
    } catch (error) {
      if (jobSignal.aborted || !signal.aborted) throw error;
      return null;
    } finally {
      clear();
    }
  }

  function endOfSearch(
    { task, context, wanted }: ExtractionStep,
    kind: FoundRecord["kind"],
    trace: Trace,
    warnings: readonly string[],
    found: NewTask[],
  ): Promise<PageEnding> {
    const steps = wanted.trace ? trace.steps : [];
    const warning = [...new Set(warnings)].join(" ");
    const record = { kind, at: clock.now(), steps, ...(warning === "" ? {} : { warning }) };
    return records.ending(task, context.job, record, { found, refused: [] });
  }

  return { ofSite, ofQuery, siftByRobots, searchWeb, endOfSearch };
}

/** A site that cannot be searched adds nothing; a job that is stopped is. */
function unlessStopped(signal: AbortSignal): (error: unknown) => null {
  return (error) => {
    if (signal.aborted) throw error;
    return null;
  };
}

function archiveOf(
  archives: PageFinderDeps["archives"],
  { context: { job, settings } }: Pick<ExtractionStep, "context">,
) {
  const { id: archiveId, teamId } = job;
  return archives.open({ ...settings, archiveId, teamId, options: settings.scrapeOptions });
}

function siteRequest(
  { context, wanted }: ExtractionStep,
  url: string,
  headers: Record<string, string>,
): SiteUrlsRequest {
  return {
    teamId: context.job.teamId,
    url,
    search: wordsOf(wanted),
    includeSubdomains: wanted.includeSubdomains,
    ignoreQueryParameters: true,
    ignoreCache: false,
    location: context.settings.scrapeOptions.location,
    headers,
    includePaths: [],
    excludePaths: [],
    filterByPath: true,
    useIndex: true,
    sitemap: wanted.ignoreSitemap ? "skip" : "include",
    limit: mostUrls,
  };
}

function wordsOf({ words }: ExtractionSettings): string | undefined {
  return words === "" ? undefined : words;
}

function webRequest(query: string, teamId: string, isCacheable: boolean): ResultRequest {
  return {
    teamId,
    query,
    limit: searchResults,
    sources: [{ type: "web" }],
    categories: [],
    includeDomains: [],
    excludeDomains: [],
    highlights: false,
    ignoreInvalidURLs: true,
    isCacheable,
  };
}
