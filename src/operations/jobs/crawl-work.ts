// Work on the pages of a crawl: whether a page may be read, what it leads to, and what the site's sitemaps list.
import { setTimeout } from "node:timers/promises";
import { bareUrl, type Clock, remember, secondMs, sha256, withoutFragment } from "../../base/index.ts";
import type { CrawlScope, RobotsState } from "../../discovery/index.ts";
import { acceptLanguage } from "../../engines/index.ts";
import type { FoundPage, Report, Task } from "../../jobs/index.ts";
import type { PageReading, SiteReader, SiteRequest } from "../../pages/index.ts";
import { readSitemapsOf } from "../map/map-sitemaps.ts";
import { type JobContext, makeScope, openScope, shortKey } from "./job-context.ts";
import { type Findings, failed, type JobReader, type PageEnding } from "./job-reading.ts";
import type { CrawlSettings } from "./job-settings.ts";
import { maxErrors } from "./jobs.ts";
import { blocked } from "./robots-refusal.ts";

export interface CrawlWorkDeps {
  clock: Clock;
  sites: SiteReader;
  reader: JobReader;
}

/** A page in work, with everything that its steps ask for. */
interface Step {
  task: Task;
  context: JobContext;
  crawl: CrawlSettings;
  scope: CrawlScope;
  isStart: boolean;
  /** Whether the job's headers may go to an address. */
  isOwn(url: string): boolean;
  signal: AbortSignal;
}

const sitePageKey = "site";
/** A delay that robots.txt asks for is kept up to this. */
export const longestDelayMs = 60 * secondMs;
const maxHosts = 1000;
/** Of addresses that are listed and not read: one more than an answer shows, so that it tells that there are more. */
const maxRefused = maxErrors + 1;
/** Addresses beyond the limit that sitemaps are read on for, in stead of those that turn out to be duplicates or forbidden. */
const spareListed = 500;
/** The same links stand on many pages of a site. */
const rememberedKeys = 20_000;

