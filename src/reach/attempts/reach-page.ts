// The fetch strategy at work: attempt after attempt until one brings the page and not a block page. Each further attempt needs a
// reason, and what worked is remembered for the next pages of the host.

import {
  createDeadline,
  createSemaphore,
  isTimeout,
  type Release,
  type Semaphore,
  sentence,
  type TraceStep,
} from "../../base/index.ts";
import type { EngineName, Outcome, Page } from "../../engines/index.ts";
import { isBlocked, type PageState, type PageVerdict } from "../../safety/index.ts";
import type { FetchedPage, PageFetcher, PageFetchFailure } from "../fetching/make-attempt.ts";
import type { HostStats } from "../hosts/host-stats.ts";
import type { AttemptMemory, Recalled } from "../strategy/attempt-memory.ts";
import {
  type Attempt,
  bringsIdentity,
  orderAttempts,
  placeOfAttempt,
  planAttempts,
  tiersOf,
} from "../strategy/attempts.ts";
import { type AttemptReport, type BlockPage, blockedFailure, signInHint } from "../strategy/blocked-page.ts";
import type {
  AttemptReading,
  NotModified,
  Reached,
  ReachedPage,
  ReachRequest,
  ReachWork,
  ReadAttempt,
} from "./reach-request.ts";

export interface AttemptDeps {
  fetcher: PageFetcher;
  memory: AttemptMemory;
  hosts: HostStats;
  proxies: { has(tier: Attempt["tier"]): boolean };
}

/** Each attempt that brings a page has it read by `read`. */
export type ReachPage = <Made>(work: ReachWork, read: ReadAttempt<Made>) => Promise<Reached<Made>>;

/** Of a page of a job, besides the solver: a host that blocks is not asked again and again. */
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
  "FLOW_STEP_NOT_FOUND",
  "FLOW_STEP_AMBIGUOUS",
  "FLOW_STEP_FAILED",
  "FLOW_TIMEOUT",
  "SECRET_HOST_MISMATCH",
  "PROFILE_BUSY",
  "PROFILE_LIMIT",
  "QUEUE_FULL",
]);

const pageSteps = new Set(["fetch", "render", "solve"]);

/** Answers that are no blocks, and do not show that one was passed. */
const stillClosed = new Set<PageState | undefined>(["consent_wall", "empty_shell", "rate_limited", "host_error"]);

interface AttemptTools extends AttemptDeps {
  hasEnhanced: boolean;
  /** Pages of jobs wait here before they ask a host again. */
  turns: Semaphore;
}

