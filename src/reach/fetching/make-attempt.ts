// One attempt: a URL fetched over plain HTTP, rendered by the browser, or brought by the solver. What came back decides about the next attempt, and that
// is not known here.

import { type Clock, type ErrorCode, hrefHost, type StepFacts, type Trace } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import {
  type ActionFailure,
  type BrowserEngine,
  chooseEngine,
  type EngineChoice,
  type EngineName,
  type HttpEngine,
  type Outcome,
  type OutputNeeds,
  type Page,
  type RenderedPage,
  type RenderFailure,
  type RenderOutcome,
  type RenderRequest,
  whyRender,
} from "../../engines/index.ts";
import type { ArchiveUse } from "../../net/index.ts";
import type { SolveOutcome, Solver } from "../solver/solver.ts";
import { type Attempt, suitsSolver } from "../strategy/attempts.ts";
import {
  asStorageState,
  type ClearanceCookie,
  cookieHeader,
  cookiesOfHost,
  userAgentOf,
} from "../strategy/clearance-cookies.ts";
import type { BrowserProfiles } from "./browser-profiles.ts";

/** What a browser does for the outputs before the page is closed. */
export type BrowserTasks = Required<Pick<RenderRequest, "screenshots" | "scripts">> &
  Pick<RenderRequest, "network" | "flow">;

/** A page that is wanted from its site, however often it is asked for. */
export interface WantedPage {
  teamId: string;
  url: string;
  options: ScrapeOptions;
  /** What the outputs need of the engine. */
  needs: OutputNeeds;
  /** Asked for when a browser is about to be used. */
  tasks(): BrowserTasks;
  /** Pages that should keep to one proxy per host, such as those of a job, share this. */
  keepWith?: string | undefined;
  /** Whether a redirect may be followed to a URL; any may unless given. */
  mayFollow?: ((url: string) => Promise<boolean>) | undefined;
  /** Given: the page may answer that it has not changed. Only plain HTTP sends them. */
  conditions?: PageConditions | undefined;
  /** What its exchanges are kept in. */
  archive?: ArchiveUse | undefined;
}

export interface PageFetchRequest extends WantedPage {
  attempt: Attempt;
  /** In a few words, for the trace: why this attempt. */
  reason: string;
  /** Set when the host's block was passed before. */
  cookies: readonly ClearanceCookie[];
  /** Whether the cookies that a browser has in the end are wanted. */
  wantsCookies: boolean;
  signal: AbortSignal;
  /** When the signal will end it, by performance.now(). */
  endsAt: number;
  /** Until when a host that asks for a pause is waited for; jobs come back later instead. */
  patientUntil?: number | undefined;
  /** What `askIfChanged` brought: the page is not asked for again. */
  outcome?: Outcome | null;
}

/** How a page is asked whether it has changed. */
export type ChangeRequest = Pick<PageFetchRequest, "url" | "options" | "keepWith" | "signal" | "mayFollow"> & {
  tier: Attempt["tier"];
  conditions: PageConditions;
};

/** Headers that ask for a page only if it has changed. Without any the page is fetched in full. */
export type PageConditions = Readonly<Record<string, string>>;

export interface FetchedPage {
  ok: true;
  page: Page | RenderedPage;
  warnings: string[];
  /** What the host has set, where a browser has visited it. */
  cookies?: ClearanceCookie[];
}

export interface PageFetchFailure {
  ok: false;
  code: ErrorCode;
  message?: string | undefined;
  /** The host refuses this client's TLS or HTTP: another engine may be welcome. */
  isRefusal?: boolean | undefined;
  /** The browser step that failed. */
  action?: ActionFailure;
  /** More for the caller to know. */
  details?: unknown;
}

export interface PageFetcherDeps {
  clock: Clock;
  engine: HttpEngine;
  browser: BrowserEngine;
  profiles: Pick<BrowserProfiles, "open">;
  /** Null where none is configured. */
  solver: Solver | null;
}

/** The engines that can bring a page, the cheaper one first, and why that one comes first. */
export interface EnginePlan {
  choice: EngineChoice;
  engines: readonly EngineName[];
  /** Whether the solver may be asked when they meet a challenge. */
  mayAskSolver: boolean;
}

