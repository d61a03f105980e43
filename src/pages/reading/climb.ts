// The ladder: a page is asked for on one rung after the other until it is the page, and not a wall in its place. A rung is
// climbed only for a reason, and what worked is remembered for the next pages of the host.

import {
  type Clock,
  createDeadline,
  createSemaphore,
  isTimeout,
  type PageState,
  type Release,
  sentence,
  type TraceStep,
} from "../../base/index.ts";
import type { Document, ScrapeOptions } from "../../contract/index.ts";
import type { EngineName, Outcome, Page, RenderedPage } from "../../engines/index.ts";
import type { PageVerdict } from "../../safety/index.ts";
import { isPersonal } from "../cache/copy-use.ts";
import { isWall } from "../document/page-state.ts";
import type { FetchedPage, PageFetcher, PageFetchFailure } from "../fetching/fetch-page.ts";
import { outputsFromPage } from "../formats/formats.ts";
import type { HostLedger } from "../hosts/host-ledger.ts";
import { blockedFailure, type RungReport, signInHint, type Wall } from "../ladder/blocked.ts";
import type { Recalled, RungMemory } from "../ladder/rung-memory.ts";
import { type LadderRung, placeOnLadder, rungsOf, startingWith, tiersOf } from "../ladder/rungs.ts";
import { cookiesOfHost } from "../ladder/won-cookies.ts";
import { actionOutputs, createMediaTray, type MediaTray } from "../media/media.ts";
import { describeFailure } from "./fetch-failure.ts";
import type { NotModified, PageFailure, ReadRequest } from "./page-reading.ts";
import type { ByteReader, DocumentRead, ReadingWork } from "./read-bytes.ts";

export interface ClimberDeps {
  fetcher: PageFetcher;
  readBytes: ByteReader;
  memory: RungMemory;
  hosts: HostLedger;
  clock: Clock;
  proxies: { has(tier: LadderRung["tier"]): boolean };
}

/** What a request has of time. */
export type ClimbWork = Omit<ReadingWork, "tray">;

export interface ClimbedPage {
  ok: true;
  page: Page | RenderedPage;
  read: DocumentRead;
  tray: MediaTray;
  warnings: string[];
  /** Scripts would have filled it in, and none ran: good enough to answer with, not to keep. */
  isUnfilled: boolean;
  /** The host has a wall, which was passed. */
  isWalled: boolean;
}

/** What a climb comes to. */
type Climbed = ClimbedPage | PageFailure | NotModified;

export type Climber = (work: ClimbWork) => Promise<Climbed>;

/** Of a page of a job: a host that blocks is not asked again and again. */
const maxAsksOfJob = 3;
/** Of jobs: a host that begins to block is not asked for all its pages in work once more at the same time. */
const climbingPagesPerHost = 2;
/** With less time than this no further rung is begun. */
const leastRungMs = 300;
/** Of the time that is left, when more rungs follow a browser's. */
const rungShare = 0.6;
/** Failures that no other rung can change. */
const finalCodes = new Set([
  "ABORTED",
  "ROBOTS_BLOCKED",
  "URL_NOT_ALLOWED",
  "SCRAPE_ACTION_ERROR",
  "PROFILE_BUSY",
  "PROFILE_LIMIT",
  "QUEUE_FULL",
]);

/** Answers that are no walls, and do not show that one was passed. */
const stillClosed = new Set<PageState | undefined>(["consent_wall", "empty_shell", "rate_limited", "host_error"]);

/** How far a page has come. */
interface Climb {
  work: ClimbWork;
  rungs: readonly LadderRung[];
  /** The same in the order in which they are tried. */
  order: readonly LadderRung[];
  /** The first to be tried is not the cheapest: a failure of any kind says nothing of the others. */
  isShortcut: boolean;
  recalled: Recalled | null;
  reports: RungReport[];
  walls: Wall[];
  /** A rung met a wall, a consent wall or a refusal: what gets past it is worth remembering. */
  isWalled: boolean;
  /** The first rung that brought nothing at all, and the last. */
  failures: PageFetchFailure[];
  /** A page that will do if nothing better comes. */
  spare: FetchedPage | null;
  /** Why nothing better came. */
  spareNote: string | null;
  /** What the page brought when it was asked whether it has changed; null where it was not. */
  changed: Outcome | null;
}

