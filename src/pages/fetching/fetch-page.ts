// From a URL to a page, by the engine that fits: plain HTTP first, the browser where it was asked for or where scripts
// fill the page.

import type { StepFacts, Trace } from "../../base/index.ts";
import { type ErrorCode, sentence } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import {
  type ActionFailure,
  type BrowserEngine,
  chooseEngine,
  type EngineChoice,
  type HttpEngine,
  type Outcome,
  type Page,
  type RenderedPage,
  type RenderFailure,
  type RenderOutcome,
  whyRender,
} from "../../engines/index.ts";
import { outputNeeds } from "../formats/formats.ts";
import type { BrowserProfiles } from "./browser-profiles.ts";

export interface PageFetchRequest {
  teamId: string;
  url: string;
  options: ScrapeOptions;
  /** Pages that should keep to one proxy per host share this. */
  keepWith?: string | undefined;
  signal: AbortSignal;
  /** When the signal will end it, by performance.now(). */
  endsAt: number;
  /** Whether a redirect may be followed to a URL; any may unless given. */
  mayFollow?: ((url: string) => Promise<boolean>) | undefined;
}

export interface FetchedPage {
  ok: true;
  page: Page | RenderedPage;
  warnings: string[];
  /** Scripts would have filled it in, and none ran: good enough to answer with, not to keep. */
  isUnfilled: boolean;
}

export interface PageFetchFailure {
  ok: false;
  code: ErrorCode;
  message?: string | undefined;
  /** The browser step that failed. */
  action?: ActionFailure;
}

export interface PageFetcherDeps {
  engine: HttpEngine;
  browser: BrowserEngine;
  profiles: Pick<BrowserProfiles, "open">;
}

export type PageFetcher = (request: PageFetchRequest, trace: Trace) => Promise<FetchedPage | PageFetchFailure>;

/** robots.txt is the usual reason for a declined redirect; a caller that knows a better one replaces it. */
function refused({ code, message }: Extract<Outcome, { ok: false }>): PageFetchFailure {
  if (code !== "REDIRECT_DECLINED") return { ok: false, code, message };
  return {
    ok: false,
    code: "ROBOTS_BLOCKED",
    message: "The page redirects to a URL that the site's robots.txt forbids",
  };
}

export function createPageFetcher({ engine, browser, profiles }: PageFetcherDeps): PageFetcher {
  async function overHttp(request: PageFetchRequest, trace: Trace): Promise<FetchedPage | PageFetchFailure> {
    const { url, options, keepWith, signal, mayFollow } = request;
    const outcome = await trace.run(
      "fetch",
      () => engine({ url, options, keepWith, signal, mayFollow }),
      describeFetch,
    );
    if (!outcome.ok) return refused(outcome);
    const { page } = outcome;
    const reason = outputNeeds(options.formats).isRaw ? null : whyRender(page);
    if (reason === null) return { ok: true, page, warnings: mobileNote(options), isUnfilled: false };
    if (options.fastMode) return { ok: true, page, warnings: [], isUnfilled: true };
    const { available, reason: whyNot = "" } = browser.status();
    note(trace, { engine: available ? "browser" : "http", reason });
    if (!available) return unfilled(page, `Scripts fill in this page, and none ran: ${whyNot}`);
    const rendered = await render(request, trace);
    if (rendered.ok || signal.aborted) return rendered;
    const why = sentence(rendered.message ?? rendered.code);
    return unfilled(page, `Scripts fill in this page, and it could not be rendered: ${why}`);
  }

  async function render(request: PageFetchRequest, trace: Trace): Promise<FetchedPage | PageFetchFailure> {
    const { teamId, url, options, keepWith, signal, endsAt, mayFollow } = request;
    const profile = await profiles.open(teamId, options);
    if (profile && "code" in profile) return { ok: false, ...profile };
    const screenshots = options.formats.filter((format) => format.type === "screenshot");
    let outcome: RenderOutcome | null = null;
    let problem: string | null = null;
    try {
      const storage = profile ? { storageState: profile.state, wantsStorageState: profile.saves } : {};
      outcome = await trace.run(
        "render",
        () => browser.render({ url, options, keepWith, screenshots, ...storage, signal, endsAt, teamId, mayFollow }),
        describeRender,
      );
    } finally {
      const state = outcome?.ok ? outcome.page.storageState : undefined;
      problem = (await profile?.close(state)) ?? null;
    }
    if (!outcome.ok) return outcome;
    return { ok: true, page: outcome.page, warnings: problem === null ? [] : [problem], isUnfilled: false };
  }

  return (request, trace) => {
    const choice = chooseEngine(
      request.options,
      outputNeeds(request.options.formats),
      () => browser.status().available,
    );
    note(trace, choice);
    return choice.engine === "browser" ? render(request, trace) : overHttp(request, trace);
  };
}

/** A browser would have emulated a phone. */
function mobileNote({ mobile, fastMode, formats }: ScrapeOptions): string[] {
  const isLacking = mobile && !fastMode && !outputNeeds(formats).isRaw;
  return isLacking ? ["This server has no browser: mobile only changed the user agent."] : [];
}

function unfilled(page: Page, warning: string): FetchedPage {
  return { ok: true, page, warnings: [warning], isUnfilled: true };
}

function note(trace: Trace, { engine, reason }: EngineChoice): void {
  trace.steps.push({ step: "choose", engine, ms: 0, outcome: engine, detail: { reason } });
}

function describeFetch(outcome: Outcome): StepFacts {
  if (!outcome.ok) return { engine: "http", outcome: outcome.code };
  const { page } = outcome;
  return {
    engine: page.engine,
    url: page.finalUrl,
    outcome: String(page.status),
    detail: { bytes: page.body.length, redirects: page.redirects.length },
  };
}

function describeRender(outcome: RenderOutcome): StepFacts {
  return outcome.ok ? describeFetch(outcome) : { engine: "browser", outcome: outcome.code, ...failedAction(outcome) };
}

function failedAction({ action }: RenderFailure): { detail?: object } {
  if (!action) return {};
  const { screenshot: _, ...detail } = action;
  return { detail };
}
