// From the bytes of a page to its finished document: content first, then answers, then changes since the last scrape.

import { isTimeout, type Trace } from "../../base/index.ts";
import type { ContentPool, ContentRequest, PageContent } from "../../content/index.ts";
import type { Document, ScrapeOptions } from "../../contract/index.ts";
import type { Page } from "../../engines/index.ts";
import type { PageFinding, ReaderInput, SiteRulesUse } from "../../extraction/index.ts";
import { isBlocked, type PageVerdict } from "../../safety/index.ts";
import type { AnsweredPage, PageAnswers } from "../answers/page-answers.ts";
import { isPersonal } from "../cache/copy-use.ts";
import { type ChangeTracker, findTracking } from "../changes/change-tracking.ts";
import { createDocumentJson, type DocumentJson } from "../document/document-json.ts";
import {
  addWarnings,
  type ContentOptions,
  contentFailures,
  contentOptions,
  contentRequest,
  documentOf,
  makeDocument,
  unreadPdf,
} from "../document/page-document.ts";
import {
  type FileReadFailure,
  type FileSource,
  fileFacts,
  findFile,
  type PageFile,
  type ReadPageFile,
  type UnknownFile,
} from "../files/page-file.ts";
import { isFrom } from "../formats/formats.ts";
import type { CaptionReader } from "../media/captions.ts";
import type { MediaCollector } from "../media/media.ts";
import { keepPictures, withoutPictureNames } from "../media/pictures.ts";
import { noFindings, type PageFailure, type ReadFindings, type ReadRequest } from "./page-reading.ts";
import { checkInjection, findPersons, noPersons, type PersonsOfPage, redactRead, reserveOf } from "./page-safety.ts";
import type { RuledReading, SiteRulesReader } from "./site-rules.ts";

export interface ByteReaderDeps {
  content: ContentPool<ReaderInput, PageFinding>;
  answers: PageAnswers;
  trackChanges: ChangeTracker;
  readFile: ReadPageFile;
  captions: CaptionReader;
  siteRules: SiteRulesReader;
}

/** One reading under way. */
export interface ReadingWork {
  request: ReadRequest;
  signal: AbortSignal;
  /** When the signal will end it, by performance.now(). */
  endsAt: number;
  trace: Trace;
  /** Takes the pictures that the document shows. */
  collector: MediaCollector;
  /** Another engine may get past a consent page, or fill in a shell: they are handed back like block pages, which nothing is made of. */
  wantsBetter?: boolean;
  /** "page" unless given. */
  source?: FileSource;
  /** Told of each page of a file that was read. */
  onPage?: ((page: number, total: number) => void) | undefined;
}

export interface DocumentRead extends ReadFindings {
  ok: true;
  document: Document;
  json: DocumentJson;
  /** False when the language model could not be used: a later request may get better outputs. */
  isFinal: boolean;
  /** Scripts would have filled it in, and none ran. */
  lacksText: boolean;
  /** What makes the document again from the page's bytes; null when more is needed. */
  content: ContentOptions | null;
}

export type ReadBytes = DocumentRead | PageFailure;
export type ByteReader = (page: Page, fromPage: Partial<Document>, work: ReadingWork) => Promise<ReadBytes>;

/** All outputs of a page together: several of a large page would be more than an answer can carry. */
const maxDocumentBytes = 64 * 1024 * 1024;

const unreadable = "It has no text that can be read here; the format rawBase64 returns its bytes.";

/** The HTML that a file's reader made, to be read like a page's, and what else is known of the file. */
interface OpenedFile {
  ok: true;
  page: Page;
  file: PageFile;
  facts: (title: string | undefined) => Document["metadata"];
  warnings: string[];
  /** False when a later request may get a better text. */
  isFinal: boolean;
}

/** A page's content, and what it was made of. */
interface MadeContent extends RuledReading {
  opened: OpenedFile | null;
  asked: ContentOptions;
  forContent: ContentRequest<ReaderInput>;
}

