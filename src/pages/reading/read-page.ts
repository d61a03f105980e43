// From a URL to a document: a cached copy if the options accept one, else the engine; then the content, only what was asked
// for. Nothing is written and nobody is charged here.
import type { Slots } from "../../accounts/index.ts";
import { type Clock, createDeadline, isoTime, sentence, type Trace } from "../../base/index.ts";
import type { Document, ScrapeOptions } from "../../contract/index.ts";
import type { Page, RenderedPage } from "../../engines/index.ts";
import { type CopySpan, type CopyUse, isPersonal, planCopyUse } from "../cache/copy-use.ts";
import type { CachedPage, NewCopy, PageCache } from "../cache/page-cache.ts";
import type { CachedDocument } from "../cache/recent-documents.ts";
import { type PageHead, pageHead } from "../document/page-document.ts";
import type { PageFetcher, PageFetchFailure } from "../fetching/fetch-page.ts";
import { outputsFromPage } from "../formats/formats.ts";
import { actionOutputs, createMediaTray, type MediaTray } from "../media/media.ts";
import { inSlot, type Waited } from "./in-slot.ts";
import { noFindings, type PageFailure, type PageOutcome, type PageReading, type ReadRequest } from "./page-reading.ts";
import type { ByteReader, DocumentRead, ReadingWork } from "./read-bytes.ts";

export interface PageReaderDeps {
  cache: PageCache;
  fetchPage: PageFetcher;
  readBytes: ByteReader;
  slots: Slots;
  clock: Clock;
}

export type ReadUrl = (request: ReadRequest, signal: AbortSignal, trace: Trace) => Promise<PageOutcome>;

export function createPageReader({ cache, fetchPage, readBytes, slots, clock }: PageReaderDeps): ReadUrl {
  return async (request, callerSignal, trace) => {
    const { teamId, options, plan } = request;
    const use = planCopyUse(request, clock);
    const cached = use.span && (await findCached(teamId, use, use.span, trace));
    if (cached?.document) return fromDocument(cached.document, plan.warnings);
    if (!cached?.page && options.lockdown) return { ok: false, code: "SCRAPE_LOCKDOWN_CACHE_MISS" };
    if (!cached?.page && options.minAge !== undefined) return { ok: false, code: "SCRAPE_NO_CACHED_DATA" };
    // Made only now: a cached document is served before any time could run out.
    const { signal, clear } = createDeadline(callerSignal, options.timeout);
    const tray = createMediaTray(options);
    const work = { request, signal, endsAt: performance.now() + options.timeout, trace, tray };
    const page = cached?.page;
    try {
      return await inSlot(slots, teamId, signal, (waited) =>
        page ? fromCachedPage(work, use, page, waited) : fetchAndRead(work, use, waited),
      );
    } finally {
      clear();
    }
  };

  function findCached(teamId: string, { keys, documents, pages }: CopyUse, span: CopySpan, trace: Trace) {
    return trace.run(
      "cache",
      async () => {
        const sought = [...(documents ? [keys.document] : []), ...(pages ? [keys.page] : [])];
        const copy = await cache.find(teamId, sought, span);
        const isDocument = copy?.key === keys.document;
        return {
          document: copy && isDocument ? await cache.readDocument(copy) : null,
          page: copy && !isDocument ? await cache.readPage(copy) : null,
        };
      },
      (found) => ({ outcome: found.document ? "hit" : found.page ? "page hit" : "miss" }),
    );
  }

  async function fromCachedPage(
    work: ReadingWork,
    use: CopyUse,
    { page, fetchedAt }: CachedPage,
    waited: Waited,
  ): Promise<PageOutcome> {
    const read = await readBytes(page, {}, work);
    if (!read.ok) return read;
    const { options, plan } = work.request;
    const keep = options.storeInCache ? documentCopy(use, read, fetchedAt) : [];
    const from = { blobId: null, makesKnown: false, receivedBytes: 0, keep, remake: null, media: work.tray.media };
    const facts = { ...hitFacts(fetchedAt), ...waitFacts(waited) };
    return { ...withoutMaking(read), facts, warnings: plan.warnings, ...from };
  }

  async function fetchAndRead(work: ReadingWork, use: CopyUse, waited: Waited): Promise<PageOutcome> {
    const { request, signal, endsAt, trace, tray } = work;
    const { teamId, url, options, plan, mayFollow } = request;
    const fetchedAt = clock.now();
    const fetched = await fetchPage({ teamId, url, options, signal, endsAt, mayFollow }, trace);
    if (!fetched.ok) return describeFailure(fetched, options, tray, trace);
    const { page } = fetched;
    const read = await readBytes(page, fromPage(page, options, tray), work);
    if (!read.ok) return read;
    const isFound = page.status < 400;
    const isKept = use.keeps && isFound && !fetched.isUnfilled;
    const head = pageHead(page);
    const remake = isKept && use.documents && read.content ? { page: head, content: read.content } : null;
    const copies = () => [pageCopy(use, page, head, fetchedAt), ...(remake ? [] : documentCopy(use, read, fetchedAt))];
    return {
      ...withoutMaking(read),
      facts: { cacheState: "miss", ...waitFacts(waited) },
      warnings: [...plan.warnings, ...ignoredHeaders(page), ...fetched.warnings],
      blobId: null,
      makesKnown: isFound && !isPersonal(url, options),
      receivedBytes: page.wireBytes ?? page.body.length,
      keep: isKept ? copies() : [],
      remake,
      media: tray.media,
    };
  }
}

