// From an address to a document: the one way every feature reads a page. A stored copy if the options accept one, else
// the engine; then the content, only what was asked for. Nothing is written and nobody is charged here.
import type { Slots } from "../../accounts/index.ts";
import { type Clock, createDeadline, type ErrorCode, isoTime, isTimeout, sentence } from "../../base/index.ts";
import type { ContentPool, ContentRequest, Outlinks, SearchText } from "../../content/index.ts";
import type { Document, ScrapeOptions } from "../../contract/index.ts";
import type { Page, RenderedPage } from "../../engines/index.ts";
import type { PageFinding, ReaderInput } from "../../extraction/index.ts";
import type { PackedSnapshot } from "../../store/index.ts";
import type { Trace } from "../trace.ts";
import { type ChangeTracker, findTracking } from "./change-tracking.ts";
import { documentText } from "./document-text.ts";
import type { FetchFailure, PageFetcher } from "./fetch-page.ts";
import { actionOutputs, createMediaTray, type MediaTray, type NewMedia } from "./media.ts";
import type { OutputPlan } from "./outputs.ts";
import type { AnsweredPage, PageAnswers } from "./page-answers.ts";
import {
  type CachedPage,
  type CopySpan,
  copyKeys,
  isPersonal,
  type NewCopy,
  type PageCache,
  usesCopies,
} from "./page-cache.ts";
import {
  type ContentWishes,
  contentFailures,
  contentRequest,
  contentWishes,
  makeDocument,
  type PageHead,
  pageHead,
  pdfAsItIs,
  type Remake,
  rawDocument,
  unreadable,
} from "./page-document.ts";

export interface PageRequest {
  teamId: string;
  /** Whose tokens of a language model are used; none where it is not asked. */
  keyId?: string | null;
  url: string;
  options: ScrapeOptions;
  plan: OutputPlan;
  /** Jobs keep their documents themselves: no copies of documents are used or made for them. */
  isJob?: boolean;
  /** Whether its text may be searched later, if the page is the same for everybody. */
  forSearch?: boolean;
  /** Whether a redirect may be followed to an address; any may unless given. */
  mayFollow?: ((url: string) => Promise<boolean>) | undefined;
}

/** A document with the facts of this reading in its metadata, and what to keep of it. */
export interface PageReading {
  ok: true;
  document: Document;
  /** What this reading adds to the document's metadata; a stored document is shared by readings. */
  facts: Document["metadata"];
  /** Sentences about this reading, beside those of the document. */
  warnings: string[];
  /** What a job keeps in the place of the document. */
  bytes?: Uint8Array;
  /** The stored document that was served. */
  blobId: string | null;
  /** Where the page leads, when the plan asks for it. */
  outlinks: Outlinks | null;
  /** The data that the plan looks for, as the page has it; null when nothing was looked for. */
  finding: PageFinding | null;
  /** What the search index keeps of the page; null when that is nothing. */
  searchText: SearchText | null;
  /** Read from the web just now, by nothing but its address: it may be listed as a page of its site. */
  makesKnown: boolean;
  /** Copies for later requests; empty when the page may not be kept. */
  keep: NewCopy[];
  /** What makes the document of the page that is kept: then the document itself need not be. */
  remake: Remake | null;
  /** Pictures and files that the document shows by their addresses. */
  media: NewMedia[];
  /** What the page's next changes are compared with. */
  snapshots: PackedSnapshot[];
}

export interface PageFailure {
  ok: false;
  code: ErrorCode;
  message?: string | undefined;
  /** What more there is to say to the caller. */
  details?: unknown;
  /** Pictures that the trace shows. */
  media?: NewMedia[];
}

export type PageOutcome = PageReading | PageFailure;

export interface PageReaderDeps {
  cache: PageCache;
  fetchPage: PageFetcher;
  trackChanges: ChangeTracker;
  content: ContentPool<ReaderInput, PageFinding>;
  answers: PageAnswers;
  slots: Slots;
  clock: Clock;
}

export type PageReader = (request: PageRequest, signal: AbortSignal, trace: Trace) => Promise<PageOutcome>;

