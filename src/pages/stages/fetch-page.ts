import type { ArchiveReplay, Capture } from "../../archive/index.ts";
import {
  bareUrl,
  type Clock,
  createDeadline,
  isoTime,
  ServiceError,
  type Slots,
  withoutFragment,
} from "../../base/index.ts";
import type { Document, ScrapeOptions } from "../../contract/index.ts";
import type { Page, RenderedPage } from "../../engines/index.ts";
import type { NotModified, Reach, ReachedPage, ReachWork, RobotsCheck } from "../../reach/index.ts";
import { type CopyUse, isPersonal } from "../cache/copy-use.ts";
import type { CachedPage, NewCopy } from "../cache/page-cache.ts";
import type { CachedDocument } from "../cache/recent-documents.ts";
import { type PageHead, pageHead } from "../document/page-document.ts";
import type { PrepareFlow } from "../flows/prepare-flow.ts";
import { browserTasks, outputNeeds, outputsFromPage } from "../formats/formats.ts";
import { actionOutputs, createMediaCollector, type MediaCollector } from "../media/kept-media.ts";
import {
  type FetchedVersion,
  noFindings,
  type PageFailure,
  type PageOutcome,
  type PageReading,
  type ReadRequest,
} from "../record/page-reading.ts";
import { createReplayPages } from "./archived-page.ts";
import type { AskedPage, NoPage, PageRequest } from "./asked-page.ts";
import { type RobotsChecked, robotsFailure } from "./check-robots.ts";
import type { ReadingWork } from "./entered-page.ts";
import { describeFailure } from "./fetch-failure.ts";
import { type CopyFound, missOf } from "./find-copy.ts";
import { inSlot, type Waited } from "./in-slot.ts";
import type { StageResult } from "./list-of-stages.ts";
import type { DocumentRead, MakeDocument } from "./make-document.ts";

export interface FetchStageDeps {
  reach: Pick<Reach, "reachPage" | "hosts" | "proxyWarnings" | "fetcher">;
  /** Whether pages read with these options go into the local index. */
  isSearched(options: ScrapeOptions): boolean;
  slots: Slots;
  flows: Pick<PrepareFlow, "prepare">;
  clock: Clock;
}

export interface Fetched {
  reading: PageReading;
}

type Needs = AskedPage & RobotsChecked & CopyFound;
/** What was made of an attempt's page. */
interface Made {
  read: DocumentRead | PageFailure;
  collector: MediaCollector;
}

const declinedMessage = "The page redirects to a URL that the site's robots.txt disallows.";

/**
 * Brings the page and has its document made: of the cached page, or attempt by attempt of what the site sends. A page that turns out
 * to be a block page is why the next attempt is made. A cached document is taken as it is.
 */
