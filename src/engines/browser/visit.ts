// One visit: a fresh context, the page, its actions, its pictures, its tree.
import type { BrowserContext, Page, Response } from "playwright-core";
import { bareUrl } from "../../base/index.ts";
import { hiddenMark } from "../../html/index.ts";
import {
  type BrowserChannel,
  type Fetch,
  isConnectionHeader,
  type ResponseHeaders,
  stoppedBy,
} from "../../net/index.ts";
import { wayOf } from "../visitor/proxy-way.ts";
import type { Identity } from "../visitor/user-agents.ts";
import { useArchive } from "./archived-requests.ts";
import type { AdBlocker } from "./block-ads.ts";
import type { Chromium, ContextProxy } from "./chromium-process.ts";
import { answerConsent } from "./consent.ts";
import { contextOptions } from "./context-options.ts";
import { type InterceptOptions, intercept } from "./intercept.ts";
import { sessionOf } from "./isolated-world.ts";
import { keepNotes } from "./page-scripts.ts";
import { notesKey, openReader, readHtml } from "./read-html.ts";
import { isUnseen, type RenderedPage, type RenderOutcome, type RenderRequest } from "./render.ts";
import { runScripts } from "./run-scripts.ts";
import { takeScreenshots } from "./take-screenshot.ts";
import { takeSteps } from "./take-steps.ts";
import { BrowserCrash, isCrash, readNavigationError, VisitFailure } from "./visit-failure.ts";
import { type Alarms, openTabs, type Tab } from "./visited-tabs.ts";
import { pauseFor, settle, settleBriefly, settled } from "./wait-until-settled.ts";
import { watchNetwork } from "./watch-network.ts";
import { scrollThrough, waitOutChallenges } from "./whole-page.ts";
import { noteWrittenRoots } from "./written-roots.ts";

export interface VisitDeps {
  chromium: Chromium;
  adBlocker: AdBlocker | null;
  /** Set for a remote browser, whose traffic does not pass our proxy. */
  egress: { allows(url: string): boolean; proxy: ContextProxy } | null;
  /** Signs each request; null: none is signed. */
  signer: InterceptOptions["signer"];
  identity: Identity;
  maxBodyBytes: number;
  /** Answers requests out of an archive. */
  fetch: Fetch;
  /** Whether pages of a team may request a URL; any may unless given. */
  permits?: ((teamId: string, url: string) => Promise<boolean>) | undefined;
  /** Of one body in what a page's network shows. */
  networkBodyBytes: number;
}

interface WorkDeps extends VisitDeps {
  /** The visit's way out; null for a remote browser. */
  channel: BrowserChannel | null;
}

const settleMs = 8000;
const actionSettleMs = 1500;
const bannerMs = 150;
const scrollMs = 4000;
const lateAnswersMs = 3000;
const closeMs = 4000;
const memoryKillMs = 5000;
const crashNewsMs = 200;
const consentMs = 6000;
const challengesMs = 15_000;
/** Of a request's time, what is left for reading the page once it is whole. */
const readingMs = 2000;

/** `closed` resolves when nothing of the visit is left in the browser; the answer does not wait for it. */
export function visit(
  request: RenderRequest,
  deps: VisitDeps,
): { outcome: Promise<RenderOutcome>; closed: Promise<void> } {
  const { chromium } = deps;
  const way = chromium.openChannel?.(wayOf(request), request.url, permitsOf(request, deps)) ?? null;
  const proxy = way?.proxy ?? deps.egress?.proxy;
  const opening = chromium.browser.newContext({
    ...contextOptions(request, deps.identity),
    ...(proxy === undefined ? {} : { proxy }),
  });
  const channel = way?.channel ?? null;
  const outcome = run(request, { ...deps, channel }, opening);
  const close = () => closeContext(opening, chromium).finally(() => channel?.close());
  return { outcome, closed: outcome.then(close, close) };
}

/** What the page loads is judged like the page itself. */
function permitsOf({ teamId }: RenderRequest, { permits }: VisitDeps) {
  return teamId === undefined || !permits ? undefined : (url: string) => permits(teamId, url);
}

async function closeContext(opening: Promise<BrowserContext>, chromium: Chromium): Promise<void> {
  const closing = opening.then((context) => context.close());
  // A page that does not let itself be closed goes with its browser.
  if (!(await settled(closing, closeMs))) chromium.kill();
}

