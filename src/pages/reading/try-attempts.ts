// The fetch strategy at work: attempt after attempt until one brings the page and not a block page. Each further attempt needs a
// reason, and what worked is remembered for the next pages of the host.

import {
  type Clock,
  createDeadline,
  createSemaphore,
  isTimeout,
  type Release,
  sentence,
  type TraceStep,
} from "../../base/index.ts";
import type { Document, ScrapeOptions } from "../../contract/index.ts";
import type { EngineName, Outcome, Page, RenderedPage } from "../../engines/index.ts";
import { isBlocked, type PageState, type PageVerdict } from "../../safety/index.ts";
import { isPersonal } from "../cache/copy-use.ts";
import type { AttemptMemory, Recalled } from "../fetch-strategy/attempt-memory.ts";
import { type Attempt, orderAttempts, placeOfAttempt, planAttempts, tiersOf } from "../fetch-strategy/attempts.ts";
import { type AttemptReport, type BlockPage, blockedFailure, signInHint } from "../fetch-strategy/blocked-page.ts";
import { cookiesOfHost } from "../fetch-strategy/won-cookies.ts";
import type { FetchedPage, PageFetcher, PageFetchFailure } from "../fetching/fetch-page.ts";
import { outputsFromPage } from "../formats/formats.ts";
import type { HostStats } from "../hosts/host-stats.ts";
import { actionOutputs, createMediaCollector, type MediaCollector } from "../media/media.ts";
import { describeFailure } from "./fetch-failure.ts";
import type { NotModified, PageFailure, ReadRequest } from "./page-reading.ts";
import type { ByteReader, DocumentRead, ReadingWork } from "./read-bytes.ts";

export interface AttemptDeps {
  fetcher: PageFetcher;
  readBytes: ByteReader;
  memory: AttemptMemory;
  hosts: HostStats;
  clock: Clock;
  proxies: { has(tier: Attempt["tier"]): boolean };
}

/** What a request has of time. */
export type FetchWork = Omit<ReadingWork, "collector">;

export interface ReachedPage {
  ok: true;
  page: Page | RenderedPage;
  read: DocumentRead;
  collector: MediaCollector;
  warnings: string[];
  /** Scripts would have filled it in, and none ran: good enough to answer with, not to keep. */
  isUnfilled: boolean;
  /** The host blocked an attempt, and a later one got past it. */
  wasBlocked: boolean;
}

/** What a progress comes to. */
type Reached = ReachedPage | PageFailure | NotModified;

export type TryAttempts = (work: FetchWork) => Promise<Reached>;

/** Of a page of a job: a host that blocks is not asked again and again. */
const maxAsksOfJob = 3;
/** Of jobs: a host that begins to block is not asked again for all its active pages at once. */
const retriedPagesPerHost = 2;
/** With less time than this no further attempt is begun. */
const leastAttemptMs = 300;
/** Of the time that is left, when more attempts follow a browser's. */
const attemptShare = 0.6;
/** Failures that no other attempt can change. */
const finalCodes = new Set([
  "ABORTED",
  "ROBOTS_BLOCKED",
  "URL_NOT_ALLOWED",
  "SCRAPE_ACTION_ERROR",
  "PROFILE_BUSY",
  "PROFILE_LIMIT",
  "QUEUE_FULL",
]);

/** Answers that are no blocks, and do not show that one was passed. */
const stillClosed = new Set<PageState | undefined>(["consent_wall", "empty_shell", "rate_limited", "host_error"]);

/** How far a page has come. */
interface Progress {
  work: FetchWork;
  attempts: readonly Attempt[];
  /** The same in the order in which they are tried. */
  order: readonly Attempt[];
  /** The first to be tried is not the cheapest: a failure of any kind says nothing of the others. */
  isShortcut: boolean;
  recalled: Recalled | null;
  reports: AttemptReport[];
  blocks: BlockPage[];
  /** An attempt met a block page, a consent page or a refusal: what gets past it is worth remembering. */
  wasBlocked: boolean;
  /** The first attempt that brought nothing at all, and the last. */
  failures: PageFetchFailure[];
  /** A page that will do if nothing better comes. */
  fallback: FetchedPage | null;
  /** Why nothing better came. */
  fallbackNote: string | null;
  /** What the page brought when it was asked whether it has changed; null where it was not. */
  changed: Outcome | null;
}