export function createFetchStage(deps: FetchStageDeps, makeDocument: MakeDocument) {
  const { reach, isSearched, slots, flows, clock } = deps;
  const replayPage = createReplayPages(reach);
  return (page: Needs): Fetched | Promise<StageResult<Fetched, NoPage>> =>
    page.copy.document
      ? { reading: fromDocument(page.copy.document, knownWarnings(page.request)) }
      : bring(page, page.copy.page);

  async function bring(page: Needs, cached: CachedPage | null): Promise<StageResult<Fetched, NoPage>> {
    const { request: asked, use, check, trace } = page;
    const { options } = asked;
    const request = readRequest(asked, check, isSearched);
    const flow = await prepareFlow(flows, asked, page.signal);
    if (flow && "code" in flow) return flow;
    if (flow) request.flow = flow;
    // Made only now: a cached document is served before any time could run out.
    const { signal, clear } = createDeadline(page.signal, options.timeout);
    const work = { request, signal, endsAt: performance.now() + options.timeout, trace };
    const outcome = await inSlot(slots, request.teamId, signal, (waited) =>
      request.archive?.kind === "replay"
        ? fromArchive(work, request.archive, use, waited)
        : cached
          ? fromCachedPage(work, use, cached, waited)
          : fromSite(work, use, waited),
    ).finally(clear);
    if (outcome.ok) {
      await request.flow?.finish();
      return { reading: outcome };
    }
    const declined = outcome.code === "NOT_MODIFIED" ? null : check?.declined();
    return declined ? Object.assign({}, outcome, robotsFailure(declined, declinedMessage)) : outcome;
  }

  /** What could be told before anything was read. */
  function knownWarnings({ plan, options }: Pick<PageRequest, "plan" | "options">): string[] {
    return [...plan.warnings, ...reach.proxyWarnings(options)];
  }

  async function fromCachedPage(
    work: ReadingWork,
    use: CopyUse,
    { page, fetchedAt }: CachedPage,
    waited: Waited,
  ): Promise<PageOutcome | NotModified> {
    const { options } = work.request;
    const collector = createMediaCollector(options);
    // Of a page that scripts fill in, the text may be all that is known.
    const wantsBetter = Boolean(page.unfilled);
    const read = await makeDocument({ page, rendered: {}, collector, wantsBetter, source: "page", ...work });
    // An earlier version cached a block page: that is no copy.
    if (!read.ok && read.verdict) return missOf(options) ?? fromSite(work, use, waited);
    if (!read.ok) return read;
    const isContent = read.document.metadata.pageState === "content";
    const keep = options.storeInCache && isContent ? documentCopy(use, read, fetchedAt) : [];
    const nothingNew = { blobId: null, makesKnown: false, receivedBytes: 0, remake: null, wasBlocked: false };
    const from = { ...nothingNew, version: versionOf(page, fetchedAt), keep, media: collector.media };
    const facts = { ...hitFacts(fetchedAt), ...waitFacts(waited) };
    return { facts, warnings: knownWarnings(work.request), ...withoutMaking(read), ...from };
  }

  async function fromSite(work: ReadingWork, use: CopyUse, waited: Waited): Promise<PageOutcome | NotModified> {
    const { request, trace } = work;
    const { teamId, url, options, isJob = false } = request;
    const fetchedAt = clock.now();
    // Pages of jobs are counted where their tasks are.
    const leave = isJob || options.zeroDataRetention ? null : reach.hosts.enter(teamId, url);
    const reached = await reach
      .reachPage(reachWork(work), (page, wantsBetter) => readAttempt(makeDocument, work, page, wantsBetter))
      .finally(() => leave?.());
    if (reached.ok) return readingOf(reached, work, use, { fetchedAt, waited });
    if (reached.code === "NOT_MODIFIED") return reached;
    // A page that could not be read says why.
    return "made" in reached ? (reached.made.read as PageFailure) : describeFailure(reached, options, trace);
  }

  async function fromArchive(
    work: ReadingWork,
    replay: ArchiveReplay,
    use: CopyUse,
    waited: Waited,
  ): Promise<PageOutcome> {
    const replayed = await replayPage(work, replay);
    if (!replayed.ok) return replayed;
    const { made } = await readAttempt(makeDocument, work, replayed.page, false);
    const reached = { ...replayed, made, isUnfilled: false, wasBlocked: false };
    return asReplayed(readingOf(reached, work, use, { fetchedAt: clock.now(), waited }), replay, replayed.page);
  }

  function readingOf(
    { page, made: { read, collector }, warnings, isUnfilled, wasBlocked }: ReachedPage<Made>,
    { request }: ReadingWork,
    use: CopyUse,
    { fetchedAt, waited }: { fetchedAt: number; waited: Waited },
  ): PageOutcome {
    if (!read.ok) return read;
    const { url, options } = request;
    // Nothing but the page itself is kept, so that no notice takes the place of a good copy.
    const isFound = page.status < 400 && read.document.metadata.pageState === "content";
    const isKept = use.keeps && isFound && !isUnfilled;
    if (request.archive?.kind === "capture") keepRendered(request.archive, page, request);
    const head = pageHead(page);
    const remake = isKept && use.documents && read.remake ? { page: head, content: read.remake } : null;
    const copies = () => [pageCopy(use, page, head, fetchedAt), ...(remake ? [] : documentCopy(use, read, fetchedAt))];
    return {
      facts: { cacheState: "miss", ...waitFacts(waited), ...flowFacts(request) },
      warnings: [...knownWarnings(request), ...(request.flow?.warnings ?? []), ...ignoredHeaders(page), ...warnings],
      blobId: null,
      makesKnown: isFound && !isPersonal(url, options),
      receivedBytes: page.wireBytes ?? page.body.length,
      version: versionOf(page, fetchedAt),
      keep: isKept ? copies() : [],
      remake,
      media: collector.media,
      wasBlocked,
      ...withoutMaking(read),
    };
  }
}

/** Null without a flow. */
async function prepareFlow(flows: FetchStageDeps["flows"], asked: Needs["request"], signal: AbortSignal) {
  const { options, payer, flowTerms } = asked;
  if (options.flow === undefined) return null;
  const asker = { ...payer, signal, endsAt: performance.now() + options.timeout };
  return flows.prepare(asker, options.flow, flowTerms).catch(refusalOf);
}

/** What is wrong with a flow ends its page. */
function refusalOf(error: unknown): PageFailure {
  if (!(error instanceof ServiceError)) throw error;
  return { ok: false, code: error.code, message: error.message, details: error.details };
}

