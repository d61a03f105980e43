// From an address to a document: the one way every feature reads a page. A stored copy if the options accept one, else
// the engine; then the content, only what was asked for. Nothing is written and nobody is charged here.
import type { Slots } from "../accounts/index.ts";
import { type Clock, createDeadline, type ErrorCode, isoTime } from "../base/index.ts";
import type { ContentPool, Outlinks, PageContent } from "../content/index.ts";
import type { Document, ScrapeOptions } from "../contract/index.ts";
import type { Engine, Outcome, Page } from "../engines/index.ts";
import { type CopySpan, copyKeys, type NewCopy, type PageCache, usesCopies } from "./page-cache.ts";
import type { OutputPlan } from "./scrape-outputs.ts";
import type { Trace } from "./trace.ts";

export interface PageRequest {
  teamId: string;
  url: string;
  options: ScrapeOptions;
  plan: OutputPlan;
  /** Jobs keep their documents themselves: no copies of documents are used or made for them. */
  isJob?: boolean;
}

/** A document with the facts of this reading in its metadata, and what to keep of it. */
export interface PageReading {
  ok: true;
  document: Document;
  /** What this reading adds to the document's metadata; a stored document is shared by readings. */
  facts: Document["metadata"];
  /** Sentences about this reading, beside those of the document. */
  warnings: string[];
  /** The document as JSON text; null when it is stored already. */
  bytes: Uint8Array | null;
  /** The stored document that was served. */
  blobId: string | null;
  /** Where the page leads, when the plan asks for it. */
  outlinks: Outlinks | null;
  /** Read from the web just now, by nothing but its address: it may be listed as a page of its site. */
  makesKnown: boolean;
  /** Copies for later requests; empty when the page may not be kept. */
  keep: NewCopy[];
}

export type PageOutcome = PageReading | { ok: false; code: ErrorCode; message?: string | undefined };

export interface PageReaderDeps {
  cache: PageCache;
  engine: Engine;
  content: ContentPool;
  slots: Slots;
  clock: Clock;
}

export type PageReader = (request: PageRequest, signal: AbortSignal, trace: Trace) => Promise<PageOutcome>;