/** How far a page has come. */
interface Progress<Made> {
  tools: AttemptTools;
  work: ReachWork;
  read: ReadAttempt<Made>;
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
type Step<Made> = { end: Reached<Made> } | { reason: string };

export function createAttempts(deps: AttemptDeps): ReachPage {
  const turns = createSemaphore({ placesPerKey: retriedPagesPerHost });
  const tools = { ...deps, hasEnhanced: deps.proxies.has("enhanced"), turns };
  return (work, read) => findPage(tools, work, read);
}

async function findPage<Made>(tools: AttemptTools, work: ReachWork, read: ReadAttempt<Made>): Promise<Reached<Made>> {
  const { fetcher, memory, hasEnhanced } = tools;
  const { request } = work;
  const { teamId, url, options } = request;
  const { choice, engines, mayAskSolver } = fetcher.plan(request);
  const recalled = memory.recallsNothing(teamId, url) ? null : await recall(memory, request);
  const changed = recalled === null && isAskedFirst(request, engines) ? await askIfChanged(tools, work) : null;
  if (changed?.ok && changed.page.status === 304) return notModified(changed.page);
  // An attempt that was remembered comes first, so it must be possible.
  const whyNot = recalled !== null && engines.length > 1 ? fetcher.whyNoBrowser() : null;
  const usable = whyNot === null ? engines : engines.filter((engine) => engine !== "browser");
  const attempts = planAttempts({ proxy: options.proxy, engines: usable, hasEnhanced, mayAskSolver });
  const order = orderAttempts(attempts, recalled?.attempt ?? null, recalled?.triesCheaper);
  const isShortcut = order[0] !== attempts[0];
  const fallbackNote = whyNot === null ? null : `none ran: ${whyNot}`;
  const nothing = { reports: [], blocks: [], wasBlocked: false, failures: [], fallback: null };
  const progress: Progress<Made> = {
    tools,
    work,
    read,
    attempts,
    order,
    isShortcut,
    recalled,
    ...nothing,
    fallbackNote,
    changed,
  };
  return tryInOrder(progress, isShortcut ? "got past the block of this host before" : choice.reason);
}

function fetchOn<Made>(progress: Progress<Made>, attempt: Attempt, isLast: boolean, reason: string) {
  const { fetcher } = progress.tools;
  const { request, signal, endsAt, trace } = progress.work;
  const { teamId, url, options, needs, keepWith, isJob, mayFollow, conditions, archive } = request;
  const cookies = progress.recalled?.cookies ?? [];
  const wantsCookies = progress.wasBlocked && mayLearn(request);
  const patientUntil = isJob ? undefined : endsAt;
  const way = { attempt, reason, keepWith, cookies, wantsCookies, patientUntil };
  const tasks = () => request.tasks();
  const asked = {
    teamId,
    url,
    options,
    needs,
    tasks,
    ...way,
    mayFollow,
    conditions,
    archive,
    outcome: progress.changed,
  };
  progress.changed = null;
  if (isLast || !progress.wasBlocked) return fetcher.fetchAttempt({ signal, endsAt, ...asked }, trace);
  // Later attempts need time, too.
  const ms = (endsAt - performance.now()) * attemptShare;
  const share = createDeadline(signal, ms);
  const until = performance.now() + ms;
  return fetcher.fetchAttempt({ signal: share.signal, endsAt: until, ...asked }, trace).finally(share.clear);
}

function note<Made>(
  { tools, work, reports }: Progress<Made>,
  { engine, proxy, status }: Page,
  verdict: PageState,
): void {
  const { request, trace } = work;
  reports.push({ engine, proxy, status, verdict });
  const step = trace.steps.findLast((each) => pageSteps.has(each.step));
  if (step) step.detail = Object.assign({}, step.detail, { verdict });
  const { teamId, url, options } = request;
  if (!options.zeroDataRetention) tools.hosts.noteAnswer(teamId, url, { status, verdict });
}

async function remember<Made>(
  { tools, work, recalled, attempts, wasBlocked }: Progress<Made>,
  attempt: Attempt,
  ms: number,
  won: FetchedPage["cookies"] = [],
) {
  const { request } = work;
  const isCheaper = recalled !== null && attempts.indexOf(attempt) < placeOfAttempt(attempts, recalled.attempt);
  if (!mayLearn(request) || !(wasBlocked || isCheaper)) return;
  const cookies = won.length > 0 ? won : (recalled?.cookies ?? []);
  await tools.memory.learn(request.teamId, request.url, { attempt, ms: Math.round(ms), cookies });
}

async function tryAttempt<Made>(progress: Progress<Made>, place: number, reason: string): Promise<Step<Made>> {
  const { order, work } = progress;
  const attempt = order[place] as Attempt;
  const since = performance.now();
  const fetched = await fetchOn(progress, attempt, place + 1 === order.length, reason);
  if (!fetched.ok) return failOn(progress, fetched, attempt);
  const { page } = fetched;
  if (page.status === 304 && work.request.conditions !== undefined) return { end: notModified(page) };
  // A consent page, or a shell that scripts would fill in, will do only where nothing better can come.
  const mayRender = attempt.engine === "http" && order[place + 1]?.engine === "browser";
  const reading = await progress.read(page, mayRender);
  const { isRead, state, verdict, made } = reading;
  if (state) note(progress, page, state);
  if (verdict) {
    progress.wasBlocked ||= verdict.state !== "empty_shell";
    return { reason: meetBlock(progress, fetched, verdict) };
  }
  if (!isRead) {
    const isLate = progress.blocks.length > 0 && isTimeout(work.signal);
    return { end: isLate ? await giveUp(progress) : { ok: false, code: "UNREADABLE", made } };
  }
  if (isStillBlocked(progress, page, state)) return { reason: `${state} after the block page` };
  if (!stillClosed.has(state)) await remember(progress, attempt, performance.now() - since, fetched.cookies);
  return { end: reached(progress, fetched, reading) };
}

/** The reason for the next attempt. */
function meetBlock<Made>(
  progress: Progress<Made>,
  fetched: FetchedPage,
  { state, vendor = "unknown" }: PageVerdict,
): string {
  if (isBlocked(state)) {
    progress.blocks.push({ kind: state, vendor });
    return `${state} (${vendor})`;
  }
  Object.assign(progress, { fallback: fetched, fallbackNote: null });
  return state === "empty_shell" ? (fetched.page.unfilled ?? state) : state;
}

async function failOn<Made>(
  progress: Progress<Made>,
  failure: PageFetchFailure,
  { engine }: Attempt,
): Promise<Step<Made>> {
  progress.failures.push(failure);
  progress.fallbackNote = `could not be rendered: ${sentence(failure.message ?? failure.code)}`;
  // A solver's word is not the site's.
  if (finalCodes.has(failure.code) && engine !== "solver") return { end: failure };
  const isFirst = progress.failures.length === 1 && progress.reports.length === 0;
  const isWorthMore = progress.blocks.length > 0 || failure.isRefusal === true || (progress.isShortcut && isFirst);
  if (!isWorthMore) return { end: await giveUp(progress) };
  progress.wasBlocked = true;
  return { reason: `${failure.code} on the attempt before` };
}

/** What is left when no attempt brought the page. */
async function giveUp<Made>(progress: Progress<Made>): Promise<Reached<Made>> {
  const { tools, work, blocks, failures, fallback, reports, recalled } = progress;
  const { fetcher, memory, hasEnhanced } = tools;
  const { request, signal } = work;
  const { teamId, url, options } = request;
  const isGone = signal.aborted && !isTimeout(signal);
  if (blocks.length > 0 && !isGone) {
    if (recalled !== null && mayLearn(request)) await memory.forget(teamId, url);
    const { engines, mayAskSolver } = fetcher.plan(request);
    const wantsBrowser = engines.includes("browser");
    const whyNoBrowser = wantsBrowser ? fetcher.whyNoBrowser() : null;
    const [failure] = failures.slice(-1);
    const lastFailure = failure ? sentence(failure.message ?? failure.code) : null;
    const solver = fetcher.hasSolver ? (mayAskSolver ? "asked" : "unsuited") : "absent";
    return blockedFailure({ url, options, blocks, attempts: reports, whyNoBrowser, hasEnhanced, solver, lastFailure });
  }
  if (fallback !== null && !signal.aborted) {
    const reading = await progress.read(fallback.page, false);
    const { isRead, made } = reading;
    return isRead ? reached(progress, fallback, reading) : { ok: false, code: "UNREADABLE", made };
  }
  const failure = fallback === null ? failures[0] : failures.at(-1);
  return Object.assign({ asks: failures.length }, failure ?? { ok: false as const, code: "ABORTED" as const });
}

/** Pages of jobs wait for their turn before they ask a host again. */
async function tryInOrder<Made>(progress: Progress<Made>, firstReason: string): Promise<Reached<Made>> {
  const { tools, work, order } = progress;
  const { fetcher, turns } = tools;
  const { request, signal, endsAt, trace } = work;
  const { url, isJob = false } = request;
  let leave: Release | null = null;
  let reason = firstReason;
  let asks = 0;
  try {
    for (const [place, { engine }] of order.entries()) {
      if (engine === "solver" ? !hasMetChallenge(progress) : isJob && asks === maxAsksOfJob) continue;
      const whyNot = asks > 0 && engine === "browser" ? fetcher.whyNoBrowser() : null;
      trace.steps.push(chosen(whyNot === null ? engine : "http", reason));
      if (whyNot !== null) {
        progress.fallbackNote = `none ran: ${whyNot}`;
        continue;
      }
      if (asks === 1 && isJob) leave = await turns.acquire(signal, new URL(url).host).catch(() => null);
      const isOver = signal.aborted || endsAt - performance.now() < leastAttemptMs;
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
function isAskedFirst({ conditions, options }: ReachRequest, [engine]: readonly EngineName[]): boolean {
  return engine === "http" && !options.trace && conditions !== undefined && Object.keys(conditions).length > 0;
}

function askIfChanged({ fetcher, hasEnhanced }: AttemptTools, { request, signal }: ReachWork): Promise<Outcome> {
  const { url, options, keepWith, mayFollow, conditions = {} } = request;
  const [tier = "basic"] = tiersOf(options.proxy, hasEnhanced);
  return fetcher.askIfChanged({ url, options, tier, keepWith, signal, mayFollow, conditions });
}

function notModified({ finalUrl: url, wireBytes: receivedBytes = 0 }: Page): NotModified {
  return { ok: false, code: "NOT_MODIFIED", url, receivedBytes };
}

/**
 * After the challenge or the consent page the site sent an error page of another URL, or an empty shell.
 */
function isStillBlocked<Made>(
  { blocks, reports, work }: Progress<Made>,
  { finalUrl }: Page,
  state: PageState | undefined,
): boolean {
  if (blocks.length === 0 && !reports.some(({ verdict }) => verdict === "consent_wall")) return false;
  if (state === "empty_shell") return true;
  const isNothing = state === "not_found" || state === "host_error";
  return isNothing && new URL(finalUrl).pathname !== new URL(work.request.url).pathname;
}

/** What one caller's page says of a host does not hold for others, and some pages leave nothing behind. */
function mayLearn({ isPersonal, options }: ReachRequest): boolean {
  return !isPersonal && !options.zeroDataRetention;
}

/** A caller's own cookies are not mixed with those that were won. */
async function recall(memory: AttemptMemory, { teamId, url, options }: ReachRequest): Promise<Recalled | null> {
  const recalled = await memory.recall(teamId, url);
  return recalled && bringsIdentity(url, options) ? { ...recalled, cookies: [] } : recalled;
}

function hasMetChallenge<Made>({ blocks }: Progress<Made>): boolean {
  return blocks.some(({ kind }) => kind === "challenge");
}

function chosen(engine: string, reason: string): TraceStep {
  return { step: "choose", engine, ms: 0, outcome: engine, detail: { reason } };
}

function reached<Made>(
  { work, fallbackNote, blocks }: Progress<Made>,
  fetched: FetchedPage,
  { state, lacksText: isUnfilled, made }: AttemptReading<Made>,
): ReachedPage<Made> {
  const { url, options } = work.request;
  const warnings = [
    ...fetched.warnings,
    ...(isUnfilled && fallbackNote !== null ? [`Scripts fill in this page, and ${fallbackNote}`] : []),
    ...(state === "login_required" ? [signInHint(url, options)] : []),
  ];
  return { ok: true, page: fetched.page, made, warnings, isUnfilled, wasBlocked: blocks.length > 0 };
}
