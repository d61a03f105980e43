// Work on one page of a crawl: whether it may be read, and what it leads to.
import { bareUrl, type Clock, withoutFragment } from "../../base/index.ts";
import type { CrawlScope } from "../../discovery/index.ts";
import { failed, type NewTask } from "../../jobs/index.ts";
import { type PageEnding, pagesOfWalledHost, shortKey, type TaskPages } from "../../page-jobs/index.ts";
import { isOffline, type ObtainedPage, type RobotsGate, type RobotsGates } from "../../pages/index.ts";
import { type CrawlStep, makeScope, type Rules, siteRequest } from "./crawl-step.ts";
import { createHostTurns } from "./host-turns.ts";
import { allowedBy, type LinkSorter } from "./sort-links.ts";
import { findStopWord } from "./stop-words.ts";

export interface CrawlPageDeps {
  clock: Clock;
  pages: TaskPages;
  robots: RobotsGates;
  links: LinkSorter;
}

type PageStep = CrawlStep<"page">;

export function createCrawlPages({ pages, robots, links }: CrawlPageDeps) {
  const turns = createHostTurns();

  /** Null when the crawl does not have to obey robots.txt. */
  function openGate(step: PageStep): RobotsGate | null {
    const { context, crawl, signal } = step;
    if (crawl.ignoreRobotsTxt) return null;
    const { own, robotsAgent } = siteRequest(step);
    const site = robotsAgent === undefined ? { own } : { own, robotsAgent };
    const { scrapeOptions: options } = context.settings;
    return robots.open({ teamId: context.job.teamId, options, isNamed: false, signal, site });
  }

  /** A page that was read ends where redirects led; its links are those of that place. */
  async function endOfRead(
    step: PageStep,
    page: ObtainedPage,
    gate: RobotsGate | null,
    sitemaps: NewTask[],
  ): Promise<PageEnding> {
    const { task, context, crawl, isStart, signal } = step;
    const { document, outlinks } = page.reading;
    const endUrl = withoutFragment(document.metadata.url ?? task.url);
    const rules = gate && (await gate.rulesFor(endUrl));
    if (rules && !rules.allows(endUrl)) return links.disallowed(step, endUrl, rules, sitemaps);
    // A start page that leads elsewhere takes the crawl there.
    const scopeUrl = isStart ? step.scope.movedTo(endUrl) : null;
    const scope = scopeUrl === null ? step.scope : await makeScope(scopeUrl, crawl, context.settings.scrapeOptions);
    const moved = scopeUrl === null ? {} : { scopeUrl };
    const endKey = shortKey(scope.keyOf(endUrl));
    if (!isStart && endKey !== task.key) {
      const refusal = await refusalOfEnd(scope, endUrl, signal);
      if (refusal) return refusal;
    }
    // Links of a parked page are advertisements.
    const isParked = document.metadata.pageState === "parked";
    const urls = isParked ? [] : (outlinks?.links.map(({ url }) => url) ?? []);
    const sifting = await scope.sift(urls, { isExternal: false }, signal, allowedBy(rules, endUrl));
    const findings = links.sortOut(step, sifting, task.depth + 1);
    findings.found.unshift(...sitemaps);
    // A start page that the patterns exclude is read for its links only.
    if (isStart && (await scope.accepts(endUrl, signal)) !== true) return { kind: "nothing", ...findings, ...moved };
    const isAlone = isStart && findings.found.every(({ key, kind }) => kind !== "page" || key === endKey);
    const leadsOutside = isAlone && (await findsMoreOutside(step, urls, rules, endUrl));
    const notes = leadsOutside ? { leadsOutside } : {};
    const stopReason = findStopWord(document, crawl.stopOnContent);
    const stops = stopReason === null ? {} : { stopReason };
    const warning = isStart && isParked ? { warning: parkedStart } : {};
    return { ...(await pages.end(context, { page, endKey, findings, notes })), ...moved, ...stops, ...warning };
  }

  /** Whether crawlEntireDomain would have led a crawl further whose start page leads nowhere. */
  async function findsMoreOutside(
    step: PageStep,
    urls: readonly string[],
    rules: Rules,
    endUrl: string,
  ): Promise<boolean> {
    const { context, crawl, signal } = step;
    if (crawl.crawlEntireDomain || urls.length === 0) return false;
    const { scrapeOptions } = context.settings;
    const wide = await makeScope(endUrl, { ...crawl, crawlEntireDomain: true }, scrapeOptions);
    const sifting = await wide.sift(urls, { isExternal: false }, signal, allowedBy(rules, endUrl));
    const { found } = links.sortOut(step, sifting, 1);
    return found.some(({ url }) => wide.keyOf(url) !== wide.keyOf(endUrl));
  }

  return async function readPage(step: PageStep): Promise<PageEnding> {
    const { task, context, crawl, scope, isStart, signal } = step;
    const pausedUntil = pages.pausedUntil(task.url);
    if (pausedUntil > 0) {
      const pausesJob = isSameOrigin(task.url, context.job.scopeUrl);
      return { kind: "released", notBefore: pausedUntil, pausesJob };
    }
    const sitemaps = leadsToSitemaps(step) ? [sitemapsTask(task.url)] : [];
    const gate = openGate(step);
    const rules = gate && (await gate.rulesFor(task.url));
    const delayMs = rules?.allows(task.url) ? (rules.crawlDelayMs ?? 0) : 0;
    if (delayMs > 0) await turns.wait(new URL(task.url).host, delayMs, signal);

    const isExternal = !isStart && !scope.isWithin(task.url);
    const isLeaf = isExternal || crawl.sitemap === "only" || (crawl.maxDiscoveryDepth ?? Infinity) <= task.depth;
    const sendsHeaders = step.isOwn(task.url);
    const page = await pages.read({ task, context, outlinks: !isLeaf, sendsHeaders, robots: gate, signal });
    if (!page.ok) {
      const { ending, refusal } = page;
      if (refusal?.rules) return links.disallowed(step, withoutFragment(refusal.url), refusal.rules, sitemaps);
      if (ending.kind !== "failed") return ending;
      const isBlocked = ending.code === "SCRAPE_SITE_BLOCKED";
      const warning = isStart && isBlocked ? { warning: `The start page could not be read: ${ending.message}` } : {};
      return { ...ending, found: sitemaps, ...warning, ...(isBlocked && !isExternal ? slowdown : {}) };
    }
    const ending = await endOfRead(step, page, gate, sitemaps);
    if (isExternal || !("found" in ending)) return ending;
    // One page after the other, if the crawl's own site asks for it; few at a time, if it begins to block.
    return { ...ending, ...(delayMs > 0 ? { delayMs } : {}), ...(page.reading.isWalled ? slowdown : {}) };
  };
}

const parkedStart = "The start page is a parked domain: its links were not followed.";
const slowdown = { mostActive: pagesOfWalledHost };

/** A redirect leads only where a link could have led. */
async function refusalOfEnd(scope: CrawlScope, endUrl: string, signal: AbortSignal): Promise<PageEnding | null> {
  const { accepted, denied } = await scope.sift([endUrl], { isExternal: false }, signal);
  if (accepted.length > 0) return null;
  const code = denied[0]?.code ?? (scope.isWithin(endUrl) ? "CRAWL_DENIAL" : "EXTERNAL_LINK");
  return failed(code, "The page redirects to a URL that the crawl does not follow.");
}

/** The sitemaps are read after the start page, because only then is it clear which site they belong to. */
function leadsToSitemaps({ context, crawl, isStart }: PageStep): boolean {
  return isStart && crawl.sitemap !== "skip" && !isOffline(context.settings.scrapeOptions);
}

function sitemapsTask(url: string): NewTask {
  return { key: "sitemaps", url: bareUrl(url), depth: 0, kind: "sitemaps", step: null };
}

function isSameOrigin(one: string, two: string): boolean {
  return new URL(one).origin === new URL(two).origin;
}
