// Where a page of a crawl ended, and what it leads to.
import { withoutFragment } from "../../base/index.ts";
import type { CrawlScope } from "../../discovery/index.ts";
import { type Findings, failed, type NewTask, type PageEnding, shortKey } from "../../jobs/index.ts";
import type { RobotsCheck } from "../../reach/index.ts";
import { type CrawlStep, makeScope, type Rules } from "./crawl-step.ts";
import { type LinkingPage, orderByPromise } from "./promising-links.ts";
import { allowedBy, type LinkSorter } from "./sort-links.ts";

type PageStep = CrawlStep<"page">;

/** A page that may be read. */
export interface OpenPage {
  step: PageStep;
  check: RobotsCheck | null;
  /** Tasks that come with it. */
  tasks: NewTask[];
  /** It is read for its content only. */
  isLeaf: boolean;
  /** It is of another site. */
  isExternal: boolean;
}

/** Where a page ended, and what it leads to. */
export interface Followed {
  endUrl: string;
  endKey: string;
  rules: Rules;
  findings: Findings;
  moved: { scopeUrl?: string };
  /** False for a start page that the patterns exclude: it is read for its links only. */
  isWanted: boolean;
}

/** A page ends where redirects led; its links are those of that place. */
export async function follow(
  links: LinkSorter,
  { step, check, tasks }: OpenPage,
  url: string,
  urls: readonly string[],
  page: LinkingPage | null,
): Promise<Followed | PageEnding> {
  const { task, context, crawl, isStart, signal } = step;
  const endUrl = withoutFragment(url);
  const rules = check && (await check.rulesFor(endUrl));
  if (rules && !rules.allows(endUrl)) return links.disallowed(step, endUrl, rules, tasks);
  if (urls.length === 0 && !isStart && endUrl === task.url) {
    const findings = { found: tasks, refused: [] };
    return { endUrl, endKey: task.key, rules, findings, moved: {}, isWanted: true };
  }
  // A start page that leads elsewhere takes the crawl there.
  const scopeUrl = isStart ? step.scope.movedTo(endUrl) : null;
  const scope = scopeUrl === null ? step.scope : await makeScope(scopeUrl, crawl, context.settings.scrapeOptions);
  const endKey = endUrl === task.url ? task.key : shortKey(scope.keyOf(endUrl));
  if (!isStart && endKey !== task.key) {
    const refusal = await refusalOfEnd(scope, endUrl, signal);
    if (refusal) return refusal;
  }
  const sifting = await scope.sift(urls, { isExternal: false }, signal, allowedBy(rules, endUrl));
  const findings = links.sortOut(step, sifting, task.depth + 1);
  findings.found = [...tasks, ...(await orderByPromise(step, findings.found, page))];
  const isWanted = !isStart || (await scope.accepts(endUrl, signal)) === true;
  return { endUrl, endKey, rules, findings, moved: scopeUrl === null ? {} : { scopeUrl }, isWanted };
}

/** Whether crawlEntireDomain would have led a crawl further whose start page leads nowhere. */
export async function findsMoreOutside(
  links: LinkSorter,
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

/** A redirect leads only where a link could have led. */
async function refusalOfEnd(scope: CrawlScope, endUrl: string, signal: AbortSignal): Promise<PageEnding | null> {
  const { accepted, denied } = await scope.sift([endUrl], { isExternal: false }, signal);
  if (accepted.length > 0) return null;
  const code = denied[0]?.code ?? (scope.isWithin(endUrl) ? "CRAWL_DENIAL" : "EXTERNAL_LINK");
  return failed(code, "The page redirects to a URL that the crawl does not follow.");
}
