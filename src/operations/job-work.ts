// What a worker does with a page of a job: reads it as a scrape does, looks where it leads, and says how it ended.
import { setTimeout } from "node:timers/promises";
import { bareUrl, type Clock, ServiceError, secondMs, sha256, withoutFragment } from "../base/index.ts";
import type { CrawlScope, RobotsState } from "../discovery/index.ts";
import { acceptLanguage } from "../engines/index.ts";
import type { Ending, FoundPage, Report, Task } from "../jobs/index.ts";
import type { Job, Store } from "../store/index.ts";
import type { CrawlSettings, JobSettings, SettingsPacker } from "./job-settings.ts";
import { readSitemapsOf } from "./map-sitemaps.ts";
import { keepsNothing, type PageRecorder, type PageRows, pagePrice } from "./page-record.ts";
import type { PageOutcome, PageReader, PageReading } from "./read-page.ts";
import { type OutputPlan, planOutputs } from "./scrape-outputs.ts";
import type { SiteReader, SiteRequest } from "./site-reader.ts";
import { createTrace } from "./trace.ts";

export interface JobWorkDeps {
  store: Store;
  clock: Clock;
  packer: SettingsPacker;
  recorder: PageRecorder;
  readPage: PageReader;
  sites: SiteReader;
  /** When a host that asked for a pause wants the next request; 0: now. */
  readyAt(url: string): number;
  /** Whether pages that a caller named must be allowed by robots.txt, too. */
  obeysRobotsAlways: boolean;
}

/** A job as its pages need it; parsed once. */
interface JobContext {
  job: Job;
  settings: JobSettings;
  plan: OutputPlan;
  /** Of a crawl; made again when its start page leads elsewhere. */
  scope: CrawlScope | null;
}

type PageEnding = Ending<PageRows>;

interface Findings {
  found: FoundPage[];
  refused: { id: string; at: number; url: string; code: string; message: string }[];
}

const maxContexts = 1000;
const sitePageKey = "site";
/** Tries of a page are so far apart, unless its host says when. */
const retryMs = [secondMs, 4 * secondMs];
const longestRetryMs = 120 * secondMs;
const retriedStatuses = new Set([429, 502, 503, 504]);
const retriedCodes = new Set(["SCRAPE_SITE_ERROR"]);
/** A delay that robots.txt asks for is kept up to this. */
const longestDelayMs = 60 * secondMs;