export function createCrawlWork({ clock, sites, reader }: CrawlWorkDeps) {
  const turns = createHostTurns();
  const keyOf = remember(shortKey, rememberedKeys);

  async function perform(
    task: Task,
    context: JobContext,
    crawl: CrawlSettings,
    signal: AbortSignal,
    report: Report,
  ): Promise<PageEnding> {
    const scope = await openScope(context, crawl);
    const isStart = task.depth === 0 && task.key === shortKey(scope.keyOf(context.settings.url));
    const isOwn = await ownAddresses(context.settings.url);
    const step = { task, context, crawl, scope, isStart, isOwn, signal };
    return task.kind === "site" ? readSite(step, report) : readCrawled(step);
  }

  async function readCrawled(step: Step): Promise<PageEnding> {
    const { task, context, crawl, scope, isStart, signal } = step;
    const pausedUntil = reader.pausedUntil(task.url);
    if (pausedUntil > 0) {
      const pausesJob = isSameOrigin(task.url, context.job.scopeUrl);
      return { kind: "released", notBefore: pausedUntil, pausesJob };
    }
    // The sitemaps are read after the start page, because only then it is clear which site they are to be of.
    const sitemaps = isStart && crawl.sitemap !== "skip" && !isOffline(context) ? [sitePage(task)] : [];
    const robots = await readRobots(step, task.url);
    if (robots && !robots.allows(task.url)) return forbidden(step, task.url, robots, sitemaps);
    const delayMs = Math.min(robots?.crawlDelayMs ?? 0, longestDelayMs);
    if (delayMs > 0) await turns.wait(new URL(task.url).host, delayMs, signal);

    const isExternal = !isStart && !scope.isWithin(task.url);
    const isLeaf = isExternal || crawl.sitemap === "only" || (crawl.maxDiscoveryDepth ?? Infinity) <= task.depth;
    const closed: { url: string; robots: RobotsState }[] = [];
    const mayFollow = async (url: string) => {
      const rules = isSameOrigin(url, task.url) ? robots : await readRobots(step, url);
      if (!rules || rules.allows(url)) return true;
      closed.push({ url: withoutFragment(url), robots: rules });
      return false;
    };
    const options = { outlinks: !isLeaf, sendsHeaders: step.isOwn(task.url), mayFollow };
    const reading = await reader.read(task, context, options, signal);
    const [refused] = closed;
    if (refused) return forbidden(step, refused.url, refused.robots, sitemaps);
    if ("kind" in reading) return reading.kind === "failed" ? { ...reading, found: sitemaps } : reading;
    const ending = await endOfRead(step, reading, robots, sitemaps);
    // One page after the other, if the crawl's own site asks for it.
    return delayMs > 0 && !isExternal && "found" in ending ? { ...ending, delayMs } : ending;
  }

  /** A page that was read ends where redirects led; what it links to is looked for there. */
  async function endOfRead(
    step: Step,
    reading: PageReading,
    startRobots: RobotsState | null,
    sitemaps: FoundPage[],
  ): Promise<PageEnding> {
    const { task, context, crawl, isStart, signal } = step;
    const endUrl = withoutFragment(reading.document.metadata.url ?? task.url);
    const robots = isSameOrigin(endUrl, task.url) ? startRobots : await readRobots(step, endUrl);
    if (robots && !robots.allows(endUrl)) return forbidden(step, endUrl, robots, sitemaps);
    // D16: a start page that leads elsewhere takes the crawl there.
    const scopeUrl = isStart ? step.scope.movedTo(endUrl) : null;
    const scope = scopeUrl === null ? step.scope : await makeScope(scopeUrl, crawl);
    const moved = scopeUrl === null ? {} : { scopeUrl };
    const endKey = shortKey(scope.keyOf(endUrl));
    if (!isStart && endKey !== task.key) {
      const refusal = await refusalOfEnd(scope, endUrl, signal);
      if (refusal) return refusal;
    }
    const links = reading.outlinks?.links.map(({ url }) => url) ?? [];
    const { accepted, denied } = await scope.sift(links, { isExternal: false }, signal);
    const findings = sortOut(task, { accepted, denied }, robots, endUrl);
    findings.found.unshift(...sitemaps);
    findings.refused = boundRefused(context, findings.refused);
    // A start page that the patterns do not want is read for its links only.
    if (isStart && (await scope.accepts(endUrl, signal)) !== true) return { kind: "nothing", ...findings, ...moved };
    const isAlone = isStart && findings.found.every(({ key, kind }) => kind === "site" || key === endKey);
    const leadsOutside = isAlone && (await findsMoreOutside(step, links, robots, endUrl));
    const notes = leadsOutside ? { leadsOutside } : {};
    return { ...(await reader.document(task, context, reading, endKey, findings, notes)), ...moved };
  }

  /** Whether crawlEntireDomain would have led a crawl further whose start page leads nowhere. */
  async function findsMoreOutside(
    { task, crawl, signal }: Step,
    links: readonly string[],
    robots: RobotsState | null,
    endUrl: string,
  ): Promise<boolean> {
    if (crawl.crawlEntireDomain || links.length === 0) return false;
    const wide = await makeScope(endUrl, { ...crawl, crawlEntireDomain: true });
    const { found } = sortOut(task, await wide.sift(links, { isExternal: false }, signal), robots, endUrl);
    return found.some(({ url }) => wide.keyOf(url) !== wide.keyOf(endUrl));
  }

  /** A redirect leads only where a link could have led. */
  async function refusalOfEnd(scope: CrawlScope, endUrl: string, signal: AbortSignal): Promise<PageEnding | null> {
    const { accepted, denied } = await scope.sift([endUrl], { isExternal: false }, signal);
    if (accepted.length > 0) return null;
    const code = denied[0]?.code ?? (scope.isWithin(endUrl) ? "CRAWL_DENIAL" : "EXTERNAL_LINK");
    return failed(code, "The page redirects to an address that the crawl does not follow.");
  }

  async function readSite(step: Step, report: Report): Promise<PageEnding> {
    const { task, context, crawl, scope, signal } = step;
    const { maxLinksPerPage } = await import("../../discovery/index.ts");
    const { scopeUrl, pageLimit } = context.job;
    const request = siteRequest(step);
    const rules = await sites.readRobots(new URL(scopeUrl), request);
    const robots = crawl.ignoreRobotsTxt ? null : rules;
    const sources = { base: new URL(scopeUrl), robots: rules, feeds: [], ignoreCache: false };
    const sitemaps = readSitemapsOf(sites, sources, request);
    const refused: Findings["refused"] = [];
    const wanted = pageLimit + spareListed;
    let taken = 0;
    for await (const entries of sitemaps.files()) {
      for (let from = 0; from < entries.length && taken < wanted; from += maxLinksPerPage) {
        const urls = entries.slice(from, from + maxLinksPerPage).map(({ url }) => url);
        const sifting = await scope.sift(urls, null, signal);
        const findings = sortOut({ ...task, depth: -1 }, sifting, robots, scopeUrl);
        refused.push(...boundRefused(context, findings.refused));
        taken += findings.found.length;
        await report(findings.found);
      }
      if (taken >= wanted || signal.aborted) break;
    }
    if (signal.aborted) return { kind: "released" };
    const warnings = sitemaps.warnings();
    return { kind: "nothing", found: [], refused, ...(warnings.length > 0 ? { warning: warnings.join(" ") } : {}) };
  }

  /** Links that the crawl follows, one level deeper; those that robots.txt forbids are listed instead. */
  function sortOut(
    task: Task,
    { accepted, denied }: Awaited<ReturnType<CrawlScope["sift"]>>,
    robots: RobotsState | null,
    base: string,
  ): Findings {
    const now = clock.now();
    // Other sites' rules are asked for when their page's turn comes.
    const ownSite = `${new URL(base).origin}/`;
    const isForbidden = (url: string) => robots !== null && url.startsWith(ownSite) && !robots.allows(url);
    const depth = task.depth + 1;
    const findings: Findings = {
      found: [],
      refused: denied.map(({ url, code, reason }) => refusal(task, url, now, { code, message: reason })),
    };
    for (const { url, key } of accepted) {
      if (isForbidden(url)) findings.refused.push(refusal(task, url, now, blocked()));
      else findings.found.push({ url, key: keyOf(key), depth, kind: "page" });
    }
    return findings;
  }

  function forbidden({ task, isStart }: Step, url: string, robots: RobotsState, found: FoundPage[]): PageEnding {
    const refused = [refusal(task, url, clock.now(), blocked(robots))];
    // A site that did not answer is an error of the page, which says it all.
    const isWarned = isStart && robots.failure === undefined;
    const warning = isWarned ? { warning: robots.reason ?? "robots.txt forbids the start page." } : {};
    return { kind: "nothing", found, refused, ...warning };
  }

  /** Null when the crawl need not obey. */
  async function readRobots(step: Step, url: string): Promise<RobotsState | null> {
    if (step.crawl.ignoreRobotsTxt || isOffline(step.context)) return null;
    return sites.readRobots(new URL(url), siteRequest(step));
  }

  return perform;
}