/** A rung ends the climb, or is the reason for the next one. */
type Step = { end: Climbed } | { reason: string };

export function createClimber(deps: ClimberDeps): Climber {
  const { fetcher, readBytes, memory, hosts, clock, proxies } = deps;
  const hasEnhanced = proxies.has("enhanced");
  const turns = createSemaphore({ placesPerKey: climbingPagesPerHost });

  function fetchOn(climb: Climb, rung: LadderRung, isLast: boolean, reason: string) {
    const { request, signal, endsAt, trace } = climb.work;
    const { teamId, url, options, keepWith, isJob, mayFollow, conditions } = request;
    const cookies = climb.recalled?.cookies ?? [];
    const wantsCookies = climb.isWalled && mayLearn(request);
    const patientUntil = isJob ? undefined : endsAt;
    const way = { rung, reason, keepWith, cookies, wantsCookies, patientUntil };
    const asked = { teamId, url, options, ...way, mayFollow, conditions, outcome: climb.changed };
    climb.changed = null;
    if (isLast || !climb.isWalled) return fetcher.fetchRung({ signal, endsAt, ...asked }, trace);
    // The rungs above need time, too.
    const ms = (endsAt - performance.now()) * rungShare;
    const share = createDeadline(signal, ms);
    const until = performance.now() + ms;
    return fetcher.fetchRung({ signal: share.signal, endsAt: until, ...asked }, trace).finally(share.clear);
  }

  /** A consent wall, or a shell that scripts would fill in, will do only where nothing better can come. */
  async function readOn({ work }: Climb, { page }: FetchedPage, wantsBetter: boolean) {
    const { options } = work.request;
    const tray = createMediaTray(options);
    const read = await readBytes(page, fromPage(page, options, tray), { tray, wantsBetter, ...work });
    return { read, tray };
  }

  function note({ work, reports }: Climb, { engine, proxy, status }: Page, verdict: PageState): void {
    const { request, trace } = work;
    reports.push({ engine, proxy, status, verdict });
    const step = trace.steps.findLast((each) => each.step === "fetch" || each.step === "render");
    if (step) step.detail = Object.assign({}, step.detail, { verdict });
    const { teamId, url, options } = request;
    if (!options.zeroDataRetention) hosts.noteAnswer(teamId, url, { status, verdict });
  }

  async function remember(
    { work, recalled, rungs, isWalled }: Climb,
    rung: LadderRung,
    page: Page | RenderedPage,
    ms: number,
  ) {
    const { request } = work;
    const isCheaper = recalled !== null && rungs.indexOf(rung) < placeOnLadder(rungs, recalled.rung);
    if (!mayLearn(request) || !(isWalled || isCheaper)) return;
    const won = cookiesOfHost("storageState" in page ? page.storageState : undefined, page.finalUrl, clock.now());
    const cookies = won.length > 0 ? won : (recalled?.cookies ?? []);
    await memory.learn(request.teamId, request.url, { rung, ms: Math.round(ms), cookies });
  }

  async function tryRung(climb: Climb, place: number, reason: string): Promise<Step> {
    const { order, work } = climb;
    const rung = order[place] as LadderRung;
    const since = performance.now();
    const fetched = await fetchOn(climb, rung, place + 1 === order.length, reason);
    if (!fetched.ok) return failOn(climb, fetched);
    const { page } = fetched;
    if (page.status === 304 && work.request.conditions !== undefined) return { end: notModified(page) };
    const mayRender = rung.engine === "http" && order[place + 1]?.engine === "browser";
    const { read, tray } = await readOn(climb, fetched, mayRender);
    const state = read.ok ? read.document.metadata.pageState : read.verdict?.state;
    if (state) note(climb, page, state);
    if (!read.ok && read.verdict) {
      climb.isWalled ||= read.verdict.state !== "empty_shell";
      return { reason: meetWall(climb, fetched, read.verdict) };
    }
    if (!read.ok) return { end: climb.walls.length > 0 && isTimeout(work.signal) ? await giveUp(climb) : read };
    if (isBehindNoWall(climb, page, read.document.metadata.pageState)) return { reason: `${state} behind the wall` };
    if (!stillClosed.has(state)) await remember(climb, rung, page, performance.now() - since);
    return { end: climbed(climb, fetched, read, tray) };
  }

  /** The reason for the next rung. */
  function meetWall(climb: Climb, fetched: FetchedPage, { state, vendor = unknownVendor }: PageVerdict): string {
    if (isWall(state)) {
      climb.walls.push({ kind: state, vendor });
      return `${state} (${vendor})`;
    }
    Object.assign(climb, { spare: fetched, spareNote: null });
    return state === "empty_shell" ? (fetched.page.unfilled ?? state) : state;
  }

  async function failOn(climb: Climb, failure: PageFetchFailure): Promise<Step> {
    climb.failures.push(failure);
    climb.spareNote = `could not be rendered: ${sentence(failure.message ?? failure.code)}`;
    if (finalCodes.has(failure.code)) return { end: describeFailure(failure, climb.work) };
    const isFirst = climb.failures.length === 1 && climb.reports.length === 0;
    const isWorthMore = climb.walls.length > 0 || failure.isRefusal === true || (climb.isShortcut && isFirst);
    if (!isWorthMore) return { end: await giveUp(climb) };
    climb.isWalled = true;
    return { reason: `${failure.code} on the rung before` };
  }

  /** What is left when no rung brought the page. */
  async function giveUp(climb: Climb): Promise<ClimbedPage | PageFailure> {
    const { work, walls, failures, spare, reports, recalled } = climb;
    const { request, signal } = work;
    const { teamId, url, options } = request;
    const isGone = signal.aborted && !isTimeout(signal);
    if (walls.length > 0 && !isGone) {
      if (recalled !== null && mayLearn(request)) await memory.forget(teamId, url);
      const wantsBrowser = fetcher.plan(options).engines.includes("browser");
      const whyNoBrowser = wantsBrowser ? fetcher.whyNoBrowser() : null;
      const [failure] = failures.slice(-1);
      const lastFailure = failure ? sentence(failure.message ?? failure.code) : null;
      return blockedFailure({ url, options, walls, rungs: reports, whyNoBrowser, hasEnhanced, lastFailure });
    }
    if (spare !== null && !signal.aborted) {
      const { read, tray } = await readOn(climb, spare, false);
      return read.ok ? climbed(climb, spare, read, tray) : read;
    }
    const failure = spare === null ? failures[0] : failures.at(-1);
    return { ...describeFailure(failure ?? { ok: false, code: "ABORTED" }, work), asks: failures.length };
  }

  /** Pages of jobs wait for their turn before they ask a host again. */
  async function ascend(climb: Climb, firstReason: string): Promise<Climbed> {
    const { work, order } = climb;
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
          climb.spareNote = `none ran: ${whyNot}`;
          continue;
        }
        if (asks === 1 && isJob) leave = await turns.acquire(signal, new URL(url).host).catch(() => null);
        const isOver = signal.aborted || endsAt - performance.now() < leastRungMs || (isJob && asks === maxAsksOfJob);
        if (asks > 0 && isOver) break;
        asks += 1;
        const step = await tryRung(climb, place, reason);
        if ("end" in step) return step.end;
        reason = step.reason;
      }
      return await giveUp(climb);
    } finally {
      leave?.();
    }
  }

  /** Whether a page is asked, before all else, if it has changed: not where each step is to be told. */
  function isAskedFirst({ conditions, options }: ReadRequest, [engine]: readonly EngineName[]): boolean {
    return engine === "http" && !options.trace && conditions !== undefined && Object.keys(conditions).length > 0;
  }

  function askIfChanged({ request, signal }: ClimbWork): Promise<Outcome> {
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
    // Where the ladder is not begun at its foot, there is no rung that cannot be tried.
    const whyNot = recalled !== null && engines.length > 1 ? fetcher.whyNoBrowser() : null;
    const usable = whyNot === null ? engines : engines.filter((engine) => engine !== "browser");
    const rungs = rungsOf({ proxy: options.proxy, engines: usable, hasEnhanced });
    const order = startingWith(rungs, recalled?.rung ?? null, recalled?.triesCheaper);
    const isShortcut = order[0] !== rungs[0];
    const spareNote = whyNot === null ? null : `none ran: ${whyNot}`;
    const nothing = { reports: [], walls: [], isWalled: false, failures: [], spare: null };
    const climb: Climb = { work, rungs, order, isShortcut, recalled, ...nothing, spareNote, changed };
    return ascend(climb, isShortcut ? "got past the wall of this host before" : choice.reason);
  };
}