/** Rejects with BrowserCrash only; everything else is an outcome. */
async function run(request: RenderRequest, deps: WorkDeps, opening: Promise<BrowserContext>): Promise<RenderOutcome> {
  const { chromium } = deps;
  const { signal } = request;
  let giveUp: (error: unknown) => void = () => undefined;
  const trouble = new Promise<never>((_resolve, reject) => {
    giveUp = reject;
  });
  trouble.catch(() => undefined);
  const stop = () => {
    const { code, message } = stoppedBy(signal);
    giveUp(new VisitFailure(code, message));
  };
  const crash = () => giveUp(new BrowserCrash(isMemoryKill(chromium)));
  signal.addEventListener("abort", stop);
  chromium.browser.once("disconnected", crash);
  if (signal.aborted) stop();
  try {
    const page = await Promise.race([work(request, deps, opening, { giveUp, crash }), trouble]);
    return { ok: true, page };
  } catch (error) {
    if (error instanceof VisitFailure) return error.failure;
    if (error instanceof BrowserCrash) throw error;
    if (isCrash(error) || !chromium.browser.isConnected()) throw new BrowserCrash(isMemoryKill(chromium));
    return readNavigationError(error, null);
  } finally {
    signal.removeEventListener("abort", stop);
    chromium.browser.off("disconnected", crash);
  }
}

function isMemoryKill({ memoryKilledAt }: Chromium): boolean {
  return performance.now() - memoryKilledAt < memoryKillMs;
}

async function work(
  request: RenderRequest,
  deps: WorkDeps,
  opening: Promise<BrowserContext>,
  alarms: Alarms,
): Promise<RenderedPage> {
  const { options } = request;
  const context = await opening;
  const { kept, archived } = await useArchive(context, request, deps.fetch);
  const watch = request.network && watchNetwork(context, request.network, deps.networkBodyBytes);
  const first = await context.newPage();
  const tabs = openTabs(first, alarms);
  const { start, current, urls } = tabs;
  // The first page is ours; every other is a window that the page opened, and stays only if an action opened it.
  context.on("page", (window) => {
    if (!tabs.areFollowed()) window.close().catch(() => undefined);
  });
  const headers = sentHeaders(options.headers);
  await addCookies(context, headers.cookie, request.url);
  const rules: InterceptOptions = {
    adBlocker: options.blockAds ? deps.adBlocker : null,
    headers: headers.others,
    origin: new URL(request.url).origin,
    signer: deps.signer,
    allows: deps.egress === null ? null : deps.egress.allows,
    mayFollow: request.mayFollow ?? null,
    // Screenshots, actions, scripts and profiles need the whole page; so does a challenge.
    answer: archived?.answer ?? null,
    maySkip: isUnseen(request) && kept === null ? () => (start.documents.latest?.status() ?? 200) < 400 : null,
  };
  // The page's session is opened together with these, so that nothing waits for it later.
  await Promise.all([intercept(first, rules), context.addInitScript(keepNotes, notesKey), sessionOf(first)]);

  const failing = (error: unknown) => {
    if (isCrash(error)) return error;
    const known = deps.channel?.failureOf(current().documents.askedUrl ?? request.url) ?? null;
    const { code, message } = readNavigationError(error, known);
    return new VisitFailure(code, message);
  };
  const { flow } = request;
  await first
    .goto(flow?.mode === "before" ? flow.startUrl : request.url, { waitUntil: "commit", timeout: 0 })
    .catch(async (error: unknown) => {
      // A renderer that ends takes its navigation along, and that news may come first.
      await pauseFor(crashNewsMs);
      throw failing(error);
    });
  const patience = Math.min(settleMs, options.timeout / 4);
  await first.waitForLoadState("domcontentloaded", { timeout: options.timeout / 2 }).catch(() => undefined);
  const endsAt = request.endsAt ?? Number.POSITIVE_INFINITY;
  /** A share of the time of the request, as long as there is enough left of it. */
  const within = (mostMs: number, share: number) =>
    Math.max(0, Math.min(mostMs, options.timeout / share, endsAt - performance.now() - readingMs));
  await settle(first, start.tracker, patience);
  await waitOutChallenges(first, {
    status: () => start.documents.latest?.status() ?? 200,
    navigations: () => start.documents.navigations,
    settle: () => settle(first, start.tracker, patience),
    maxMs: within(challengesMs, 3),
  });
  if (options.blockAds) await passConsent(start, within(consentMs, 6), patience);
  if (options.waitFor > 0) await pauseFor(options.waitFor);
  const maxHtmlLength = deps.maxBodyBytes;
  const settleAgain = () => settle(current().page, current().tracker, Math.min(actionSettleMs, patience));
  const actions = await takeSteps({
    ...{ first, request, context, tabs, rules, endsAt, maxHtmlLength, failing, settleAgain },
    settleOn: (tab) => settle(tab.page, tab.tracker, Math.min(actionSettleMs, patience)),
    settleLong: (tab) => settle(tab.page, tab.tracker, patience),
  });
  const { page, documents } = current();
  const settleShown = () => {
    const answersMs = within(lateAnswersMs, 6);
    return settleBriefly(page, current().tracker, { maxMs: Math.min(actionSettleMs, patience), answersMs });
  };
  await scrollThrough(page, settleShown, within(scrollMs, 6));
  if (page.url().startsWith("chrome-error:")) throw failing(documents.failure ?? "");

  const screenshots = await takeScreenshots(page, request.screenshots, settleAgain);
  const scripts = await runScripts(page, request.scripts ?? {});
  const read = await readDocument(page, documents.latest, { maxLength: maxHtmlLength, endsAt }).catch(
    (error: unknown) => {
      throw error instanceof VisitFailure ? error : failing(error);
    },
  );
  await kept?.finish();
  const network = await watch?.read();
  return {
    url: bareUrl(request.url),
    ...hideSecrets(read, flow),
    ...(archived === null ? {} : { missing: archived.missing.size }),
    engine: "browser",
    proxy: deps.channel?.use ?? "none",
    redirects: redirectsOf(start.documents.first),
    isPrivate: isPrivate(deps.channel, urls),
    ignoredHeaders: Object.keys(options.headers).filter(isConnectionHeader),
    screenshots,
    actions,
    scripts,
    ...(network === undefined ? {} : { network }),
    ...(request.wantsStorageState === true ? { storageState: await context.storageState() } : {}),
  };
}