/** Nothing may be asked of any site: what is stored is all there is. */
function isOffline({ settings }: JobContext): boolean {
  return settings.scrapeOptions.lockdown;
}

/** Headers may hold secrets: only the site that the caller named gets them, wherever its start page leads. */
export async function ownAddresses(start: string): Promise<(url: string) => boolean> {
  const { createSiteScope } = await import("../../discovery/index.ts");
  const named = new URL(start);
  const isOfSite = createSiteScope(named, { includeSubdomains: true, filterByPath: false });
  return (text) => {
    const url = new URL(text);
    return isOfSite(url) && (url.protocol === "https:" || named.protocol === "http:");
  };
}

/** Pages of one host whose site asked for a delay are begun so far apart, whatever job they belong to. */
function createHostTurns() {
  const nextAt = new Map<string, number>();
  return {
    async wait(host: string, delayMs: number, signal: AbortSignal): Promise<void> {
      const now = performance.now();
      const at = Math.max(now, nextAt.get(host) ?? 0);
      nextAt.set(host, at + delayMs);
      if (nextAt.size > maxHosts) for (const [name, time] of nextAt) if (time < now) nextAt.delete(name);
      if (at > now) await setTimeout(at - now, undefined, { signal }).catch(() => undefined);
    },
  };
}

function siteRequest({ context, crawl, isOwn, signal }: Step): SiteRequest {
  const { job, settings } = context;
  const { headers, location } = settings.scrapeOptions;
  const { origin } = new URL(isOwn(job.scopeUrl) ? job.scopeUrl : settings.url);
  const own = Object.keys(headers).length > 0 ? { origin, headers } : null;
  const agent = crawl.robotsUserAgent;
  return {
    teamId: job.teamId,
    signal,
    language: acceptLanguage(location),
    own,
    ...(agent === undefined ? {} : { robotsAgent: agent }),
  };
}

function sitePage({ url }: Task): FoundPage {
  return { key: sitePageKey, url: bareUrl(url), depth: 0, kind: "site" };
}

/** On a site that has no end of such addresses only the first are listed. */
function boundRefused({ refusals }: JobContext, refused: Findings["refused"]): Findings["refused"] {
  return refused.filter(({ id }) => {
    if (!refusals.has(id) && refusals.size < maxRefused) refusals.add(id);
    return refusals.has(id);
  });
}

/** The same address is listed once, on however many pages it stands. */
function refusal(task: Task, url: string, at: number, why: { code: string; message: string }) {
  const hash = sha256(`${task.jobId} ${url}`);
  const id = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  return { id, at, url, ...why };
}

function isSameOrigin(one: string, two: string): boolean {
  return new URL(one).origin === new URL(two).origin;
}