/** An attempt ends the search for the page, or is the reason for the next one. */
type Step = { end: Reached } | { reason: string };

export function createAttempts(deps: AttemptDeps): TryAttempts {
  const { fetcher, readBytes, memory, hosts, clock, proxies } = deps;
  const hasEnhanced = proxies.has("enhanced");
  const turns = createSemaphore({ placesPerKey: retriedPagesPerHost });

  function fetchOn(progress: Progress, attempt: Attempt, isLast: boolean, reason: string) {
    const { request, signal, endsAt, trace } = progress.work;
    const { teamId, url, options, keepWith, isJob, mayFollow, conditions } = request;
    const cookies = progress.recalled?.cookies ?? [];
    const wantsCookies = progress.wasBlocked && mayLearn(request);
    const patientUntil = isJob ? undefined : endsAt;
    const way = { attempt, reason, keepWith, cookies, wantsCookies, patientUntil };
    const asked = { teamId, url, options, ...way, mayFollow, conditions, outcome: progress.changed };
    progress.changed = null;
    if (isLast || !progress.wasBlocked) return fetcher.fetchAttempt({ signal, endsAt, ...asked }, trace);
    // Later attempts need time, too.
    const ms = (endsAt - performance.now()) * attemptShare;
    const share = createDeadline(signal, ms);
    const until = performance.now() + ms;
    return fetcher.fetchAttempt({ signal: share.signal, endsAt: until, ...asked }, trace).finally(share.clear);
  }

  /** A consent page, or a shell that scripts would fill in, will do only where nothing better can come. */
  async function readOn({ work }: Progress, { page }: FetchedPage, wantsBetter: boolean) {
    const { options } = work.request;
    const collector = createMediaCollector(options);
    const read = await readBytes(page, fromPage(page, options, collector), { collector, wantsBetter, ...work });
    return { read, collector };
  }

  function note({ work, reports }: Progress, { engine, proxy, status }: Page, verdict: PageState): void {
    const { request, trace } = work;
    reports.push({ engine, proxy, status, verdict });
    const step = trace.steps.findLast((each) => each.step === "fetch" || each.step === "render");
    if (step) step.detail = Object.assign({}, step.detail, { verdict });
    const { teamId, url, options } = request;
    if (!options.zeroDataRetention) hosts.noteAnswer(teamId, url, { status, verdict });
  }

  async function remember(
    { work, recalled, attempts, wasBlocked }: Progress,
    attempt: Attempt,
    page: Page | RenderedPage,
    ms: number,
  ) {
    const { request } = work;
    const isCheaper = recalled !== null && attempts.indexOf(attempt) < placeOfAttempt(attempts, recalled.attempt);
    if (!mayLearn(request) || !(wasBlocked || isCheaper)) return;
    const won = cookiesOfHost("storageState" in page ? page.storageState : undefined, page.finalUrl, clock.now());
    const cookies = won.length > 0 ? won : (recalled?.cookies ?? []);
    await memory.learn(request.teamId, request.url, { attempt, ms: Math.round(ms), cookies });
  }

  async function tryAttempt(progress: Progress, place: number, reason: string): Promise<Step> {
    const { order, work } = progress;
    const attempt = order[place] as Attempt;
    const since = performance.now();
    const fetched = await fetchOn(progress, attempt, place + 1 === order.length, reason);
    if (!fetched.ok) return failOn(progress, fetched);
    const { page } = fetched;
    if (page.status === 304 && work.request.conditions !== undefined) return { end: notModified(page) };
    const mayRender = attempt.engine === "http" && order[place + 1]?.engine === "browser";
    const { read, collector } = await readOn(progress, fetched, mayRender);
    const state = read.ok ? read.document.metadata.pageState : read.verdict?.state;
    if (state) note(progress, page, state);
    if (!read.ok && read.verdict) {
      progress.wasBlocked ||= read.verdict.state !== "empty_shell";
      return { reason: meetBlock(progress, fetched, read.verdict) };
    }
    if (!read.ok) return { end: progress.blocks.length > 0 && isTimeout(work.signal) ? await giveUp(progress) : read };
    if (isStillBlocked(progress, page, read.document.metadata.pageState))
      return { reason: `${state} after the block page` };
    if (!stillClosed.has(state)) await remember(progress, attempt, page, performance.now() - since);
    return { end: reached(progress, fetched, read, collector) };
  }

  /** The reason for the next attempt. */
  function meetBlock(progress: Progress, fetched: FetchedPage, { state, vendor = unknownVendor }: PageVerdict): string {
    if (isBlocked(state)) {
      progress.blocks.push({ kind: state, vendor });
      return `${state} (${vendor})`;
    }
    Object.assign(progress, { fallback: fetched, fallbackNote: null });
    return state === "empty_shell" ? (fetched.page.unfilled ?? state) : state;
  }

  async function failOn(progress: Progress, failure: PageFetchFailure): Promise<Step> {
    progress.failures.push(failure);
    progress.fallbackNote = `could not be rendered: ${sentence(failure.message ?? failure.code)}`;
    if (finalCodes.has(failure.code)) return { end: describeFailure(failure, progress.work) };
    const isFirst = progress.failures.length === 1 && progress.reports.length === 0;
    const isWorthMore = progress.blocks.length > 0 || failure.isRefusal === true || (progress.isShortcut && isFirst);
    if (!isWorthMore) return { end: await giveUp(progress) };
    progress.wasBlocked = true;
    return { reason: `${failure.code} on the attempt before` };
  }

  /** What is left when no attempt brought the page. */
  async function giveUp(progress: Progress): Promise<ReachedPage | PageFailure> {
    const { work, blocks, failures, fallback, reports, recalled } = progress;
    const { request, signal } = work;
    const { teamId, url, options } = request;
    const isGone = signal.aborted && !isTimeout(signal);
    if (blocks.length > 0 && !isGone) {
      if (recalled !== null && mayLearn(request)) await memory.forget(teamId, url);
      const wantsBrowser = fetcher.plan(options).engines.includes("browser");
      const whyNoBrowser = wantsBrowser ? fetcher.whyNoBrowser() : null;
      const [failure] = failures.slice(-1);
      const lastFailure = failure ? sentence(failure.message ?? failure.code) : null;
      return blockedFailure({ url, options, blocks, attempts: reports, whyNoBrowser, hasEnhanced, lastFailure });
    }
    if (fallback !== null && !signal.aborted) {
      const { read, collector } = await readOn(progress, fallback, false);
      return read.ok ? reached(progress, fallback, read, collector) : read;
    }
    const failure = fallback === null ? failures[0] : failures.at(-1);
    return { ...describeFailure(failure ?? { ok: false, code: "ABORTED" }, work), asks: failures.length };
  }

  /** Pages of jobs wait for their turn before they ask a host again. */
  async function tryInOrder(progress: Progress, firstReason: string): Promise<Reached> {
    const { work, order } = progress;
    const { request, signal, endsAt, trace } = work;
    const { url, isJob = false } = request;
    let leave: Release | null = null;
    let reason = firstReason;
    let asks = 0;
    try {
      for (const [place, { engine }] of order.entries()) {
        const whyNot = asks > 0 && engine === "browser" ? fetcher.whyNoBrowser() : null;
        trace.steps.push(chosen(whyNot === null ? engine : "http", reason));
        if (whyNot !== null) {
          progress.fallbackNote = `none ran: ${whyNot}`;
          continue;
        }
        if (asks === 1 && isJob) leave = await turns.acquire(signal, new URL(url).host).catch(() => null);
        const isOver =
          signal.aborted || endsAt - performance.now() < leastAttemptMs || (isJob && asks === maxAsksOfJob);
        if (asks > 0 && isOver) break;
        asks += 1;
        const step = await tryAttempt(progress, place, reason);
        if ("end" in step) return step.end;
        reason = step.reason;
      }
      return await giveUp(progress);
    } finally {
      leave?.();
    }
  }

  /** Whether a page is asked, before all else, if it has changed: not where each step is to be told. */
  function isAskedFirst({ conditions, options }: ReadRequest, [engine]: readonly EngineName[]): boolean {
    return engine === "http" && !options.trace && conditions !== undefined && Object.keys(conditions).length > 0;
  }

  function askIfChanged({ request, signal }: FetchWork): Promise<Outcome> {
    const { url, options, keepWith, mayFollow, conditions = {} } = request;
    const [tier = "basic"] = tiersOf(options.proxy, hasEnhanced);
    return fetcher.askIfChanged({ url, options, tier, keepWith, signal, mayFollow, conditions });
  }

  return async (work) => {
    const { request } = work;
    const { teamId, url, options } = request;
    const { choice, engines } = fetcher.plan(options);
    const recalled = memory.recallsNothing(teamId, url) ? null : await recall(memory, request);
    const changed = recalled === null && isAskedFirst(request, engines) ? await askIfChanged(work) : null;
    if (changed?.ok && changed.page.status === 304) return notModified(changed.page);
    // An attempt that was remembered comes first, so it must be possible.
    const whyNot = recalled !== null && engines.length > 1 ? fetcher.whyNoBrowser() : null;
    const usable = whyNot === null ? engines : engines.filter((engine) => engine !== "browser");
    const attempts = planAttempts({ proxy: options.proxy, engines: usable, hasEnhanced });
    const order = orderAttempts(attempts, recalled?.attempt ?? null, recalled?.triesCheaper);
    const isShortcut = order[0] !== attempts[0];
    const fallbackNote = whyNot === null ? null : `none ran: ${whyNot}`;
    const nothing = { reports: [], blocks: [], wasBlocked: false, failures: [], fallback: null };
    const progress: Progress = { work, attempts, order, isShortcut, recalled, ...nothing, fallbackNote, changed };
    return tryInOrder(progress, isShortcut ? "got past the block of this host before" : choice.reason);
  };
}