function fromDocument({ document, json, blobId, fetchedAt }: CachedDocument, warnings: string[]): PageReading {
  const nothingNew = { makesKnown: false, receivedBytes: 0, keep: [], remake: null, media: [] };
  return { ok: true, ...noFindings, ...nothingNew, document, json, facts: hitFacts(fetchedAt), warnings, blobId };
}

/** Only what the caller of the reader needs. */
function withoutMaking({ isFinal: _, content: __, ...read }: DocumentRead) {
  return read;
}

function pageCopy({ keys }: CopyUse, { body, isPrivate }: Page, details: PageHead, fetchedAt: number): NewCopy {
  // A page of the operator's own network is only for the team that asked.
  return { key: keys.page, fetchedAt, details, bytes: body, mayShare: !isPrivate, isDocument: false };
}

function documentCopy({ keys, documents }: CopyUse, { json, isFinal }: DocumentRead, fetchedAt: number): NewCopy[] {
  if (!documents || !isFinal) return [];
  const bytes = Buffer.from(json.whole());
  return [{ key: keys.document, fetchedAt, details: {}, bytes, mayShare: false, isDocument: true }];
}

function hitFacts(fetchedAt: number): Document["metadata"] {
  return { cacheState: "hit", cachedAt: isoTime(fetchedAt), concurrencyLimited: false };
}

function waitFacts({ isLimited, ms }: Waited): Document["metadata"] {
  return isLimited ? { concurrencyLimited: true, concurrencyQueueDurationMs: ms } : { concurrencyLimited: false };
}

function ignoredHeaders({ ignoredHeaders: names }: Page): string[] {
  return names.map((name) => `The header ${name} belongs to the connection and was not sent.`);
}

/** Outputs of the page itself, and what its actions brought. */
function fromPage(page: Page | RenderedPage, options: ScrapeOptions, tray: MediaTray): Partial<Document> {
  const outputs = outputsFromPage(options.formats, page, tray);
  if ("actions" in page && options.actions.length > 0) outputs.actions = actionOutputs(page.actions, tray);
  return outputs;
}

/** A failed action is named; what the page looked like then is shown in the trace. */
function describeFailure(
  failure: PageFetchFailure,
  options: ScrapeOptions,
  tray: MediaTray,
  trace: Trace,
): PageFailure {
  const { ok, code, action } = failure;
  const message = failure.message && sentence(failure.message);
  if (!action) return { ok, code, message };
  const { screenshot, ...details } = action;
  const step = trace.steps.at(-1);
  if (screenshot && step && options.trace) step.detail = { ...details, screenshot: tray.put(screenshot) };
  return { ok, code, message, details, media: tray.media };
}