function notModified({ finalUrl: url, wireBytes: receivedBytes = 0 }: Page): NotModified {
  return { ok: false, code: "NOT_MODIFIED", url, receivedBytes };
}

const unknownVendor = "unknown";

/**
 * A wall was met before, and what came now is not what it hides: a test or a choice that led elsewhere and to nothing there, or a
 * frame of which nothing is left.
 */
function isBehindNoWall({ walls, reports, work }: Climb, { finalUrl }: Page, state: PageState | undefined): boolean {
  if (walls.length === 0 && !reports.some(({ verdict }) => verdict === "consent_wall")) return false;
  if (state === "empty_shell") return true;
  const isNothing = state === "not_found" || state === "host_error";
  return isNothing && new URL(finalUrl).pathname !== new URL(work.request.url).pathname;
}

/** What one caller's page says of a host does not hold for others, and some pages leave nothing behind. */
function mayLearn({ url, options }: ReadRequest): boolean {
  return !isPersonal(url, options) && !options.zeroDataRetention;
}

/** A caller's own cookies are not mixed with those that were won. */
async function recall(memory: RungMemory, { teamId, url, options }: ReadRequest): Promise<Recalled | null> {
  const recalled = await memory.recall(teamId, url);
  return recalled && isPersonal(url, options) ? { ...recalled, cookies: [] } : recalled;
}

function chosen(engine: string, reason: string): TraceStep {
  return { step: "choose", engine, ms: 0, outcome: engine, detail: { reason } };
}

function climbed(climb: Climb, fetched: FetchedPage, read: DocumentRead, tray: MediaTray): ClimbedPage {
  const { work, spareNote, walls } = climb;
  const { url, options } = work.request;
  const { page } = fetched;
  const isUnfilled = read.lacksText;
  const isClosed = read.document.metadata.pageState === "login_required";
  const warnings = [
    ...fetched.warnings,
    ...(isUnfilled && spareNote !== null ? [`Scripts fill in this page, and ${spareNote}`] : []),
    ...(isClosed ? [signInHint(url, options)] : []),
  ];
  return { ok: true, page, read, tray, warnings, isUnfilled, isWalled: walls.length > 0 };
}

/** Outputs of the page itself, and what its actions brought. */
function fromPage(page: Page | RenderedPage, options: ScrapeOptions, tray: MediaTray): Partial<Document> {
  const outputs = outputsFromPage(options.formats, page, tray);
  if ("actions" in page && options.actions.length > 0) outputs.actions = actionOutputs(page.actions, tray);
  return outputs;
}