export function createByteReader(deps: ByteReaderDeps): ByteReader {
  const { content, answers, trackChanges, readFile, captions, siteRules } = deps;

  /** Null for a page that is no file. */
  async function openFile(page: Page, work: ReadingWork): Promise<OpenedFile | UnknownFile | FileReadFailure | null> {
    const { request, signal, endsAt, trace, collector, source = "page", onPage } = work;
    const { teamId, keyId, options, plan } = request;
    const file = findFile(page, options, source);
    if (file === null || "ok" in file) return file;
    const read = await readFile(page, file, options, { teamId, keyId, signal, endsAt, trace, onPage });
    if (!read.ok) return read;
    // For looking up what a model says of it.
    file.request.places = plan.reader !== null && plan.model !== null;
    const { html, count } = mayKeep(options)
      ? keepPictures(read.file.html, collector)
      : { html: read.file.html, count: 0 };
    const pictures = count > 0 ? { pictures: count } : {};
    return {
      ok: true,
      file,
      page: { ...page, body: Buffer.from(html), contentType: "text/html; charset=utf-8" },
      facts: (title) => ({ ...fileFacts(file.kind, read.file, title), ...pictures }),
      warnings: [...file.warnings, ...read.warnings],
      isFinal: read.isFinal,
    };
  }

  function makeRequest(page: Page, asked: ContentOptions, request: ReadRequest): ContentRequest<ReaderInput> {
    const { url, options, plan } = request;
    const forContent: ContentRequest<ReaderInput> = contentRequest(page, asked, page.body);
    forContent.forSearch =
      request.forSearch === true && page.status < 400 && !isPersonal(url, options) && options.redactPII === false;
    forContent.explain = options.trace && options.redactPII === false;
    const { reader, things } = plan;
    if (things.length > 0) {
      const data = reader ?? { schema: null, prompt: null, onlyThings: true };
      forContent.readerInput = { ...data, things };
    } else if (reader) forContent.readerInput = reader;
    return forContent;
  }

  async function readContent(page: Page, fromPage: Partial<Document>, work: ReadingWork): Promise<ReadBytes> {
    const { request } = work;
    const { options, plan } = request;
    const asked = contentOptions(options, plan);
    const opened = await openFile(page, work);
    if (opened && !opened.ok) return opened;
    const forContent = makeRequest(opened?.page ?? page, asked, request);
    if (opened) forContent.file = opened.file.request;
    if (work.wantsBetter) forContent.refusesShell = true;
    // A file that the caller sent says whatever it says: no site sent it.
    if (work.source === "upload") delete forContent.response;
    const reading = await readWithRules(forContent, page, work);
    try {
      return await complete(page, fromPage, { opened, asked, forContent, ...reading }, work);
    } finally {
      reading.learning?.end();
    }
  }

  /** The page as it was read: its document, with answers. */
  async function complete(
    page: Page,
    fromPage: Partial<Document>,
    made: MadeContent,
    work: ReadingWork,
  ): Promise<ReadBytes> {
    const { request, signal } = work;
    const { options, plan } = request;
    const { result, mayAskModel, learning, opened, asked, forContent } = made;
    if ("failure" in result) return contentFailures[result.failure];
    if ("unsupported" in result)
      return { ok: false, code: "SCRAPE_UNSUPPORTED_FILE_ERROR", message: `${result.reason}. ${unreadable}` };
    const { verdict, lacksText = false } = result;
    if (isBlocked(verdict.state)) return blocked(verdict);
    if (work.wantsBetter && lacksText) return blocked({ state: "empty_shell" });
    if (work.wantsBetter && verdict.state === "consent_wall") return blocked(verdict);
    const checked = await checkInjection(answers, result, page.finalUrl, work);
    if (checked && "ok" in checked) return checked;
    const { searchText = null, outlinks = null, places = null } = result;
    const finding = result.found ?? null;
    if (opened) result.warnings.push(...opened.warnings);
    const document = makeDocument(page, result, fromPage);
    if (opened) Object.assign(document.metadata, opened.facts(result.metadata.title));
    if (checked) Object.assign(document.metadata, { injectionCheck: checked.by });
    if (checked) addWarnings(document, checked.warnings);
    const hasCaptions = captions.isNeeded(document, options);
    if (hasCaptions) await captions.read(document, options, signal);
    const isPlain = plan.answers.length === 0 && !plan.tracked && !plan.isCleaned;
    const named = plan.isNamed ? await findPersons(answers, document, work) : noPersons;
    // Made only for the model.
    if (isPlain && (plan.isJudged || plan.isNamed) && !options.formats.some(({ type }) => type === "markdown"))
      delete document.markdown;
    const answered = isPlain
      ? unanswered(document)
      : await answer(document, { finding, places, isSettled: !mayAskModel }, work);
    if (learning) await learning.learn(forContent, answered.document.json);
    if (opened && !opened.isFinal) answered.isFinal = false;
    const isRemade =
      isPlain &&
      !checked &&
      !hasCaptions &&
      !opened &&
      findTracking(options) === undefined &&
      Object.keys(fromPage).length === 0;
    const findings = { ...noFindings, outlinks, finding, places, searchText };
    return finish(answered, { lacksText, content: isRemade ? asked : null, ...findings }, request, named);
  }

  /** Of bytes that are wanted as they are: whether a block page came instead, if they are text. */
  async function judgeBytes(page: Page, { request, signal }: ReadingWork): Promise<PageVerdict | undefined> {
    if (!/^\s*(?:$|text\/|application\/xhtml\+xml)/i.test(page.contentType)) return undefined;
    const result = await content.read(contentRequest(page, verdictOnly, page.body), request.teamId, signal);
    // Whoever wants the bytes wants those of a shell, too.
    return "verdict" in result && result.verdict.state !== "empty_shell" ? result.verdict : undefined;
  }

  async function readUnread(page: Page, fromPage: Partial<Document>, work: ReadingWork): Promise<ReadBytes> {
    const verdict = await judgeBytes(page, work);
    if (verdict && isBlocked(verdict.state)) return blocked(verdict);
    return finish(unanswered(documentOf(page, fromPage, verdict)), unmade, work.request);
  }

  async function answer(
    document: Document,
    found: Pick<ReadFindings, "finding" | "places"> & { isSettled: boolean },
    work: ReadingWork,
  ): Promise<AnsweredPage> {
    const { request, signal, endsAt, trace } = work;
    const { teamId, keyId, options, plan } = request;
    const asker = { teamId, keyId, signal, endsAt: endsAt - reserveOf(options) };
    const answered = await answers.add({ document, ...found, plan, asker, trace });
    signal.throwIfAborted();
    return answered;
  }

  /** With the rules of its host, where a schema is to be filled. */
  async function readWithRules(
    forContent: ContentRequest<ReaderInput>,
    { finalUrl, status }: Page,
    { request, signal, endsAt, trace }: ReadingWork,
  ): Promise<RuledReading> {
    const { teamId, plan, options } = request;
    const { readerInput } = forContent;
    const readWith = (site?: SiteRulesUse) => {
      const asked = readerInput && site ? { ...forContent, readerInput: { ...readerInput, site } } : forContent;
      return trace.run(
        "content",
        () => content.read(asked, teamId, signal),
        (found) => ({
          outcome: "failure" in found ? found.failure : "unsupported" in found ? "unsupported" : "read",
          ...("verdict" in found ? { detail: contentDetail(found) } : {}),
        }),
      );
    };
    const isExtractor = Boolean(plan.usesExtractor && plan.reader);
    const isObserved = plan.model === null && !forContent.file && Boolean(readerInput?.schema);
    const input = isExtractor ? plan.reader : readerInput;
    if (!input || !(isExtractor || isObserved)) return { result: await readWith(), mayAskModel: true, learning: null };
    // Words around a value are part of the rules, and may be a person's name.
    const mayLearn = status < 400 && mayKeep(options) && options.redactPII === false;
    const waitMs = Math.max(0, endsAt - performance.now()) / 2;
    const kind = isExtractor ? "extractor" : "template";
    return siteRules.read({ kind, teamId, url: finalUrl, input, mayLearn, waitMs, signal }, readWith);
  }

  /** What needs the whole document. */
  async function finish(
    answered: AnsweredPage,
    made: Pick<DocumentRead, keyof ReadFindings | "lacksText" | "content">,
    request: ReadRequest,
    named: PersonsOfPage = noPersons,
  ): Promise<ReadBytes> {
    const { teamId, url, options } = request;
    const redacted = await redactRead({ answered, made }, request, named);
    if ("ok" in redacted) return redacted;
    const { document, isFinal } = redacted.answered;
    const tracking = findTracking(options);
    const tracked = tracking ? await trackChanges(teamId, url, tracking, comparable(redacted.answered)) : null;
    if (tracked?.changeTracking) document.changeTracking = tracked.changeTracking;
    if (tracked) addWarnings(document, tracked.warnings);
    const json = createDocumentJson(document);
    if (json.outputs().length > maxDocumentBytes)
      return { ok: false, code: "SCRAPE_PAGE_TOO_LARGE", message: "The outputs together are too large." };
    const snapshots = tracked?.snapshots ?? made.snapshots;
    return { ok: true, document, json, isFinal, ...redacted.made, snapshots };
  }

  return async (page, fromPage, work) => {
    const { request, signal } = work;
    const { options } = request;
    try {
      if (options.formats.some((format) => isFrom(format, "bytes"))) return await readUnread(page, fromPage, work);
      const unread = unreadPdf(page, options);
      if (unread && options.redactPII !== false)
        return {
          ok: false,
          code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
          message: "A PDF that is not read cannot be redacted.",
        };
      if (unread) return await finish(unanswered(unread), unmade, request);
      return await readContent(page, fromPage, work);
    } catch (error) {
      if (!signal.aborted) throw error;
      return { ok: false, code: isTimeout(signal) ? "SCRAPE_TIMEOUT" : "ABORTED" };
    }
  };
}

function contentDetail({ verdict, verdicts, textFrom }: PageContent): object {
  return { verdict, ...(textFrom ? { textFrom } : {}), ...(verdicts ? { blocks: verdicts } : {}) };
}

/** Nothing of a block page is returned. */
function blocked(verdict: PageVerdict): PageFailure {
  return { ok: false, code: "SCRAPE_SITE_BLOCKED", verdict };
}

/** What is known of a document that was not made from content. */
const unmade = { ...noFindings, lacksText: false, content: null };

const verdictOnly: ContentOptions = {
  formats: {
    markdown: false,
    html: false,
    rawHtml: false,
    links: false,
    images: false,
    outlinks: false,
  },
  onlyMainContent: false,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: false,
};

function comparable(answered: AnsweredPage): AnsweredPage {
  return { ...answered, foundText: withoutPictureNames(answered.foundText) };
}

/** Whether what the document shows can be read later. */
function mayKeep({ zeroDataRetention, lockdown }: ScrapeOptions): boolean {
  return !zeroDataRetention && !lockdown;
}

/** A document that needs no answers. */
function unanswered(document: Document): AnsweredPage {
  return { document, foundText: document.markdown ?? "", tracked: null, isFinal: true };
}