function hideSecrets<Read extends { body: Buffer; finalUrl: string }>(read: Read, flow: RenderRequest["flow"]): Read {
  if (flow === undefined) return read;
  const hidden = { body: Buffer.from(flow.hide(read.body.toString())), finalUrl: flow.hide(read.finalUrl) };
  return Object.assign({}, read, hidden);
}

/** Answers a consent dialog. Many sites load the page again, or go to it, once they have the answer. */
async function passConsent({ page, tracker, documents }: Tab, maxMs: number, patience: number): Promise<void> {
  const { navigations } = documents;
  if (!(await answerConsent(page, maxMs))) return;
  await pauseFor(bannerMs);
  if (documents.navigations !== navigations || !tracker.isQuiet(0)) await settle(page, tracker, patience);
}

interface ReadLimits {
  maxLength: number;
  endsAt: number;
}

/** Only HTML is a tree; anything else is taken as received. */
async function readDocument(page: Page, document: Response | null, limits: ReadLimits) {
  const url = /^https?:/.test(page.url()) ? page.url() : (document?.url() ?? page.url());
  const headers: ResponseHeaders = {};
  for (const { name, value } of (await document?.headersArray()) ?? []) {
    const key = name.toLowerCase();
    const before = headers[key];
    headers[key] = before === undefined ? value : [...(typeof before === "string" ? [before] : before), value];
  }
  const given = String(headers["content-type"] ?? "");
  const isTree = given === "" || /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(given);
  const body = isTree || document === null ? await readTreeOf(page, document, limits) : await document.body();
  return {
    finalUrl: bareUrl(url),
    status: document?.status() ?? 200,
    headers,
    contentType: isTree ? "text/html; charset=utf-8" : given,
    body,
  };
}

async function readTreeOf(page: Page, document: Response | null, limits: ReadLimits): Promise<Buffer> {
  const [reader] = await Promise.all([openReader(page), noteWrittenRoots(page, document, notesKey)]);
  return Buffer.from(await readHtml(reader, { ...limits, hiddenMark }));
}

function redirectsOf(response: Response | null): string[] {
  const urls: string[] = [];
  let request = response?.request().redirectedFrom() ?? null;
  while (request !== null) {
    urls.unshift(bareUrl(request.url()));
    request = request.redirectedFrom();
  }
  return urls;
}

/** What a page was given by the operator's own network is in its tree, whichever request brought it. */
function isPrivate(channel: BrowserChannel | null, urls: ReadonlySet<string>): boolean {
  return channel === null || [...urls].some((url) => channel.isPrivate(url));
}

/** By lower-case name. The browser keeps cookies itself, and who it is was said when the context was made. */
function sentHeaders(headers: Readonly<Record<string, string>>) {
  const others: Record<string, string> = {};
  let cookie: string | null = null;
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase();
    if (key === "cookie") cookie = value;
    else if (key !== "user-agent" && !isConnectionHeader(key)) others[key] = value;
  }
  return { others, cookie };
}

async function addCookies(context: BrowserContext, header: string | null, url: string): Promise<void> {
  if (header === null) return;
  const { origin } = new URL(url);
  const cookies = header.split(";").flatMap((pair) => {
    const [name = "", ...value] = pair.trim().split("=");
    return name === "" ? [] : [{ name, value: value.join("="), url: origin }];
  });
  await context.addCookies(cookies);
}