export function createPageReader({
  cache,
  fetchPage,
  trackChanges,
  content,
  answers,
  slots,
  clock,
}: PageReaderDeps): PageReader {
  return async (request, callerSignal, trace) => {
    const { teamId, url, options, plan } = request;
    const showsPicture = options.formats.some(({ type }) => type === "screenshot");
    // A stored document does not say where its page leads, and holds no picture but its address.
    const isElsewhere = showsPicture && options.zeroDataRetention;
    const usesDocuments = !request.isJob && !plan.formats.outlinks && !isElsewhere;
    // A stored page was looked at once: no further picture can be taken of it.
    const usesPages = !showsPicture;
    const span = usesCopies(url, options) ? cache.spanFor(options) : null;
    const keys = copyKeys(url, options, plan.model);

    const stored = span && (await findStored(span));
    if (stored?.document) {
      const { document, blobId, fetchedAt } = stored.document;
      return {
        ...nothingNew,
        ok: true,
        document,
        facts: hitFacts(fetchedAt),
        warnings: plan.warnings,
        blobId,
      };
    }
    if (!stored?.page && options.lockdown) return { ok: false, code: "SCRAPE_LOCKDOWN_CACHE_MISS" };
    if (!stored?.page && options.minAge !== undefined) return { ok: false, code: "SCRAPE_NO_CACHED_DATA" };
    // Made only now: a stored document is served before any time could run out.
    const { signal, clear } = createDeadline(callerSignal, options.timeout);
    const endsAt = performance.now() + options.timeout;
    try {
      const copy = stored?.page;
      return await inSlot((waited) => (copy ? fromStoredPage(copy, waited) : fetchAndRead(waited)));
    } finally {
      clear();
    }

    function findStored(within: CopySpan) {
      return trace.run(
        "cache",
        async () => {
          const sought = [...(usesDocuments ? [keys.document] : []), ...(usesPages ? [keys.page] : [])];
          const copy = await cache.find(teamId, sought, within);
          const isDocument = copy?.key === keys.document;
          return {
            document: copy && isDocument ? await cache.readDocument(copy) : null,
            page: copy && !isDocument ? await cache.readPage(copy) : null,
          };
        },
        (found) => ({ outcome: found.document ? "hit" : found.page ? "page hit" : "miss" }),
      );
    }

    async function fromStoredPage({ page, fetchedAt }: CachedPage, waited: Waited): Promise<PageOutcome> {
      const read = await readBytes(page, {});
      if (!read.ok) return read;
      const keep = options.storeInCache ? documentCopy(read, fetchedAt) : [];
      const from = { blobId: null, makesKnown: false, keep, remake: null, media: [] };
      const facts = { ...hitFacts(fetchedAt), ...waitFacts(waited) };
      return { ...read, facts, warnings: plan.warnings, ...from };
    }

    async function fetchAndRead(waited: Waited): Promise<PageOutcome> {
      const fetchedAt = clock.now();
      const tray = createMediaTray(options);
      const fetched = await fetchPage({ teamId, url, options, signal, endsAt, mayFollow: request.mayFollow }, trace);
      if (!fetched.ok) return describeFailure(fetched, options, tray, trace);
      const { page } = fetched;
      const isFound = page.status < 400;
      const isKept = options.storeInCache && usesCopies(url, options) && isFound && !fetched.isUnfilled;
      const read = await readBytes(page, renderedOutputs(page, options, tray));
      if (!read.ok) return read;
      const ignored = page.ignoredHeaders.map(
        (name) => `The header ${name} belongs to the connection and was not sent.`,
      );
      const facts: Document["metadata"] = { cacheState: "miss", ...waitFacts(waited) };
      const wishes = isKept && usesDocuments ? read.wishes : null;
      const head = pageHead(page);
      const remake = wishes && { page: head, wishes };
      const keep = isKept ? [pageCopy(page, head, fetchedAt), ...(remake ? [] : documentCopy(read, fetchedAt))] : [];
      const makesKnown = isFound && !isPersonal(url, options);
      const warnings = [...plan.warnings, ...ignored, ...fetched.warnings];
      return { ...read, facts, warnings, blobId: null, makesKnown, keep, remake, media: tray.media };
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

    function pageCopy({ body, isPrivate }: Page, details: PageHead, fetchedAt: number): NewCopy {
      // What lies in the operator's own network is for the team that asked.
      return { key: keys.page, fetchedAt, details, bytes: body, mayShare: !isPrivate, isDocument: false };
    }

    function documentCopy({ document, isFinal }: DocumentRead, fetchedAt: number): NewCopy[] {
      if (!usesDocuments || !isFinal) return [];
      const bytes = Buffer.from(documentText(document));
      return [{ key: keys.document, fetchedAt, details: {}, bytes, mayShare: false, isDocument: true }];
    }

    async function readBytes(page: Page, rendered: Partial<Document>): Promise<ReadBytes> {
      if (options.formats.some(({ type }) => type === "rawBase64"))
        return finish(asItIs(rawDocument(page)), noFindings);
      const file = pdfAsItIs(page, options);
      if (file) return finish(asItIs(file), noFindings);
      const wishes = contentWishes(options, plan);
      try {
        const asked: ContentRequest<ReaderInput> = contentRequest(page, wishes, page.body);
        asked.forSearch = request.forSearch === true && page.status < 400 && !isPersonal(url, options);
        asked.explain = options.trace;
        if (plan.reader) asked.readerInput = plan.reader;
        const result = await trace.run(
          "content",
          () => content.read(asked, teamId, signal),
          (found) => ({
            outcome: "failure" in found ? found.failure : "unsupported" in found ? "unsupported" : "read",
            ...("blocks" in found ? { detail: { blocks: found.blocks } } : {}),
          }),
        );
        if ("failure" in result) return contentFailures[result.failure];
        if ("unsupported" in result)
          return { ok: false, code: "SCRAPE_UNSUPPORTED_FILE_ERROR", message: `${result.reason}. ${unreadable}` };
        const { searchText = null, outlinks = null } = result;
        const finding = result.found ?? null;
        const document = makeDocument(page, result, rendered);
        const isPlain = !plan.answers && !plan.tracked && !plan.isCleaned;
        const answered = isPlain ? asItIs(document) : await answer(document, finding);
        const isRemade = isPlain && findTracking(options) === undefined && Object.keys(rendered).length === 0;
        return await finish(answered, { outlinks, finding, searchText }, isRemade ? wishes : null);
      } catch (error) {
        if (!signal.aborted) throw error;
        return { ok: false, code: isTimeout(signal) ? "SCRAPE_TIMEOUT" : "ABORTED" };
      }
    }

    async function answer(document: Document, finding: PageFinding | null): Promise<AnsweredPage> {
      const reserveMs = Math.min(longestReserveMs, options.timeout / 10);
      const asker = { teamId, keyId: request.keyId ?? null, signal, endsAt: endsAt - reserveMs };
      const answered = await answers.add({ document, finding, plan, asker, trace });
      signal.throwIfAborted();
      return answered;
    }

    /** What needs the whole document. `wishes`: those that make it again. */
    async function finish(
      answered: AnsweredPage,
      findings: Omit<Findings, "snapshots">,
      wishes: ContentWishes | null = null,
    ): Promise<ReadBytes> {
      const { document, isFinal } = answered;
      const tracking = findTracking(options);
      const tracked = tracking ? await trackChanges(teamId, url, tracking, answered) : null;
      if (tracked?.changeTracking) document.changeTracking = tracked.changeTracking;
      if (tracked) addWarnings(document, tracked.warnings);
      if (isTooLarge(documentText(document)))
        return { ok: false, code: "SCRAPE_PAGE_TOO_LARGE", message: "The outputs asked for are too large together." };
      return { ok: true, document, isFinal, wishes, ...findings, snapshots: tracked?.snapshots ?? [] };
    }
  };
}

/** All outputs of a page together: several of a large page would be more than an answer can carry. */
const maxDocumentBytes = 64 * 1024 * 1024;

/** What is left of a request's time when the language model takes too long. */
const longestReserveMs = 2000;

/** How long a page waited for its team's slot. */
interface Waited {
  isLimited: boolean;
  ms: number;
}

type Findings = Pick<PageReading, "outlinks" | "finding" | "searchText" | "snapshots">;

interface DocumentRead extends Findings {
  ok: true;
  document: Document;
  isFinal: boolean;
  /** What makes the document again from the page's bytes; null when that is not enough. */
  wishes: ContentWishes | null;
}

type ReadBytes = DocumentRead | PageFailure;

/** Of bytes that are not looked at. */
const noFindings: Findings = { outlinks: null, finding: null, searchText: null, snapshots: [] };

/** Of a stored document. */
const nothingNew: Findings & Pick<PageReading, "makesKnown" | "keep" | "remake" | "media"> = {
  remake: null,
  makesKnown: false,
  keep: [],
  media: [],
  outlinks: null,
  finding: null,
  searchText: null,
  snapshots: [],
};

/** A character takes at most three bytes: most texts need not be measured. */
function isTooLarge(text: string): boolean {
  return text.length > maxDocumentBytes / 3 && Buffer.byteLength(text) > maxDocumentBytes;
}

/** A document that needs no answers. */
function asItIs(document: Document): AnsweredPage {
  return { document, foundText: document.markdown ?? "", tracked: null, isFinal: true };
}

function hitFacts(fetchedAt: number): Document["metadata"] {
  return { cacheState: "hit", cachedAt: isoTime(fetchedAt), concurrencyLimited: false };
}

function waitFacts({ isLimited, ms }: Waited): Document["metadata"] {
  return isLimited ? { concurrencyLimited: true, concurrencyQueueDurationMs: ms } : { concurrencyLimited: false };
}

/** What only a browser can make of a page. */
function renderedOutputs(page: Page | RenderedPage, options: ScrapeOptions, tray: MediaTray): Partial<Document> {
  if (!("screenshots" in page)) return {};
  const [screenshot] = page.screenshots;
  return {
    ...(screenshot ? { screenshot: tray.put(screenshot) } : {}),
    ...(options.actions.length > 0 ? { actions: actionOutputs(page.actions, tray) } : {}),
  };
}

/** A failed action is named; what the page looked like then is shown in the trace. */
function describeFailure(failure: FetchFailure, options: ScrapeOptions, tray: MediaTray, trace: Trace): PageFailure {
  const { ok, code, action } = failure;
  const message = failure.message && sentence(failure.message);
  if (!action) return { ok, code, message };
  const { screenshot, ...details } = action;
  const step = trace.steps.at(-1);
  if (screenshot && step && options.trace) step.detail = { ...details, screenshot: tray.put(screenshot) };
  return { ok, code, message, details, media: tray.media };
}

function addWarnings(document: Document, warnings: readonly string[]): void {
  if (warnings.length > 0) document.warning = [document.warning, ...warnings].filter(Boolean).join(" ");
}
