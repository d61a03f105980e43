// The task of a pattern such as `https://example.com/blog/*`: it finds the pages that the pattern stands for.

import { createTrace, minuteMs, ServiceError } from "../../base/index.ts";
import { type ExtractionStep, foundPage, isOver, type PageEnding, timeIsUp } from "../../jobs/index.ts";
import { loadDiscovery } from "../../reach/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";

const patternMs = 2 * minuteMs;

export function createPatternReader({ clock, jobs: { finder } }: OperationParts) {
  return async function readPattern(step: ExtractionStep<"pattern">): Promise<PageEnding> {
    const { task, wanted, signal } = step;
    const { readGlob } = await loadDiscovery();
    const glob = readGlob(task.url);
    if (!glob) throw new ServiceError("INTERNAL_ERROR");
    const trace = createTrace();
    if (isOver(wanted, clock.now())) return finder.endOfSearch(step, "pattern", trace, [timeIsUp], []);
    const late = { links: [], warnings: [`${glob.base.href} was not searched for pages in time.`] };
    const found = await finder.ofSite(step, glob.base.href, trace, patternMs, ownHeaders(step));
    const { links, warnings } = found ?? late;
    const fitting = links.filter(({ url }) => glob.matches(new URL(url).pathname));
    const { allowed, crawlDelayMs } = await finder.siftByRobots(step, glob.base, fitting);
    if (signal.aborted) return { kind: "released" };
    const chosen = allowed.slice(0, wanted.share);
    const why = [...warnings];
    if (chosen.length === 0) why.push(`No page matches ${task.url}.`);
    if (allowed.length > chosen.length) {
      why.push(`${allowed.length} pages match ${task.url}; the ${chosen.length} most relevant ones were read.`);
    }
    const tasks = chosen.map(({ url }) => foundPage(url));
    const ending = await finder.endOfSearch(step, "pattern", trace, why, tasks);
    return crawlDelayMs > 0 && "found" in ending ? { ...ending, delayMs: crawlDelayMs } : ending;
  };
}

/** The caller named the pattern's site, so it gets the caller's headers and the authorization of the URL. */
function ownHeaders({ task, context }: ExtractionStep): Record<string, string> {
  const { credentials, scrapeOptions } = context.settings;
  const authorization = credentials[task.key];
  return { ...(authorization === undefined ? {} : { authorization }), ...scrapeOptions.headers };
}
