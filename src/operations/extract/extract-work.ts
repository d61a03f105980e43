// What performs the tasks of an extract: pages, the patterns and the search that stand for pages, and at last the answer.

import type { Outlinks } from "../../content/index.ts";
import {
  type ExtractionStep,
  foundDepth,
  foundPage,
  type KindOfWork,
  type NewTask,
  openExtraction,
  type PageEnding,
  type PageJobContext,
  type RankedRecord,
  type ReadRecord,
  stepOf,
} from "../../jobs/index.ts";
import type { PageRows } from "../../pages/index.ts";
import { loadDiscovery } from "../../reach/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { createPatternReader } from "./read-pattern.ts";

export function createExtractWork(parts: OperationParts): KindOfWork<"extract", PageJobContext<"extract">, PageRows> {
  const { model } = parts;
  const { extractionPages: pages, finder, answerer } = parts.jobs;
  const readPattern = createPatternReader(parts);

  async function readPage(step: ExtractionStep<"page">): Promise<PageEnding> {
    const { task, wanted } = step;
    const looksFurther = wanted.allowExternalLinks && task.depth < foundDepth;
    const read = await pages.read(step, looksFurther);
    if (!("page" in read)) return read;
    const { outlinks } = read.page.reading;
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
