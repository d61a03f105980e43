// Work on the pages of a crawl: whether a page may be read, what it leads to, and what the site's sitemaps list.
import { setTimeout } from "node:timers/promises";
import { bareUrl, type Clock, remember, ServiceError, secondMs, sha256, withoutFragment } from "../../base/index.ts";
import type { CrawlScope, RobotsState } from "../../discovery/index.ts";
import { acceptLanguage } from "../../engines/index.ts";
import { failed, type NewTask, type Report, type Task } from "../../jobs/index.ts";
import {
  isOffline,
  type ObtainedPage,
  type RobotsGate,
  type RobotsGates,
  readSitemapsOf,
  type SiteReader,
  type SiteRequest,
} from "../../pages/index.ts";

import { type JobContext, makeScope, openScope, shortKey } from "./job-context.ts";
import type { Findings, JobReader, PageEnding } from "./job-reading.ts";
import type { CrawlSettings } from "./job-settings.ts";
import { maxErrors } from "./jobs.ts";

export interface CrawlWorkDeps {
  clock: Clock;
  sites: SiteReader;
  robots: RobotsGates;
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

const sitemapsKey = "sitemaps";
/** A delay that robots.txt asks for is kept up to this. */
export const longestDelayMs = 60 * secondMs;
const maxHosts = 1000;
/** Of addresses that are listed and not read: one more than an answer shows, so that it tells that there are more. */
const maxRefused = maxErrors + 1;
/** Addresses beyond the limit that sitemaps are read on for, in stead of those that turn out to be duplicates or forbidden. */
const spareListed = 500;
/** The same links stand on many pages of a site. */
const rememberedKeys = 20_000;

export function createCrawlWork({ clock, sites, robots, reader }: CrawlWorkDeps) {
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
    return task.kind === "sitemaps" ? readSite(step, report) : readCrawled(step);
  }

  async function readCrawled(step: Step): Promise<PageEnding> {
    const { task, context, crawl, scope, isStart, signal } = step;
    const pausedUntil = reader.pausedUntil(task.url);
    if (pausedUntil > 0) {
      const pausesJob = isSameOrigin(task.url, context.job.scopeUrl);
      return { kind: "released", notBefore: pausedUntil, pausesJob };
    }
    // The sitemaps are read after the start page, because only then it is clear which site they belong to.
    const isOnline = !isOffline(context.settings.scrapeOptions);
    const sitemaps = isStart && crawl.sitemap !== "skip" && isOnline ? [sitePage(task)] : [];
    const gate = openGate(step);
    const rules = gate && (await gate.rulesFor(task.url));
    const delayMs = rules?.allows(task.url) ? Math.min(rules.crawlDelayMs ?? 0, longestDelayMs) : 0;
    if (delayMs > 0) await turns.wait(new URL(task.url).host, delayMs, signal);

    const isExternal = !isStart && !scope.isWithin(task.url);
    const isLeaf = isExternal || crawl.sitemap === "only" || (crawl.maxDiscoveryDepth ?? Infinity) <= task.depth;
    const options = { outlinks: !isLeaf, sendsHeaders: step.isOwn(task.url), robots: gate };
    const page = await reader.read(task, context, options, signal);
    if (!page.ok && page.refusal?.rules)
      return forbidden(step, withoutFragment(page.refusal.url), page.refusal.rules, sitemaps);
    if (!page.ok) return page.ending.kind === "failed" ? { ...page.ending, found: sitemaps } : page.ending;
    const ending = await endOfRead(step, page, gate, sitemaps);
    // One page after the other, if the crawl's own site asks for it.
    return delayMs > 0 && !isExternal && "found" in ending ? { ...ending, delayMs } : ending;
  }

  /** A page that was read ends where redirects led; what it links to is looked for there. */
  async function endOfRead(
    step: Step,
    page: ObtainedPage,
    gate: RobotsGate | null,
    sitemaps: NewTask[],
  ): Promise<PageEnding> {
    const { task, context, crawl, isStart, signal } = step;
    const { document, outlinks } = page.reading;
    const endUrl = withoutFragment(document.metadata.url ?? task.url);
    const robots = gate && (await gate.rulesFor(endUrl));
    if (robots && !robots.allows(endUrl)) return forbidden(step, endUrl, robots, sitemaps);
    // A start page that leads elsewhere takes the crawl there.
    const scopeUrl = isStart ? step.scope.movedTo(endUrl) : null;
    const scope = scopeUrl === null ? step.scope : await makeScope(scopeUrl, crawl);
    const moved = scopeUrl === null ? {} : { scopeUrl };
    const endKey = shortKey(scope.keyOf(endUrl));
    if (!isStart && endKey !== task.key) {
      const refusal = await refusalOfEnd(scope, endUrl, signal);
      if (refusal) return refusal;
    }
    const links = outlinks?.links.map(({ url }) => url) ?? [];
    const { accepted, denied } = await scope.sift(links, { isExternal: false }, signal);
    const findings = sortOut(task, { accepted, denied }, robots, endUrl);
    findings.found.unshift(...sitemaps);
    findings.refused = boundRefused(context, findings.refused);
    // A start page that the patterns do not want is read for its links only.
    if (isStart && (await scope.accepts(endUrl, signal)) !== true) return { kind: "nothing", ...findings, ...moved };
    const isAlone = isStart && findings.found.every(({ key, kind }) => kind !== "page" || key === endKey);
    const leadsOutside = isAlone && (await findsMoreOutside(step, links, robots, endUrl));
    const notes = leadsOutside ? { leadsOutside } : {};
    return { ...(await reader.document(context, page, endKey, findings, notes)), ...moved };
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
      else findings.found.push({ url, key: keyOf(key), depth, kind: "page", step: null });
    }
    return findings;
  }

  function forbidden({ task, isStart }: Step, url: string, robots: RobotsState, found: NewTask[]): PageEnding {
    const refused = [refusal(task, url, clock.now(), blocked(robots))];
    // A site that did not answer is an error of the page, which says it all.
    const isWarned = isStart && robots.failure === undefined;
    const warning = isWarned ? { warning: robots.reason ?? "robots.txt forbids the start page." } : {};
    return { kind: "nothing", found, refused, ...warning };
  }

  /** Null when the crawl does not have to obey robots.txt. */
  function openGate(step: Step): RobotsGate | null {
    if (step.crawl.ignoreRobotsTxt) return null;
    const { context, signal } = step;
    const { own, robotsAgent } = siteRequest(step);
    const site = robotsAgent === undefined ? { own } : { own, robotsAgent };
    return robots.open({
      teamId: context.job.teamId,
      options: context.settings.scrapeOptions,
      isNamed: false,
      signal,
      site,
    });
  }

  return perform;
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

/** Why a page may not be read: the rules of its site, or that nobody could ask for them. */
function blocked({ failure, reason }: Partial<Pick<RobotsState, "failure" | "reason">> = {}) {
  const { code, message } = new ServiceError(failure ?? "ROBOTS_BLOCKED", failure && reason);
  return { code, message };
}

function sitePage({ url }: Task): NewTask {
  return { key: sitemapsKey, url: bareUrl(url), depth: 0, kind: "sitemaps", step: null };
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