function notModified({ finalUrl: url, wireBytes: receivedBytes = 0 }: Page): NotModified {
  return { ok: false, code: "NOT_MODIFIED", url, receivedBytes };
}

const unknownVendor = "unknown";

/**
 * After the challenge or the consent page the site sent an error page of another URL, or an empty shell.
 */
function isStillBlocked(
  { blocks, reports, work }: Progress,
  { finalUrl }: Page,
  state: PageState | undefined,
): boolean {
  if (blocks.length === 0 && !reports.some(({ verdict }) => verdict === "consent_wall")) return false;
  if (state === "empty_shell") return true;
  const isNothing = state === "not_found" || state === "host_error";
  return isNothing && new URL(finalUrl).pathname !== new URL(work.request.url).pathname;
}

/** What one caller's page says of a host does not hold for others, and some pages leave nothing behind. */
function mayLearn({ url, options }: ReadRequest): boolean {
  return !isPersonal(url, options) && !options.zeroDataRetention;
}

/** A caller's own cookies are not mixed with those that were won. */
async function recall(memory: AttemptMemory, { teamId, url, options }: ReadRequest): Promise<Recalled | null> {
  const recalled = await memory.recall(teamId, url);
  return recalled && isPersonal(url, options) ? { ...recalled, cookies: [] } : recalled;
}

function chosen(engine: string, reason: string): TraceStep {
  return { step: "choose", engine, ms: 0, outcome: engine, detail: { reason } };
}

function reached(progress: Progress, fetched: FetchedPage, read: DocumentRead, collector: MediaCollector): ReachedPage {
  const { work, fallbackNote, blocks } = progress;
  const { url, options } = work.request;
  const { page } = fetched;
  const isUnfilled = read.lacksText;
  const isClosed = read.document.metadata.pageState === "login_required";
  const warnings = [
    ...fetched.warnings,
    ...(isUnfilled && fallbackNote !== null ? [`Scripts fill in this page, and ${fallbackNote}`] : []),
    ...(isClosed ? [signInHint(url, options)] : []),
  ];
  return { ok: true, page, read, collector, warnings, isUnfilled, wasBlocked: blocks.length > 0 };
}

/** Outputs of the page itself, and what its actions brought. */
function fromPage(page: Page | RenderedPage, options: ScrapeOptions, collector: MediaCollector): Partial<Document> {
  const outputs = outputsFromPage(options.formats, page, collector);
  if ("actions" in page && options.actions.length > 0) outputs.actions = actionOutputs(page.actions, collector);
  return outputs;
}
