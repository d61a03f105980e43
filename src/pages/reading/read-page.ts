// From a URL to a document: a cached copy if the options accept one, else the engine; then the content, only what was asked
// for. Nothing is written or charged here.
import {
  type Clock,
  createDeadline,
  createSharedDeadlines,
  isoTime,
  type Slots,
  type Trace,
} from "../../base/index.ts";
import type { Document, ScrapeOptions } from "../../contract/index.ts";
import type { Page } from "../../engines/index.ts";
import { type CopySpan, type CopyUse, isPersonal, planCopyUse } from "../cache/copy-use.ts";
import type { CachedPage, NewCopy, PageCache } from "../cache/page-cache.ts";
import type { CachedDocument } from "../cache/recent-documents.ts";
import { type PageHead, pageHead } from "../document/page-document.ts";
import type { ProxyWarnings } from "../fetching/proxy-warnings.ts";
import type { HostStats } from "../hosts/host-stats.ts";
import { createMediaCollector } from "../media/media.ts";
import { inSlot, type Waited } from "./in-slot.ts";
import type {
  FetchedVersion,
  NotModified,
  PageFailure,
  PageOutcome,
  PageReading,
  ReadRequest,
} from "./page-reading.ts";
import type { ByteReader, DocumentRead } from "./read-bytes.ts";
import type { FetchWork, TryAttempts } from "./try-attempts.ts";

export interface PageReaderDeps {
  cache: PageCache;
  tryAttempts: TryAttempts;
  readBytes: ByteReader;
  hosts: Pick<HostStats, "enter">;
  slots: Slots;
  clock: Clock;
  proxyWarnings: ProxyWarnings;
}

export type ReadUrl = (request: ReadRequest, signal: AbortSignal, trace: Trace) => Promise<PageOutcome | NotModified>;

export function createPageReader(deps: PageReaderDeps): ReadUrl {
  const { cache, tryAttempts, readBytes, hosts, slots, clock, proxyWarnings } = deps;
  const shareDeadline = createSharedDeadlines();
  return async (request, callerSignal, trace) => {
    const { teamId, options, isJob = false } = request;
    const use = planCopyUse(request, clock);
    const cached = use.span && (await findCached(teamId, use, use.span, trace));
    if (cached?.document) return fromDocument(cached.document, knownWarnings(request));
    const miss = cached?.page ? null : missOf(options);
    if (miss) return miss;
    // Made only now: a cached document is served before any time could run out.
    const { signal, clear } = (isJob ? shareDeadline : createDeadline)(callerSignal, options.timeout);
    const work = { request, signal, endsAt: performance.now() + options.timeout, trace };
    const page = cached?.page;
    try {
      return await inSlot(slots, teamId, signal, (waited) =>
        page ? fromCachedPage(work, use, page, waited) : fetchAndRead(work, use, waited),
      );
    } finally {
      clear();
    }
  };

  /** What could be told before anything was read. */
  function knownWarnings({ plan, options }: ReadRequest): string[] {
    return [...plan.warnings, ...proxyWarnings(options)];
  }

  function findCached(teamId: string, { keys, documents, pages }: CopyUse, span: CopySpan, trace: Trace) {
    return trace.run(
      "cache",
      async () => {
        const { document, page } = keys();
        const sought = [...(documents ? [document] : []), ...(pages ? [page] : [])];
        const copy = await cache.find(teamId, sought, span);
        const isDocument = copy?.key === document;
        return {
          document: copy && isDocument ? await cache.readDocument(copy) : null,
          page: copy && !isDocument ? await cache.readPage(copy) : null,
        };
      },
      (found) => ({ outcome: found.document ? "hit" : found.page ? "page hit" : "miss" }),
    );
  }

  async function fromCachedPage(
    work: FetchWork,
    use: CopyUse,
    { page, fetchedAt }: CachedPage,
    waited: Waited,
  ): Promise<PageOutcome | NotModified> {
    const { options } = work.request;
    const collector = createMediaCollector(options);
    // Of a page that scripts fill in, the text may be all that is known.
    const read = await readBytes(page, {}, { collector, wantsBetter: Boolean(page.unfilled), ...work });
    // An earlier version cached a block page: that is no copy.
    if (!read.ok && read.verdict) return missOf(options) ?? fetchAndRead(work, use, waited);
    if (!read.ok) return read;
    const isContent = read.document.metadata.pageState === "content";
    const keep = options.storeInCache && isContent ? documentCopy(use, read, fetchedAt) : [];
    const nothingNew = { blobId: null, makesKnown: false, receivedBytes: 0, remake: null, wasBlocked: false };
    const from = { ...nothingNew, version: versionOf(page, fetchedAt), keep, media: collector.media };
    const facts = { ...hitFacts(fetchedAt), ...waitFacts(waited) };
    return { facts, warnings: knownWarnings(work.request), ...withoutMaking(read), ...from };
  }

  async function fetchAndRead(work: FetchWork, use: CopyUse, waited: Waited): Promise<PageOutcome | NotModified> {
    const { request } = work;
    const { teamId, url, options, isJob = false } = request;
    const fetchedAt = clock.now();
    // Pages of jobs are counted where their tasks are.
    const leave = isJob || options.zeroDataRetention ? null : hosts.enter(teamId, url);
    const reached = await tryAttempts(work).finally(() => leave?.());
    if (!reached.ok) return reached;
    const { page, read, collector } = reached;
    // Nothing but the page itself is kept, so that no notice takes the place of a good copy.
    const isFound = page.status < 400 && read.document.metadata.pageState === "content";
    const isKept = use.keeps && isFound && !reached.isUnfilled;
    const head = pageHead(page);
    const remake = isKept && use.documents && read.content ? { page: head, content: read.content } : null;
    const copies = () => [pageCopy(use, page, head, fetchedAt), ...(remake ? [] : documentCopy(use, read, fetchedAt))];
    return {
      facts: { cacheState: "miss", ...waitFacts(waited) },
      warnings: [...knownWarnings(request), ...ignoredHeaders(page), ...reached.warnings],
      blobId: null,
      makesKnown: isFound && !isPersonal(url, options),
      receivedBytes: page.wireBytes ?? page.body.length,
      version: versionOf(page, fetchedAt),
      keep: isKept ? copies() : [],
      remake,
      media: collector.media,
      wasBlocked: reached.wasBlocked,
      ...withoutMaking(read),
    };
  }
}

