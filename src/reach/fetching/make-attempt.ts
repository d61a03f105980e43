// One attempt: a URL fetched over plain HTTP or rendered by the browser. What came back decides about the next attempt, and that
// is not known here.

import type { Clock, ErrorCode, StepFacts, Trace } from "../../base/index.ts";
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
  type StorageState,
  whyRender,
} from "../../engines/index.ts";
import type { Attempt } from "../strategy/attempts.ts";
import { type ClearanceCookie, cookieHeader } from "../strategy/clearance-cookies.ts";
import type { BrowserProfiles } from "./browser-profiles.ts";

/** What a browser does for the outputs before the page is closed. */
export type BrowserTasks = Required<Pick<RenderRequest, "screenshots" | "scripts">>;

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
}

export interface PageFetchFailure {
  ok: false;
  code: ErrorCode;
  message?: string | undefined;
  /** The host refuses this client's TLS or HTTP: another engine may be welcome. */
  isRefusal?: boolean | undefined;
  /** The browser step that failed. */
  action?: ActionFailure;
}

export interface PageFetcherDeps {
  clock: Clock;
  engine: HttpEngine;
  browser: BrowserEngine;
  profiles: Pick<BrowserProfiles, "open">;
}

/** The engines that can bring a page, the cheaper one first, and why that one comes first. */
export interface EnginePlan {
  choice: EngineChoice;
  engines: readonly EngineName[];
}

export interface PageFetcher {
  plan(options: ScrapeOptions, needs: OutputNeeds): EnginePlan;
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

export function createPageFetcher({ clock, engine, browser, profiles }: PageFetcherDeps): PageFetcher {
  async function overHttp(request: PageFetchRequest, trace: Trace): Promise<FetchedPage | PageFetchFailure> {
    const { url, attempt, keepWith, signal, patientUntil, mayFollow, conditions, reason } = request;
    const headers = withCookies(request, clock.now());
    const options = headers === request.options.headers ? request.options : { ...request.options, headers };
    const asked = { url, options, tier: attempt.tier, keepWith, signal, patientUntil, mayFollow, conditions };
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
    const { teamId, url, options, attempt, keepWith, signal, endsAt, patientUntil, mayFollow, reason } = request;
    const profile = await profiles.open(teamId, options);
    if (profile && "code" in profile) return { ok: false, ...profile };
    const way = { tier: attempt.tier, keepWith };
    const asked = { url, options, ...way, ...request.tasks(), signal, endsAt, patientUntil, teamId, mayFollow };
    let outcome: RenderOutcome | null = null;
    let problem: string | null = null;
    try {
      const storage = profile
        ? { storageState: profile.state, wantsStorageState: profile.saves }
        : { storageState: stateOf(request.cookies), wantsStorageState: request.wantsCookies };
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
    return { ok: true, page: outcome.page, warnings: problem === null ? [] : [problem] };
  }

  return {
    plan(options, needs) {
      const choice = chooseEngine(options, needs, () => browser.status().available);
      const isFixed = choice.engine === "browser" || options.fastMode || needs.isRaw;
      return { choice, engines: isFixed ? [choice.engine] : ["http", "browser"] };
    },

    whyNoBrowser() {
      const { available, reason = "" } = browser.status();
      return available ? null : reason;
    },

    askIfChanged: engine,

    fetchAttempt: (request, trace) =>
      request.attempt.engine === "browser" ? render(request, trace) : overHttp(request, trace),
  };
}

function stateOf(cookies: readonly ClearanceCookie[]): StorageState | undefined {
  return cookies.length === 0 ? undefined : { cookies: [...cookies], origins: [] };
}

/** A caller's own cookies are the caller's business. */
function withCookies(
  { url, options: { headers }, cookies }: PageFetchRequest,
  now: number,
): Readonly<Record<string, string>> {
  const isOwn = Object.keys(headers).some((name) => name.toLowerCase() === "cookie");
  const cookie = isOwn ? null : cookieHeader(cookies, url, now);
  return cookie === null ? headers : { ...headers, cookie };
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

function failedAction({ action }: RenderFailure): object {
  if (!action) return {};
  const { screenshot: _, ...detail } = action;
  return detail;
}