export interface PageFetcher {
  plan(wanted: Pick<WantedPage, "url" | "options" | "needs">): EnginePlan;
  hasSolver: boolean;
  /** Null when there is a browser, else why not. */
  whyNoBrowser(): string | null;
  /** Straight over HTTP, with nothing made ready to read the page: mostly it says that it has not changed. */
  askIfChanged(request: ChangeRequest): Promise<Outcome>;
  fetchAttempt(request: PageFetchRequest, trace: Trace): Promise<FetchedPage | PageFetchFailure>;
}

/** robots.txt is the usual reason for a declined redirect; a caller that knows a better one replaces it. */
function refused({ code, message, isRefusal }: Extract<Outcome, { ok: false }>): PageFetchFailure {
  if (code !== "REDIRECT_DECLINED") return { ok: false, code, message, isRefusal };
  return {
    ok: false,
    code: "ROBOTS_BLOCKED",
    message: "The page redirects to a URL that the site's robots.txt forbids",
  };
}

export function createPageFetcher({ clock, engine, browser, profiles, solver }: PageFetcherDeps): PageFetcher {
  async function overHttp(request: PageFetchRequest, trace: Trace): Promise<FetchedPage | PageFetchFailure> {
    const { url, attempt, keepWith, signal, patientUntil, mayFollow, conditions, reason, archive } = request;
    const options = withHeaders(request.options, cookieHeaders(request, clock.now()));
    const asked = { url, options, tier: attempt.tier, keepWith, signal, patientUntil, mayFollow, conditions, archive };
    const describe = (outcome: Outcome) => describeFetch(outcome, reason);
    const outcome = request.outcome ?? (await trace.run("fetch", () => engine(asked), describe));
    if (!outcome.ok) return refused(outcome);
    const { page } = outcome;
    if (page.status === 304) return { ok: true, page, warnings: [] };
    const { isRaw } = request.needs;
    const unfilled = isRaw ? null : whyRender(page);
    const warnings = unfilled === null && !isRaw ? mobileNote(options) : [];
    return { ok: true, page: Object.assign({}, page, { unfilled }), warnings };
  }

  async function render(request: PageFetchRequest, trace: Trace): Promise<FetchedPage | PageFetchFailure> {
    const { teamId, url, attempt, keepWith, signal, endsAt, patientUntil, mayFollow, reason, cookies, archive } =
      request;
    const profile = await profiles.open(teamId, request.options);
    if (profile && "code" in profile) return { ok: false, ...profile };
    const userAgent = profile ? null : agentFor(request);
    const options = withHeaders(request.options, userAgent === null ? {} : { "user-agent": userAgent });
    const way = { tier: attempt.tier, keepWith };
    const asked = {
      url,
      options,
      ...way,
      ...request.tasks(),
      signal,
      endsAt,
      patientUntil,
      teamId,
      mayFollow,
      archive,
    };
    let outcome: RenderOutcome | null = null;
    let problem: string | null = null;
    try {
      const storage = profile
        ? { storageState: profile.state, wantsStorageState: profile.saves }
        : { storageState: asStorageState(cookies), wantsStorageState: request.wantsCookies };
      outcome = await trace.run(
        "render",
        () => browser.render({ ...asked, ...storage }),
        (rendered) => describeRender(rendered, reason),
        { engine: "browser", detail: { reason } },
      );
    } finally {
      const state = outcome?.ok ? outcome.page.storageState : undefined;
      problem = (await profile?.close(state)) ?? null;
    }
    if (!outcome.ok) return outcome;
    const { page } = outcome;
    const won = cookiesOfHost(page.storageState?.cookies, page.finalUrl, clock.now());
    const warnings = problem === null ? [] : [problem];
    return {
      ok: true,
      page,
      warnings,
      cookies: userAgent === null ? won : won.map((each) => ({ ...each, userAgent })),
    };
  }

  /** Where only a browser of ours can do what is asked for, it gets what the solver has won. */
  async function solve(request: PageFetchRequest, trace: Trace): Promise<FetchedPage | PageFetchFailure> {
    const { teamId, url, options, needs, reason, mayFollow, signal, wantsCookies: keepsSession } = request;
    if (solver === null) return { ok: false, code: "SCRAPE_SITE_ERROR", message: "No solver is configured" };
    const isRendered = chooseEngine(options, needs, () => false).engine === "browser";
    const share = isRendered ? solverShare : 1;
    const endsAt = performance.now() + (request.endsAt - performance.now()) * share;
    const key = `${teamId} ${hrefHost(url)}`;
    const outcome = await trace.run(
      "solve",
      () => solver.solve({ url, key, keepsSession, signal, endsAt, mayFollow }),
      (solved) => describeSolved(solved, reason),
      { engine: "solver", detail: { reason } },
    );
    if (!outcome.ok) return outcome;
    const cookies = cookiesOfHost(outcome.cookies, outcome.page.finalUrl, clock.now());
    if (isRendered) return render({ ...request, cookies, reason: "with the cookies of the solver" }, trace);
    return { ok: true, page: outcome.page, warnings: [], cookies };
  }

  const ways = { http: overHttp, browser: render, solver: solve };

  return {
    hasSolver: solver !== null,

    plan({ url, options, needs }) {
      const choice = chooseEngine(options, needs, () => browser.status().available);
      const isFixed = choice.engine === "browser" || options.fastMode || needs.isRaw;
      const mayAskSolver = solver !== null && suitsSolver(url, options, needs);
      return { choice, engines: isFixed ? [choice.engine] : ["http", "browser"], mayAskSolver };
    },

    whyNoBrowser() {
      const { available, reason = "" } = browser.status();
      return available ? null : reason;
    },

    askIfChanged: engine,

    fetchAttempt: (request, trace) => ways[request.attempt.engine](request, trace),
  };
}

