// A task of a crawl in work, with everything that work on it needs.
import type { ScrapeOptions } from "../../contract/index.ts";
import type { CrawlScope, RobotsState } from "../../discovery/index.ts";
import { acceptLanguage } from "../../engines/index.ts";
import type { CrawlSettings, JobContext, TaskInWork, TaskOf } from "../../jobs/index.ts";
import { openDocumentJob, ownUrls, type PageJobContext, shortKey } from "../../page-jobs/index.ts";
import type { LanguageModel, SiteRequest } from "../../pages/index.ts";
import { loadDiscovery } from "../../pages/index.ts";

export interface CrawlContext extends PageJobContext<"crawl"> {
  /** Made when the first task needs it. */
  scope: Promise<CrawlScope> | null;
  /** Ids of the URLs that this process has listed as refused. */
  refusals: Set<string>;
}

export interface CrawlStep<Kind extends "page" | "sitemaps" = "page" | "sitemaps"> {
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
  return { ...openDocumentJob(context, model), scope: null, refusals: new Set() };
}

export async function crawlStep<Kind extends "page" | "sitemaps">({
  task,
  context,
  signal,
}: TaskInWork<CrawlContext, Kind>): Promise<CrawlStep<Kind>> {
  const { job, settings } = context;
  context.scope ??= makeScope(job.scopeUrl, settings.crawl, settings.scrapeOptions);
  const scope = await context.scope;
  const isStart = task.depth === 0 && task.key === shortKey(scope.keyOf(settings.url));
  const isOwn = await ownUrls(settings.url);
  return { task, context, crawl: settings.crawl, scope, isStart, isOwn, signal };
}

export async function makeScope(
  scopeUrl: string,
  crawl: CrawlSettings,
  { parsers }: Pick<ScrapeOptions, "parsers">,
): Promise<CrawlScope> {
  // Loaded with the first crawl: an idle server stays small.
  const { createCrawlScope } = await loadDiscovery();
  const readsImages = parsers.some(({ type }) => type === "image");
  return createCrawlScope(new URL(scopeUrl), { ...crawl, readsImages });
}

/** How the site is asked about itself. */
export function siteRequest({ context, crawl, isOwn, signal }: CrawlStep): SiteRequest {
  const { job, settings } = context;
  const { headers, location } = settings.scrapeOptions;
  const { origin } = new URL(isOwn(job.scopeUrl) ? job.scopeUrl : settings.url);
  const own = Object.keys(headers).length > 0 ? { origin, headers } : null;
  const agent = crawl.robotsUserAgent;
  const robotsAgent = agent === undefined ? {} : { robotsAgent: agent };
  return { teamId: job.teamId, signal, language: acceptLanguage(location), own, ...robotsAgent };
}
