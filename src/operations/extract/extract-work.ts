// Work on the tasks of an extract: pages, the patterns and searches that stand for pages, and at last the answer.
import { createDeadline, createTrace, minuteMs, ServiceError, secondMs, type Trace } from "../../base/index.ts";
import type { Outlinks } from "../../content/index.ts";
import { scrapeOptions } from "../../contract/index.ts";
import type { NewTask } from "../../jobs/index.ts";
import type { FindSiteUrls, OpenResultTexts, RobotsGates, SiteUrlsRequest } from "../../pages/index.ts";
import type { FindResults, ResultRequest } from "../../search/index.ts";
import { longestDelayMs } from "../jobs/crawl-work.ts";
import type { PageEnding } from "../jobs/job-reading.ts";
import {
  createExtractPages,
  type ExtractPageDeps,
  foundDepth,
  foundPage,
  type RankedRecord,
  type Step,
  timeIsUp,
} from "./extract-pages.ts";
import type { FoundRecord, ReadRecord } from "./extraction-records.ts";

export interface ExtractWorkDeps extends ExtractPageDeps {
  findSiteUrls: FindSiteUrls;
  findResults: FindResults;
  openResultTexts: OpenResultTexts;
  robots: RobotsGates;
}

/** The page key of the web search. */
export const searchKey = "search";

/** A search asks for so many results, and looks at so many of their sites for further pages, so many of each. */
const searchResults = 10;
const searchedSites = 3;
const pagesPerSite = 3;
const searchMs = minuteMs;
const patternMs = 2 * minuteMs;
const searchedSiteMs = 15 * secondMs;
/** Addresses of a site that a pattern is compared with. */
const mostAddresses = 100_000;

export type ExtractWork = ReturnType<typeof createExtractWork>;