export function createPageReader({ cache, engine, content, slots, clock }: PageReaderDeps): PageReader {
  return async (request, callerSignal, trace) => {
    const { teamId, url, options, plan } = request;
    // A stored document does not say where its page leads.
    const usesDocuments = !request.isJob && !plan.formats.outlinks;
    const span = usesCopies(url, options) ? cache.spanFor(options) : null;
    const keys = copyKeys(url, options);

    const stored = span && (await findStored(span));
    if (stored?.document) {
      const { document, blobId, fetchedAt } = stored.document;
      const facts = hitFacts(fetchedAt);
      const from = { bytes: null, blobId, outlinks: null, makesKnown: false, keep: [] };
      return { ok: true, document, facts, warnings: plan.warnings, ...from };
    }
    if (!stored?.page && options.lockdown) return { ok: false, code: "SCRAPE_LOCKDOWN_CACHE_MISS" };
    if (!stored?.page && options.minAge !== undefined) return { ok: false, code: "SCRAPE_NO_CACHED_DATA" };
    // Made only now: a stored document is served before any time could run out.
    const { signal, clear } = createDeadline(callerSignal, options.timeout);
    try {
      const copy = stored?.page;
      return await inSlot((waited) => (copy ? fromStoredPage(copy) : fetchAndRead(waited)));
    } finally {
      clear();
    }

    function findStored(within: CopySpan) {
      return trace.run(
        "cache",
        async () => {
          const copy = await cache.find(teamId, !usesDocuments ? [keys.page] : [keys.document, keys.page], within);
          const isDocument = copy?.key === keys.document;
          return {
            document: copy && isDocument ? await cache.readDocument(copy) : null,
            page: copy && !isDocument ? await cache.readPage(copy) : null,
          };
        },
        (found) => ({ outcome: found.document ? "hit" : found.page ? "page hit" : "miss" }),
      );
    }

    async function fromStoredPage({ page, fetchedAt }: { page: Page; fetchedAt: number }): Promise<PageOutcome> {
      const read = await readBytes(page);
      if (!read.ok) return read;
      const { document, bytes, outlinks } = read;
      const keep = options.storeInCache ? documentCopy(bytes, fetchedAt) : [];
      const from = { bytes, blobId: null, outlinks, makesKnown: false, keep };
      return { ok: true, document, facts: hitFacts(fetchedAt), warnings: plan.warnings, ...from };
    }

    async function fetchAndRead(waited: Waited): Promise<PageOutcome> {
      const fetchedAt = clock.now();
      const outcome = await trace.run("fetch", () => engine({ url, options, signal }), describeFetch);
      if (!outcome.ok) return outcome;
      const { page } = outcome;
      // The reading takes the bytes over, so the copy that is kept is taken first.
      const isImpersonal = usesCopies(url, options) && page.status < 400;
      const kept = options.storeInCache && isImpersonal ? Buffer.from(page.body) : null;
      const read = await readBytes(page);
      if (!read.ok) return read;
      const { document, bytes, outlinks } = read;
      const ignored = page.ignoredHeaders.map(
        (name) => `The header ${name} belongs to the connection and was not sent.`,
      );
      const facts: Document["metadata"] = {
        cacheState: "miss",
        concurrencyLimited: waited.isLimited,
        ...(waited.isLimited ? { concurrencyQueueDurationMs: waited.ms } : {}),
      };
      const keep = kept ? [pageCopy(page, kept, fetchedAt), ...documentCopy(bytes, fetchedAt)] : [];
      const from = { bytes, blobId: null, outlinks, makesKnown: isImpersonal, keep };
      return { ok: true, document, facts, warnings: [...plan.warnings, ...ignored], ...from };
    }

    /** Work on a page takes one of the team's slots; waiting for it counts against the request's time. */
    async function inSlot(work: (waited: Waited) => Promise<PageOutcome>): Promise<PageOutcome> {
      const since = performance.now();
      const { active, waiting } = slots.count(teamId);
      const isLimited = active + waiting >= slots.limit;
      let leave: () => void;
      try {
        leave = await slots.enter(teamId, signal);
      } catch {
        return { ok: false, code: isTimeout(signal) ? "CONCURRENCY_QUEUE_TIMEOUT" : "ABORTED" };
      }
      try {
        return await work({ isLimited, ms: Math.round(performance.now() - since) });
      } finally {
        leave();
      }
    }

    function pageCopy({ body: _, ...details }: Page, body: Uint8Array, fetchedAt: number): NewCopy {
      // What lies in the operator's own network is for the team that asked.
      return { key: keys.page, fetchedAt, details, bytes: body, mayShare: !details.isPrivate, isDocument: false };
    }

    function documentCopy(bytes: Uint8Array, fetchedAt: number): NewCopy[] {
      if (!usesDocuments) return [];
      return [{ key: keys.document, fetchedAt, details: {}, bytes, mayShare: false, isDocument: true }];
    }

    async function readBytes(page: Page): Promise<ReadBytes> {
      const { onlyMainContent, includeTags, excludeTags, removeBase64Images } = options;
      try {
        const result = await trace.run(
          "content",
          () =>
            content.read(
              {
                bytes: page.body,
                contentType: page.contentType || null,
                url: page.finalUrl,
                formats: plan.formats,
                onlyMainContent,
                includeTags,
                excludeTags,
                removeBase64Images,
                explain: options.trace,
              },
              teamId,
              signal,
            ),
          (found) => ({
            outcome: "failure" in found ? found.failure : "unsupported" in found ? "unsupported" : "read",
            ...("blocks" in found ? { detail: { blocks: found.blocks } } : {}),
          }),
        );
        if ("failure" in result) return contentFailures[result.failure];
        if ("unsupported" in result)
          return { ok: false, code: "SCRAPE_UNSUPPORTED_FILE_ERROR", message: result.reason };
        const document = makeDocument(page, result);
        const bytes = Buffer.from(JSON.stringify(document));
        if (bytes.byteLength <= maxDocumentBytes) {
          return { ok: true, document, bytes, outlinks: result.outlinks ?? null };
        }
        return { ok: false, code: "SCRAPE_PAGE_TOO_LARGE", message: "The outputs asked for are too large together." };
      } catch (error) {
        if (!signal.aborted) throw error;
        return { ok: false, code: isTimeout(signal) ? "SCRAPE_TIMEOUT" : "ABORTED" };
      }
    }
  };
}

/** All outputs of a page together: several of a large page would be more than an answer can carry. */
const maxDocumentBytes = 64 * 1024 * 1024;

/** How long a page waited for its team's slot. */
interface Waited {
  isLimited: boolean;
  ms: number;
}

type ReadBytes =
  | { ok: true; document: Document; bytes: Uint8Array; outlinks: Outlinks | null }
  | Exclude<PageOutcome, PageReading>;

const contentFailures = {
  timeout: { ok: false, code: "SCRAPE_CONTENT_ERROR", message: "The page's content took too long to read." },
  memory: { ok: false, code: "SCRAPE_PAGE_TOO_LARGE", message: "The page's content needs too much memory." },
  crash: { ok: false, code: "SCRAPE_CONTENT_ERROR" },
} as const;

function isTimeout(signal: AbortSignal): boolean {
  return signal.reason instanceof DOMException && signal.reason.name === "TimeoutError";
}

function hitFacts(fetchedAt: number): Document["metadata"] {
  return { cacheState: "hit", cachedAt: isoTime(fetchedAt), concurrencyLimited: false };
}

function describeFetch(outcome: Outcome) {
  if (!outcome.ok) return { engine: "http", outcome: outcome.code };
  const { page } = outcome;
  return {
    engine: page.engine,
    url: page.finalUrl,
    outcome: String(page.status),
    detail: { bytes: page.body.length, redirects: page.redirects.length },
  };
}

function makeDocument(page: Page, { metadata, warnings, charset: _, outlinks: __, ...outputs }: PageContent): Document {
  return {
    ...outputs,
    ...(warnings.length > 0 ? { warning: warnings.join(" ") } : {}),
    metadata: {
      ...metadata,
      url: page.finalUrl,
      statusCode: page.status,
      ...(page.contentType ? { contentType: page.contentType } : {}),
      ...(page.status >= 400 ? { error: `The page's server answered ${page.status}.` } : {}),
      proxyUsed: "basic",
    },
  };
}