export function createJobWork(deps: JobWorkDeps) {
  const { clock, sites } = deps;
  const contexts = new Map<string, JobContext>();
  const turns = createHostTurns();

  async function openContext(jobId: string): Promise<JobContext> {
    const known = contexts.get(jobId);
    if (known) return known;
    const job = await deps.store.jobs.read(jobId);
    if (!job) throw new ServiceError("JOB_NOT_FOUND");
    const settings = deps.packer.unpack(job);
    const context = { job, settings, plan: planOutputs(settings.scrapeOptions), scope: null };
    const oldest = contexts.size >= maxContexts ? contexts.keys().next().value : undefined;
    if (oldest !== undefined) contexts.delete(oldest);
    contexts.set(jobId, context);
    return context;
  }

  async function perform(task: Task, signal: AbortSignal, report: Report): Promise<PageEnding> {
    const context = await openContext(task.jobId);
    const { crawl } = context.settings;
    if (crawl === null) return performNamed(task, context, signal);
    const scope = context.scope ?? (await openScope(context, crawl));
    return task.kind === "site"
      ? performSite(task, context, scope, signal, report)
      : performCrawled(task, context, crawl, scope, signal);
  }

  /** A page of a batch. */
  async function performNamed(task: Task, context: JobContext, signal: AbortSignal): Promise<PageEnding> {
    if (deps.obeysRobotsAlways) {
      const robots = await sites.readRobots(new URL(task.url), siteRequest(task, context, signal));
      if (!robots.allows(task.url)) return { kind: "failed", ...blocked(), found: [], refused: [] };
    }
    const pausedUntil = deps.readyAt(task.url);
    if (pausedUntil > 0) return { kind: "released", notBefore: soon(pausedUntil) };
    const outcome = await readPage(task, context, false, signal);
    const unusable = endingOfUnusable(task, outcome, signal);
    if (unusable) return unusable;
    return documentEnding(task, context, outcome as PageReading, task.key, { found: [], refused: [] });
  }

  async function performCrawled(
    task: Task,
    context: JobContext,
    crawl: CrawlSettings,
    startScope: CrawlScope,
    signal: AbortSignal,
  ): Promise<PageEnding> {
    const isStart = task.depth === 0 && task.key === shortKey(startScope.keyOf(context.settings.url));
    // The sitemaps are read after the start page, because only then it is clear which site they are to be of.
    const sitemaps = isStart && crawl.sitemap !== "skip" ? [sitePage(task)] : [];
    const robots = await readRobots(task.url, task, context, crawl, signal);
    if (robots && !robots.allows(task.url)) {
      const refused = [refusalOf(task, task.url, clock.now())];
      const warning = isStart ? { warning: robots.reason ?? "robots.txt forbids the start page." } : {};
      return { kind: "nothing", found: sitemaps, refused, ...warning };
    }
    const pausedUntil = deps.readyAt(task.url);
    if (pausedUntil > 0) return { kind: "released", notBefore: soon(pausedUntil), pausesJob: true };
    if (robots?.crawlDelayMs)
      await turns.wait(new URL(task.url).host, Math.min(robots.crawlDelayMs, longestDelayMs), signal);
    const isExternal = !isStart && !startScope.isWithin(task.url);
    const isLeaf = isExternal || crawl.sitemap === "only" || (crawl.maxDiscoveryDepth ?? Infinity) <= task.depth;
    const outcome = await readPage(task, context, !isLeaf, signal, isExternal);
    const unusable = endingOfUnusable(task, outcome, signal);
    if (unusable) return unusable.kind === "failed" ? { ...unusable, found: sitemaps } : unusable;

    const reading = outcome as PageReading;
    const endUrl = withoutFragment(reading.document.metadata.url ?? task.url);
    const moved = isStart ? await moveScope(context, crawl, endUrl) : null;
    const scope = moved?.scope ?? startScope;
    if (!isStart && !isExternal && !scope.isWithin(endUrl) && !crawl.allowExternalLinks) {
      const message = "The page redirects to another site.";
      return { kind: "failed", code: "EXTERNAL_LINK", message, found: [], refused: [] };
    }
    const links = isLeaf ? [] : (reading.outlinks?.links.map(({ url }) => url) ?? []);
    const findings = await sift(task, scope, links, robots, signal);
    findings.found.push(...sitemaps);
    const delay = robots?.crawlDelayMs ? { delayMs: Math.min(robots.crawlDelayMs, longestDelayMs) } : {};
    const scopeUrl = moved ? { scopeUrl: moved.scopeUrl } : {};
    // A start page that the patterns do not want is read for its links only.
    if (isStart && (await scope.acceptsStart(signal)) !== true)
      return { kind: "nothing", ...findings, ...scopeUrl, ...delay };
    const ending = await documentEnding(task, context, reading, shortKey(scope.keyOf(endUrl)), findings);
    return { ...ending, ...scopeUrl, ...delay };
  }

  async function openScope(context: JobContext, crawl: CrawlSettings): Promise<CrawlScope> {
    const { createCrawlScope } = await import("../discovery/index.ts");
    context.scope = await createCrawlScope(new URL(context.job.scopeUrl), crawl);
    return context.scope;
  }

  /** D16: a start page that leads to another host takes the crawl there. */
  async function moveScope(context: JobContext, crawl: CrawlSettings, endUrl: string) {
    if (new URL(endUrl).host === new URL(context.job.scopeUrl).host) return null;
    const scopeUrl = bareUrl(endUrl);
    context.job = { ...context.job, scopeUrl };
    return { scopeUrl, scope: await openScope(context, crawl) };
  }

  async function performSite(
    task: Task,
    context: JobContext,
    scope: CrawlScope,
    signal: AbortSignal,
    report: Report,
  ): Promise<PageEnding> {
    const { maxLinksPerPage } = await import("../discovery/index.ts");
    const base = new URL(context.job.scopeUrl);
    const request = siteRequest(task, context, signal);
    const robots = await sites.readRobots(base, request);
    const sitemaps = readSitemapsOf(sites, { base, robots, feeds: [], ignoreCache: false }, request);
    let taken = 0;
    for await (const entries of sitemaps.files()) {
      for (let from = 0; from < entries.length && taken < context.job.pageLimit; from += maxLinksPerPage) {
        const urls = entries.slice(from, from + maxLinksPerPage).map(({ url }) => url);
        const { found } = await sift({ ...task, depth: -1 }, scope, urls, robots, signal, true);
        taken += found.length;
        await report(found);
      }
      if (taken >= context.job.pageLimit || signal.aborted) break;
    }
    const warnings = sitemaps.warnings();
    if (signal.aborted) return { kind: "released" };
    return { kind: "nothing", found: [], refused: [], ...(warnings.length > 0 ? { warning: warnings.join(" ") } : {}) };
  }

  /** Links that the crawl follows, one level deeper; those that robots.txt forbids are listed instead. */
  async function sift(
    task: Task,
    scope: CrawlScope,
    links: readonly string[],
    robots: RobotsState | null,
    signal: AbortSignal,
    isSitemap = false,
  ): Promise<Findings> {
    const { accepted, denied } = await scope.sift(links, isSitemap ? null : { isExternal: false }, signal);
    const now = clock.now();
    // Other sites' rules are asked for when their page's turn comes.
    const isForbidden = (url: string) => robots !== null && isSameOrigin(url, task.url) && !robots.allows(url);
    return {
      found: accepted
        .filter(({ url }) => !isForbidden(url))
        .map(({ url, key }) => ({ url, key: shortKey(key), depth: task.depth + 1, kind: "page" })),
      refused: [
        ...accepted.filter(({ url }) => isForbidden(url)).map(({ url }) => refusalOf(task, url, now)),
        ...denied.map(({ url, code, reason }) => ({ ...refusalOf(task, url, now), code, message: reason })),
      ],
    };
  }

  /** Null when the crawl need not obey. */
  async function readRobots(
    url: string,
    task: Task,
    context: JobContext,
    crawl: CrawlSettings,
    signal: AbortSignal,
  ): Promise<RobotsState | null> {
    if (crawl.ignoreRobotsTxt) return null;
    return sites.readRobots(new URL(url), siteRequest(task, context, signal));
  }

  function readPage(
    task: Task,
    { settings, plan }: JobContext,
    outlinks: boolean,
    signal: AbortSignal,
    isExternal = false,
  ): Promise<PageOutcome> {
    // Headers may hold secrets of the crawled site; no other site gets them.
    const options = isExternal ? { ...settings.scrapeOptions, headers: {} } : settings.scrapeOptions;
    const request = {
      teamId: task.teamId,
      url: task.url,
      options,
      plan: { ...plan, formats: { ...plan.formats, outlinks } },
    };
    return deps.readPage({ ...request, isJob: true }, signal, createTrace());
  }

  /** Null for a page that can be shown. */
  function endingOfUnusable(task: Task, outcome: PageOutcome, signal: AbortSignal): PageEnding | null {
    if (signal.aborted) return { kind: "released" };
    const waitMs = retryMs[task.tries] ?? longestRetryMs;
    const notBefore = Math.max(clock.now() + waitMs, soon(deps.readyAt(task.url)));
    if (!outcome.ok) {
      const { message } = new ServiceError(outcome.code, outcome.message);
      if (retriedCodes.has(outcome.code)) return { kind: "retry", notBefore, code: outcome.code, message };
      return { kind: "failed", code: outcome.code, message, found: [], refused: [] };
    }
    const status = outcome.document.metadata.statusCode ?? 200;
    // What still refuses at the last try is shown as it is: a target's answer is a success.
    if (!retriedStatuses.has(status) || task.tries >= retryMs.length) return null;
    return { kind: "retry", notBefore, code: "SCRAPE_SITE_ERROR", message: `The page's server answered ${status}.` };
  }

  /** However long a host asks for, its page is tried again before that is forgotten. */
  function soon(at: number): number {
    return Math.min(at, clock.now() + longestRetryMs);
  }

  async function documentEnding(
    task: Task,
    { job, settings }: JobContext,
    reading: PageReading,
    endKey: string,
    findings: Findings,
  ): Promise<PageEnding> {
    const { scrapeOptions } = settings;
    const credits = pagePrice(scrapeOptions);
    const endpoint = job.kind === "crawl" ? "crawl" : "batch_scrape";
    // The page's own id: however often it is fetched, it is charged once.
    const bill = { teamId: job.teamId, keyId: job.keyId, chargeId: task.id, jobId: job.id, endpoint, credits };
    const isForgotten = keepsNothing(scrapeOptions);
    const { rows, document } = await deps.recorder.record(bill, reading, { document: "own", traces: !isForgotten });
    if (document === null) throw new ServiceError("INTERNAL_ERROR");
    const facts = { ...reading.facts, sourceURL: bareUrl(task.url), scrapeId: task.id, creditsUsed: credits };
    const details = JSON.stringify({ facts, warnings: reading.warnings });
    return { kind: "document", document: { ...document, details }, rows, credits, endKey, ...findings };
  }

  return { perform, forget: (jobId: string) => void contexts.delete(jobId) };
}