/** Null when a page that is not cached may be fetched. */
function missOf({ lockdown, minAge }: ScrapeOptions): PageFailure | null {
  if (lockdown) return { ok: false, code: "SCRAPE_LOCKDOWN_CACHE_MISS" };
  return minAge === undefined ? null : { ok: false, code: "SCRAPE_NO_CACHED_DATA" };
}

function fromDocument({ document, json, blobId, fetchedAt }: CachedDocument, warnings: string[]): PageReading {
  // Name by name: objects put together from others cost several times as much, and every cached page pays for it.
  return {
    ok: true,
    document,
    json,
    outlinks: null,
    finding: null,
    places: null,
    searchText: null,
    snapshots: [],
    facts: hitFacts(fetchedAt),
    warnings,
    blobId,
    makesKnown: false,
    receivedBytes: 0,
    version: null,
    keep: [],
    remake: null,
    media: [],
    wasBlocked: false,
  };
}

function versionOf({ headers }: Pick<Page, "headers">, fetchedAt: number): FetchedVersion {
  const text = (value: string | string[] | undefined) => (typeof value === "string" && value !== "" ? value : null);
  return { fetchedAt, etag: text(headers.etag), lastModified: text(headers["last-modified"]) };
}

/** Only what the caller of the reader needs. */
function withoutMaking({ document, json, outlinks, finding, places, searchText, snapshots }: DocumentRead) {
  return { ok: true as const, document, json, outlinks, finding, places, searchText, snapshots };
}

function pageCopy({ keys }: CopyUse, { body, isPrivate }: Page, details: PageHead, fetchedAt: number): NewCopy {
  // A page of the operator's own network is only for the team that asked.
  return { key: keys().page, fetchedAt, details, bytes: body, mayShare: !isPrivate, isDocument: false };
}

function documentCopy({ keys, documents }: CopyUse, { json, isFinal }: DocumentRead, fetchedAt: number): NewCopy[] {
  if (!documents || !isFinal) return [];
  const bytes = json.whole();
  return [{ key: keys().document, fetchedAt, details: {}, bytes, mayShare: false, isDocument: true }];
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