export function createExtractWork(deps: ExtractWorkDeps) {
  const { clock, robots, records, findSiteUrls, openResultTexts } = deps;
  const pages = createExtractPages(deps);
  const inTurn = createTurns();

  async function readPage(step: Step): Promise<PageEnding> {
    const { task, wanted } = step;
    const looksFurther = wanted.allowExternalLinks && task.depth < foundDepth;
    const read = await pages.read(step, looksFurther);
    if (!("page" in read)) return read;
    const { page, trace } = read;
    const { outlinks } = page.reading;
    const found = looksFurther && outlinks ? await externalPages(step, outlinks) : [];
    return pages.endOfRead(step, page, pages.recordOf(step, page, trace), found);
  }

  /** Linked pages of other sites that fit best. */
  async function externalPages({ task, wanted }: Step, { links }: Outlinks): Promise<NewTask[]> {
    const { rank, siteOf } = await import("../../discovery/index.ts");
    const own = siteOf(new URL(task.url));
    const others = links.filter(({ url }) => siteOf(new URL(url)) !== own);
    const named = others.map(({ url, text }) => ({ url, title: text }));
    const best = await rank(named, wanted.words, { limit: wanted.share });
    return best.map(({ url }) => foundPage(url));
  }

  async function readPattern(step: Step): Promise<PageEnding> {
    const { task, context, wanted, signal } = step;
    const { readGlob } = await import("../../discovery/index.ts");
    const glob = readGlob(task.url);
    if (!glob) throw new ServiceError("INTERNAL_ERROR");
    const trace = createTrace();
    if (pages.isOver(wanted)) return endOfSearch(step, "pattern", trace, [timeIsUp], []);
    const authorization = context.settings.credentials[task.key];
    const own = {
      ...(authorization === undefined ? {} : { authorization }),
      ...context.settings.scrapeOptions.headers,
    };
    const found = await discoverPages(step, glob.base.href, trace, patternMs, own);
    const { links, warnings } = found ?? {
      links: [],
      warnings: [`${glob.base.href} was not searched for pages in time.`],
    };
    const fitting = links.filter(({ url }) => glob.matches(new URL(url).pathname));
    const { allowed, crawlDelayMs } = await siftByRobots(step, glob.base, fitting);
    if (signal.aborted) return { kind: "released" };
    const chosen = allowed.slice(0, wanted.share);
    const why = [...warnings];
    if (chosen.length === 0) why.push(`No page fits ${task.url}.`);
    if (allowed.length > chosen.length) {
      why.push(`${allowed.length} pages fit ${task.url}; the ${chosen.length} that fit best were read.`);
    }
    const ending = await endOfSearch(
      step,
      "pattern",
      trace,
      why,
      chosen.map(({ url }) => foundPage(url)),
    );
    const delayMs = Math.min(crawlDelayMs, longestDelayMs);
    return delayMs > 0 && "found" in ending ? { ...ending, delayMs } : ending;
  }

  /** Null when it took too long. Headers of the caller's own may hold secrets: they are for sites that the caller named. */
  async function discoverPages(step: Step, url: string, trace: Trace, ms: number, headers: Record<string, string>) {
    const { context, wanted } = step;
    const { location, lockdown } = context.settings.scrapeOptions;
    if (lockdown) return { links: [], warnings: ["With lockdown no site is searched for pages."] };
    const { teamId } = context.job;
    const request: SiteUrlsRequest = {
      teamId,
      url,
      search: wanted.words === "" ? undefined : wanted.words,
      includeSubdomains: wanted.includeSubdomains,
      ignoreQueryParameters: true,
      ignoreCache: false,
      location,
      headers,
      includePaths: [],
      excludePaths: [],
      filterByPath: true,
      useIndex: true,
      sitemap: wanted.ignoreSitemap ? "skip" : "include",
      limit: mostAddresses,
    };
    const list = async (signal: AbortSignal) => {
      const { links, startWarnings, warnings } = await findSiteUrls(request, signal);
      return { links, warnings: links.length > 0 ? warnings : [...startWarnings, ...warnings] };
    };
    return trace.run(
      "map",
      () => inTurn(teamId, () => withinTime(step, ms, list)),
      (found) => ({ url, outcome: found ? `${found.links.length} addresses` : "too late" }),
    );
  }

  /** D16: what is found by looking for it is read only where the site's rules allow it. */
  async function siftByRobots<Link extends { url: string }>(
    { context, signal }: Step,
    base: URL,
    links: readonly Link[],
  ): Promise<{ allowed: Link[]; crawlDelayMs: number }> {
    const { scrapeOptions: options } = context.settings;
    const gate = robots.open({ teamId: context.job.teamId, options, isNamed: false, signal });
    if (!gate || links.length === 0) return { allowed: [], crawlDelayMs: 0 };
    const rules = await gate.rulesFor(base.href);
    const isOwnHost = (url: string) => new URL(url).host === base.host;
    const allowed = links.filter(({ url }) => !isOwnHost(url) || rules.allows(url));
    return { allowed, crawlDelayMs: rules.crawlDelayMs ?? 0 };
  }

  async function searchWeb(step: Step): Promise<PageEnding> {
    const { wanted, signal } = step;
    const trace = createTrace();
    if (pages.isOver(wanted)) return endOfSearch(step, "search", trace, [timeIsUp], []);
    const query = (wanted.prompt ?? wanted.words).slice(0, 500);
    const { found: foundResults, warnings } = await findResults(step, query, trace);
    if (signal.aborted) return { kind: "released" };
    const urls = foundResults.map(({ url }) => url);
    const results = urls.slice(0, Math.min(searchResults, wanted.share));
    const further: string[] = [];
    for (const url of results.slice(0, searchedSites)) {
      const room = Math.min(pagesPerSite, wanted.share - results.length - further.length);
      if (room <= 0) break;
      const start = new URL("/", url);
      const site = await discoverPages(step, start.href, trace, searchedSiteMs, {}).catch(unlessStopped(signal));
      const { allowed } = await siftByRobots(step, start, site?.links ?? []);
      further.push(...allowed.slice(0, room).map((link) => link.url));
    }
    const found = [...results.map((url) => foundPage(url, 0)), ...further.map((url) => foundPage(url))];
    return endOfSearch(step, "search", trace, warnings, found);
  }

  async function findResults(step: Step, query: string, trace: Trace) {
    const { teamId } = step.context.job;
    const search = (signal: AbortSignal) => {
      const readText = openResultTexts({ teamId, options: scrapeOptions.parse({ formats: [] }) }, signal);
      return deps.findResults(webRequest(query, teamId), { readText, trace, signal });
    };
    try {
      const found = await trace.run(
        "search",
        () => withinTime(step, searchMs, search),
        (answer) => ({ outcome: `${answer?.groups.get("web")?.length ?? 0} results`, detail: query }),
      );
      if (!found) return { found: [], warnings: ["The web search did not end in time."] };
      const results = found.groups.get("web") ?? [];
      return {
        found: results,
        warnings: results.length > 0 ? found.warnings : [...found.warnings, "The web search found nothing."],
      };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { found: [], warnings: [`The web was not searched: ${error.message}`] };
    }
  }

  async function withinTime<Result>(
    { wanted, signal: jobSignal }: Step,
    ms: number,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | null> {
    const { signal, clear } = createDeadline(jobSignal, Math.min(ms, pages.timeLeft(wanted)));
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
    { task, context, wanted }: Step,
    kind: FoundRecord["kind"],
    trace: Trace,
    warnings: readonly string[],
    found: NewTask[],
  ) {
    const steps = wanted.trace ? trace.steps : [];
    const warning = [...new Set(warnings)].join(" ");
    const record = { kind, at: clock.now(), steps, ...(warning === "" ? {} : { warning }) };
    return records.ending(task, context.job, record, { found, refused: [] });
  }

  return {
    pages,
    searchWeb,
    findResults,
    discoverPages,
    siftByRobots,

    async perform(step: Step): Promise<PageEnding> {
      const { task } = step;
      if (task.kind === "answer") return pages.answer(step, (read) => namedFirst(step, read));
      if (task.kind === "page") return readPage(step);
      return task.kind === "search" ? searchWeb(step) : readPattern(step);
    },
  };
}

/** A search adds to what the caller's own pages say, and contradicts them nowhere. */
async function namedFirst({ wanted }: Step, read: readonly ReadRecord[]): Promise<RankedRecord[]> {
  const { readGlob } = await import("../../discovery/index.ts");
  const patterns = wanted.urls.flatMap((url) => readGlob(url) ?? []);
  const isNamed = ({ sourceUrl }: ReadRecord) =>
    wanted.urls.includes(sourceUrl) || patterns.some(({ matches }) => matches(new URL(sourceUrl).pathname));
  return read.map((record) => ({ ...record, rank: isNamed(record) ? 0 : 1 }));
}

/** A site that cannot be searched adds nothing; a job that is stopped is. */
function unlessStopped(signal: AbortSignal): (error: unknown) => null {
  return (error) => {
    if (signal.aborted) throw error;
    return null;
  };
}

/** A large site takes much memory to list, so the sites of one team are listed one after the other. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async <Result>(teamId: string, work: () => Promise<Result>): Promise<Result> => {
    const mine = (last.get(teamId) ?? Promise.resolve()).then(work, work);
    last.set(teamId, mine);
    try {
      return await mine;
    } finally {
      if (last.get(teamId) === mine) last.delete(teamId);
    }
  };
}

function webRequest(query: string, teamId: string): ResultRequest {
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
    isCacheable: true,
  };
}
