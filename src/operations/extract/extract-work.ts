// What performs the tasks of an extract: pages, the patterns and the search that stand for pages, and at last the answer.

import { createTrace, minuteMs, ServiceError } from "../../base/index.ts";
import type { Outlinks } from "../../content/index.ts";
import {
  type ExtractionStep,
  foundDepth,
  foundPage,
  isOver,
  type KindOfWork,
  type NewTask,
  type PageEnding,
  type PageJobContext,
  type RankedRecord,
  type ReadRecord,
  stepOf,
  timeIsUp,
} from "../../jobs/index.ts";
import type { PageRows } from "../../pages/index.ts";
import { loadDiscovery } from "../../reach/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { openExtraction } from "../parts/page-context.ts";

const patternMs = 2 * minuteMs;

export function createExtractWork(parts: OperationParts): KindOfWork<"extract", PageJobContext<"extract">, PageRows> {
  const { model } = parts;
  const { extractionPages: pages, finder, answerer } = parts.jobs;
  const readPattern = createPatternReader(parts);

  async function readPage(step: ExtractionStep<"page">): Promise<PageEnding> {
    const { task, wanted } = step;
    const looksFurther = wanted.allowExternalLinks && task.depth < foundDepth;
    const read = await pages.read(step, looksFurther);
    if (!("page" in read)) return read;
    const { outlinks } = read.page.reading.findings;
    return pages.end(step, read, looksFurther && outlinks ? await externalPages(step, outlinks) : []);
  }

  return {
    open: (context) => openExtraction(context, model),
    tasks: {
      page: (work) => readPage(stepOf(work)),
      pattern: (work) => readPattern(stepOf(work)),
      search: (work) => finder.searchWeb(stepOf(work)),
      async answer(work) {
        const step = stepOf(work);
        return answerer.answer(step, { choose: (read) => namedFirst(step, read) });
      },
    },
  };
}

/** Linked pages of other sites that fit best. */
async function externalPages({ task, wanted }: ExtractionStep, { links }: Outlinks): Promise<NewTask[]> {
  const { rank, siteOf } = await loadDiscovery();
  const own = siteOf(new URL(task.url));
  const others = links.filter(({ url }) => siteOf(new URL(url)) !== own);
  const named = others.map(({ url, text }) => ({ url, title: text }));
  const best = await rank(named, wanted.words, { limit: wanted.share });
  return best.map(({ url }) => foundPage(url));
}

/** A search adds to what the caller's own pages say and never contradicts them. */
async function namedFirst({ wanted }: ExtractionStep, read: readonly ReadRecord[]): Promise<RankedRecord[]> {
  const { readGlob } = await loadDiscovery();
  const patterns = wanted.urls.flatMap((url) => readGlob(url) ?? []);
  const isNamed = ({ sourceUrl }: ReadRecord) =>
    wanted.urls.includes(sourceUrl) || patterns.some(({ matches }) => matches(new URL(sourceUrl).pathname));
  return read.map((record) => ({ ...record, rank: isNamed(record) ? 0 : 1 }));
}

/** Finds the pages of a pattern such as `https://example.com/blog/*`. */
function createPatternReader({ clock, jobs: { finder } }: OperationParts) {
  return async function readPattern(step: ExtractionStep<"pattern">): Promise<PageEnding> {
    const { task, wanted, signal } = step;
    const { readGlob } = await loadDiscovery();
    const glob = readGlob(task.url);
    if (!glob) throw new ServiceError("INTERNAL_ERROR");
    const trace = createTrace();
    if (isOver(wanted, clock.now())) return finder.endOfSearch(step, "pattern", trace, [timeIsUp], []);
    const late = { links: [], warnings: [`Listing the pages of ${glob.base.href} took too long.`] };
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
