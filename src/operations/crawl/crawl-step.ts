// A task of a crawl, with everything that work on it needs.

import { namedParsers, type ScrapeOptions } from "../../contract/index.ts";
import type { CrawlScope, RobotsState, ScoreLink } from "../../discovery/index.ts";
import { acceptLanguage } from "../../engines/index.ts";
import {
  type ActiveTask,
  type CrawlSettings,
  type JobContext,
  ownUrls,
  type PageJobContext,
  shortKey,
  type TaskOf,
} from "../../jobs/index.ts";
import type { LanguageModel } from "../../llm/index.ts";
import { loadDiscovery, type RobotsCheck, type RobotsChecks } from "../../reach/index.ts";
import type { SiteRequest } from "../../site/index.ts";
import type { StoredFingerprint } from "../../store/index.ts";
import { openDocumentJob } from "../parts/page-context.ts";

export interface CrawlContext extends PageJobContext<"crawl"> {
  /** Made when the first task needs it. */
  scope: Promise<CrawlScope> | null;
  /** Which URLs get the job's headers; made when the first task needs it. */
  isOwn: Promise<(url: string) => boolean> | null;
  /** Its rules serve pages that begin within a moment of each other; made when the first task needs it. */
  check: { first: RobotsCheck; signal: AbortSignal; until: number } | null;
  /** Ids of the URLs that this process has listed as refused. */
  refusals: Set<string>;
  /** Looks up what the team's last crawl noted of a page; made when the first task needs it. */
  findFingerprint: ((key: string) => Promise<StoredFingerprint | null>) | null;
  contentKey: string | null;
  /** How promising a link is; made when the first page needs it. */
  scoreLink: ScoreLink | null;
  /** Hashes of the links of unchanged pages that the job has taken in from this process: the same ones are on many pages. */
  followed: Set<number>;
}

type CrawlTask = "page" | "sitemaps" | "gone";

export interface CrawlStep<Kind extends CrawlTask = CrawlTask> {
  task: TaskOf<Kind>;
  context: CrawlContext;
  crawl: CrawlSettings;
  scope: CrawlScope;
  isStart: boolean;
  /** Whether the job's headers may be sent to a URL. */
  isOwn(url: string): boolean;
  signal: AbortSignal;
}

/** The rules of a site, or null when the crawl does not have to obey them. */
export type Rules = RobotsState | null;

export function openCrawl(context: JobContext<"crawl">, model: LanguageModel | null): CrawlContext {
  const made = { scope: null, isOwn: null, check: null, findFingerprint: null, contentKey: null, scoreLink: null };
  return { ...openDocumentJob(context, model), ...made, refusals: new Set(), followed: new Set() };
}

export async function crawlStep<Kind extends CrawlTask>({
  task,
  context,
  signal,
}: ActiveTask<CrawlContext, Kind>): Promise<CrawlStep<Kind>> {
  const { job, settings } = context;
  context.scope ??= makeScope(job.scopeUrl, settings.crawl, settings.scrapeOptions);
  const scope = await context.scope;
  const isStart = task.depth === 0 && task.key === shortKey(scope.keyOf(settings.url));
  context.isOwn ??= ownUrls(settings.url);
  const isOwn = await context.isOwn;
  return { task, context, crawl: settings.crawl, scope, isStart, isOwn, signal };
}

export async function makeScope(
  scopeUrl: string,
  crawl: CrawlSettings,
  scrapeOptions: Pick<ScrapeOptions, "parsers">,
): Promise<CrawlScope> {
  // Loaded with the first crawl: an idle server stays small.
  const { createCrawlScope } = await loadDiscovery();
  const readsImages = namedParsers(scrapeOptions).some(({ type }) => type === "image");
  return createCrawlScope(new URL(scopeUrl), { ...crawl, readsImages });
}

/** A failure to read robots.txt, too, holds no longer than this. */
const checkMs = 1000;

/** Null when the crawl does not have to obey robots.txt. */
export function openRobotsCheck(
  robots: RobotsChecks,
  step: CrawlStep,
  archive: SiteRequest["archive"],
): RobotsCheck | null {
  const { context, crawl, signal } = step;
  if (crawl.ignoreRobotsTxt) return null;
  const now = performance.now();
  const { check } = context;
  if (check && check.signal === signal && now < check.until) return check.first.again();
  const { own, robotsAgent } = siteRequest(step);
  const site = { own, archive, ...(robotsAgent === undefined ? {} : { robotsAgent }) };
  const { scrapeOptions: options } = context.settings;
  const first = robots.open({ teamId: context.job.teamId, options, isNamed: false, signal, site });
  context.check = first && { first, signal, until: now + checkMs };
  return first;
}

/** How the site is asked about itself. */
export function siteRequest({ context, crawl, isOwn, signal }: CrawlStep): SiteRequest {
  const { job, settings } = context;
  const { origin } = new URL(isOwn(job.scopeUrl) ? job.scopeUrl : settings.url);
  const { scrapeOptions } = settings;
  return siteRequestOf({ teamId: job.teamId, signal, origin, scrapeOptions, robotsUserAgent: crawl.robotsUserAgent });
}

interface AboutSite {
  teamId: string;
  signal: AbortSignal;
  /** The only one that gets the caller's headers. */
  origin: string;
  scrapeOptions: Pick<ScrapeOptions, "headers" | "location">;
  robotsUserAgent: string | undefined;
}

export function siteRequestOf({ teamId, signal, origin, scrapeOptions, robotsUserAgent }: AboutSite): SiteRequest {
  const { headers, location } = scrapeOptions;
  const own = Object.keys(headers).length > 0 ? { origin, headers } : null;
  const agent = robotsUserAgent === undefined ? {} : { robotsAgent: robotsUserAgent };
  return { teamId, signal, language: acceptLanguage(location), own, ...agent };
}