/** Keys as they lie in the store: all of one length, however long the address is. */
export function shortKey(key: string): string {
  return sha256(key).slice(0, 32);
}

/** Pages of one host whose site asked for a delay are begun so far apart, whatever job they belong to. */
function createHostTurns() {
  const nextAt = new Map<string, number>();
  return {
    async wait(host: string, delayMs: number, signal: AbortSignal): Promise<void> {
      const now = performance.now();
      const at = Math.max(now, nextAt.get(host) ?? 0);
      nextAt.set(host, at + delayMs);
      if (nextAt.size > maxContexts) for (const [name, time] of nextAt) if (time < now) nextAt.delete(name);
      if (at > now) await setTimeout(at - now, undefined, { signal }).catch(() => undefined);
    },
  };
}

function siteRequest({ teamId }: Task, { settings, job }: JobContext, signal: AbortSignal): SiteRequest {
  const { headers, location } = settings.scrapeOptions;
  const isPersonal = Object.keys(headers).length > 0;
  const own = isPersonal ? { origin: new URL(job.scopeUrl).origin, headers } : null;
  return { teamId, signal, language: acceptLanguage(location), own };
}

function sitePage({ url }: Task): FoundPage {
  return { key: sitePageKey, url, depth: 0, kind: "site" };
}

function blocked() {
  const { code, message } = new ServiceError("ROBOTS_BLOCKED");
  return { code, message };
}

/** The same address is listed once, on however many pages it stands. */
function refusalOf(task: Task, url: string, at: number) {
  const hash = sha256(`${task.jobId} ${url}`);
  const id = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  return { id, at, url, ...blocked() };
}

function isSameOrigin(one: string, two: string): boolean {
  return new URL(one).origin === new URL(two).origin;
}