/** What the document says of its flow. */
function flowFacts({ flow }: ReadRequest): Document["metadata"] {
  if (flow === undefined) return {};
  const { id, version } = flow.work;
  return { flow: { id, version, healed: flow.report()?.healed.length ?? 0 } };
}

/** Nothing is learned from a page that comes out of an archive. */
function asReplayed(reading: PageOutcome, replay: ArchiveReplay, { url, finalUrl }: Page): PageOutcome {
  if (!reading.ok) return reading;
  const at = replay.atOf(finalUrl) ?? replay.atOf(url);
  const { cacheState: _, ...facts } = reading.facts;
  const own = { archiveId: replay.archiveId, replayed: true, ...(at === null ? {} : { archivedAt: isoTime(at) }) };
  return { ...reading, facts: { ...facts, ...own }, makesKnown: false, receivedBytes: 0, snapshots: [] };
}

/** What a browser made of the page: its DOM, and pictures of it. */
function keepRendered(capture: Capture, page: Page | RenderedPage, { url, options }: ReadRequest): void {
  const at = capture.atOf(bareUrl(url));
  if (page.engine !== "browser" || at === null || !("screenshots" in page)) return;
  const target = withoutFragment(bareUrl(url));
  if (/^text\/html\b/.test(page.contentType)) {
    const metadata = { url: page.finalUrl, waitFor: options.waitFor, mobile: options.mobile };
    capture.addResource({ url: `urn:dom:${target}`, at, contentType: "text/html", block: page.body, metadata });
  }
  const [look] = browserTasks(options.formats).screenshots;
  for (const block of page.screenshots) {
    const contentType = block[0] === 0xff ? "image/jpeg" : "image/png";
    capture.addResource({ url: `urn:${look?.fullPage ? "fullPage" : "view"}:${target}`, at, contentType, block });
  }
}

function follower(check: RobotsCheck | null, mayFollow: PageRequest["mayFollow"]) {
  return async (url: string) => (!mayFollow || (await mayFollow(url))) && (!check || (await check.mayFollow(url)));
}

function readRequest(
  { payer, url, options, plan, isJob = false, mayFollow, conditions, archive }: PageRequest,
  check: RobotsCheck | null,
  isSearched: FetchStageDeps["isSearched"],
): ReadRequest {
  const { teamId, keyId } = payer;
  const keepWith = isJob ? payer.jobId : undefined;
  const follows = check || mayFollow ? follower(check, mayFollow) : undefined;
  const forSearch = archive?.kind !== "replay" && isSearched(options);
  const how = { isJob, keepWith, forSearch, mayFollow: follows };
  // Every exchange is to be kept whole: a page that is not sent again would not be.
  return { teamId, keyId, url, options, plan, ...how, conditions: archive ? undefined : conditions, archive };
}

async function readAttempt(
  makeDocument: MakeDocument,
  work: ReadingWork,
  page: Page | RenderedPage,
  wantsBetter: boolean,
) {
  const { options } = work.request;
  const collector = createMediaCollector(options);
  const rendered = fromPage(page, options, collector);
  const read = await makeDocument({ page, rendered, collector, wantsBetter, source: "page", ...work });
  const made: Made = { read, collector };
  return read.ok
    ? { isRead: true, state: read.document.metadata.pageState, lacksText: read.lacksText, made }
    : { isRead: false, state: read.verdict?.state, verdict: read.verdict, lacksText: false, made };
}

function reachWork({ request, signal, endsAt, trace }: ReadingWork): ReachWork {
  const { teamId, url, options, isJob, keepWith, mayFollow, conditions, archive, flow } = request;
  const needs = outputNeeds(options.formats);
  const tasks = () => ({ ...browserTasks(options.formats), flow: flow?.work });
  const isOwn = isPersonal(url, options);
  const how = { isPersonal: isOwn, isJob, keepWith, mayFollow, conditions, archive };
  return { request: { teamId, url, options, needs, tasks, ...how }, signal, endsAt, trace };
}

/** Outputs of the page itself, and what its actions brought. */
function fromPage(page: Page | RenderedPage, options: ScrapeOptions, collector: MediaCollector): Partial<Document> {
  const outputs = outputsFromPage(options.formats, page, collector);
  if ("actions" in page && options.actions.length > 0) outputs.actions = actionOutputs(page.actions, collector);
  return outputs;
}

function fromDocument({ document, json, blobId, fetchedAt }: CachedDocument, warnings: string[]): PageReading {
  // Name by name: objects put together from others cost several times as much, and every cached page pays for it.
  return {
    ok: true,
    document,
    json,
    findings: noFindings,
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
function withoutMaking({ document, json, findings, snapshots }: DocumentRead) {
  return { ok: true as const, document, json, findings, snapshots };
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