/** Of the time that is left, when the browser follows. */
const solverShare = 0.6;

function withHeaders(options: ScrapeOptions, headers: Readonly<Record<string, string>>): ScrapeOptions {
  return Object.keys(headers).length === 0 ? options : { ...options, headers: { ...options.headers, ...headers } };
}

/** A caller's own cookies are the caller's business. */
function cookieHeaders(request: PageFetchRequest, now: number): Readonly<Record<string, string>> {
  if (hasHeader(request, "cookie")) return {};
  const cookie = cookieHeader(request.cookies, request.url, now);
  if (cookie === null) return {};
  const userAgent = agentFor(request);
  return userAgent === null ? { cookie } : { cookie, "user-agent": userAgent };
}

/** A phone is not what has won the cookies. */
function agentFor(request: PageFetchRequest): string | null {
  return request.options.mobile || hasHeader(request, "user-agent") ? null : userAgentOf(request.cookies);
}

function hasHeader({ options }: PageFetchRequest, wanted: string): boolean {
  return Object.keys(options.headers).some((name) => name.toLowerCase() === wanted);
}

/** A browser would have emulated a phone. */
function mobileNote({ mobile, fastMode }: ScrapeOptions): string[] {
  return mobile && !fastMode ? ["This server has no browser: mobile only changed the user agent."] : [];
}

function describeFetch(outcome: Outcome, reason: string): StepFacts {
  if (!outcome.ok) return { engine: "http", outcome: outcome.code, detail: { reason } };
  const { page } = outcome;
  const { status } = page;
  return {
    engine: page.engine,
    url: page.finalUrl,
    outcome: String(status),
    detail: { proxy: page.proxy, status, reason, bytes: page.body.length, redirects: page.redirects.length },
  };
}

function describeRender(outcome: RenderOutcome, reason: string): StepFacts {
  if (outcome.ok) return describeFetch(outcome, reason);
  return { engine: "browser", outcome: outcome.code, detail: { reason, ...failedAction(outcome) } };
}

function describeSolved(outcome: SolveOutcome, reason: string): StepFacts {
  if (outcome.ok) return describeFetch(outcome, reason);
  const { code, message } = outcome;
  return { engine: "solver", outcome: code, detail: { reason, error: message } };
}

function failedAction({ action }: RenderFailure): object {
  if (!action) return {};
  const { screenshot: _, ...detail } = action;
  return detail;
}
