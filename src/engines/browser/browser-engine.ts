// The browser engine: a place in the queue, a warm Chromium, one visit; one retry when Chromium dies during it.
import { createSemaphore, type Logger, type Release, ServiceError } from "../../base/index.ts";
import { type Net, stoppedBy } from "../../net/index.ts";
import { pauseOf, waitAsAsked } from "../page/retry-after.ts";
import { browserIdentity, type Identity, ownIdentity } from "../visitor/user-agents.ts";
import { type AdBlocker, openAdBlocker } from "./block-ads.ts";
import { type Browsers, createBrowsers, needsNamespaces } from "./browsers.ts";
import { missingChromium } from "./find-chromium.ts";
import { readNames } from "./read-names.ts";
import type { BrowserEngine, BrowserStatus, RenderOutcome, RenderRequest } from "./render.ts";
import { type SessionOutcome, type SessionRequest, startSession } from "./session-process.ts";
import { type VisitDeps, visit } from "./visit.ts";
import { BrowserCrash } from "./visit-failure.ts";

export interface BrowserEngineDeps {
  net: Pick<Net, "openProxy" | "openDevtoolsGateway" | "checkUrl" | "signer" | "fetch">;
  log: Logger;
  /** Whether pages of a team may request a URL; any may unless given. */
  permits?: ((teamId: string, url: string) => Promise<boolean>) | undefined;
}

export interface BrowserEngineOptions {
  /** Of the settings; null: looked for. */
  chromiumPath: string | null;
  /** PATH of the server. */
  searchPath: string;
  /** A remote browser, and the proxy that its pages must use. */
  remote: { endpoint: string; egressProxy: string } | null;
  hasSandbox: boolean;
  concurrency: number;
  /** Filter lists on disk. */
  blockLists: readonly string[];
  userAgent: string;
  /** Pages are visited as Chromium itself, not under `userAgent`. */
  isItself?: boolean;
  /** Folders that pages must never see: data, code. */
  hiddenFolders: readonly string[];
  /** Trusted in addition to Chromium's own (PEM). */
  certificates: readonly string[];
  maxBodyBytes: number;
  /** Of one body in what a page's network shows. */
  networkBodyBytes?: number;
}

const gigabyte = 1024 ** 3;
const defaultNetworkBodyBytes = 1024 ** 2;
const maxWaiting = 1000;
const sessionLimits = { maxTotalBytes: 2 * gigabyte, maxFileBytes: gigabyte / 2 };
const tries = 2;

export function createBrowserEngine(deps: BrowserEngineDeps, options: BrowserEngineOptions): BrowserEngine {
  const { log } = deps;
  const places = createSemaphore({ places: options.concurrency });
  const browsers = createBrowsers(deps, options);
  const own = ownIdentity(options.userAgent);
  let blocking: Promise<AdBlocker> | null = null;
  const findIdentity = createIdentityFinder(browsers);
  const egress: VisitDeps["egress"] =
    options.remote === null
      ? null
      : { allows: (url) => "url" in deps.net.checkUrl(url), proxy: proxyOf(options.remote.egressProxy) };

  async function once(request: RenderRequest): Promise<RenderOutcome> {
    const adBlocker = request.options.blockAds ? await openBlocker() : null;
    const identity = options.isItself === true ? await findIdentity() : own;
    // The headless shell says in its client hints that it is one.
    const lease = await browsers.take(!hasActions(request) && options.isItself !== true);
    const { outcome, closed } = visit(request, {
      chromium: lease.chromium,
      adBlocker,
      egress,
      signer: deps.net.signer,
      identity,
      maxBodyBytes: options.maxBodyBytes,
      fetch: deps.net.fetch,
      permits: deps.permits,
      networkBodyBytes: options.networkBodyBytes ?? defaultNetworkBodyBytes,
    });
    closed.then(lease.release, lease.release);
    return outcome;
  }

  function openBlocker(): Promise<AdBlocker> {
    blocking ??= openAdBlocker(options.blockLists, log);
    return blocking;
  }

  async function attempt(request: RenderRequest): Promise<RenderOutcome> {
    for (let nth = 1; ; nth += 1) {
      try {
        return await once(request);
      } catch (error) {
        if (!(error instanceof BrowserCrash)) throw error;
        if (error.isMemory) return { ok: false, code: "SCRAPE_PAGE_TOO_LARGE", message: error.message };
        if (nth === tries || request.signal.aborted) {
          return { ok: false, code: "SCRAPE_SITE_ERROR", message: error.message };
        }
        log.warn({ teamId: request.teamId }, "the browser ended during a page; once more");
      }
    }
  }

  /** Nothing is done on a page twice, so after actions a pause is not waited for. */
  async function renderPatiently(request: RenderRequest): Promise<RenderOutcome> {
    const outcome = await renderOnce(request);
    const isWorth = outcome.ok && !hasActions(request) && (await waitAsAsked(pauseOf(outcome.page), request));
    return isWorth ? renderOnce(request) : outcome;
  }

  async function renderOnce(request: RenderRequest): Promise<RenderOutcome> {
    const isReplay = request.archive?.kind === "replay";
    const check = isReplay ? { url: new URL(request.url) } : deps.net.checkUrl(request.url);
    if (!("url" in check)) return { ok: false, code: "URL_NOT_ALLOWED", message: check.message };
    if (options.remote !== null && request.options.proxyUrl !== undefined) {
      const message = "The browser of BROWSER_WS_ENDPOINT has its own proxy, so proxyUrl cannot be used with it";
      return { ok: false, code: "SCRAPE_PROXY_ERROR", message };
    }
    if (places.count().waiting >= maxWaiting) {
      return { ok: false, code: "QUEUE_FULL", message: "Too many pages are waiting for the browser" };
    }
    let leave: Release | null = null;
    try {
      leave = await places.acquire(request.signal);
      return await attempt({ ...request, url: check.url.href });
    } catch (error) {
      if (request.signal.aborted) return stopped(request.signal, leave !== null);
      if (error instanceof ServiceError && error.code === "BROWSER_NOT_AVAILABLE") {
        return { ok: false, code: error.code, message: error.message };
      }
      throw error;
    } finally {
      leave?.();
    }
  }

  return {
    render: renderPatiently,
    openSession: (request) => openSession(request, browsers, deps, options),
    findIdentity,

    async probe() {
      if (options.remote === null && browsers.locate() !== null) await browsers.prepare();
      if (options.isItself === true) await findIdentity();
    },

    status(): BrowserStatus {
      const { remote, hasSandbox } = options;
      if (remote !== null) {
        return { available: true, sandbox: true, isolated: false, path: new URL(remote.endpoint).host };
      }
      const path = browsers.locate();
      const shared = { sandbox: hasSandbox, isolated: browsers.isIsolated() };
      if (path === null) return { available: false, ...shared, reason: missingChromium(options.chromiumPath) };
      return { available: true, ...shared, path };
    },

    load: () => places.count(),

    close: () => browsers.close(),
  };
}

async function openSession(
  request: SessionRequest,
  browsers: Browsers,
  deps: BrowserEngineDeps,
  options: BrowserEngineOptions,
): Promise<SessionOutcome> {
  if (options.remote !== null) return noSessions("Browser sessions need a Chromium of this server, not a remote one.");
  try {
    const { how, isIsolated } = await browsers.prepare();
    const { networkBodyBytes = defaultNetworkBodyBytes } = options;
    if (!isIsolated) return noSessions(needsNamespaces);
    return { ok: true, session: await startSession(deps, { ...how, ...sessionLimits, networkBodyBytes }, request) };
  } catch (error) {
    deps.log.error({ err: error, session: request.id }, "a browser session could not be started");
    const message = error instanceof ServiceError ? error.message : "The browser of the session could not be started.";
    return { ok: false, code: "BROWSER_NOT_AVAILABLE", message };
  }
}

/** As this Chromium identifies itself; asked once. */
function createIdentityFinder(browsers: Browsers): () => Promise<Identity> {
  let naming: Promise<Identity> | null = null;

  return () => {
    naming ??= nameChromium().catch((error: unknown) => {
      naming = null;
      throw error;
    });
    return naming;
  };

  async function nameChromium(): Promise<Identity> {
    const lease = await browsers.take(false);
    try {
      return browserIdentity(await readNames(lease.chromium.browser));
    } finally {
      lease.release();
    }
  }
}

function hasActions({ options: { actions }, flow }: RenderRequest): boolean {
  return flow !== undefined || (actions !== undefined && actions.length > 0);
}

function stopped(signal: AbortSignal, wasActive: boolean): RenderOutcome {
  const { code, message } = stoppedBy(signal);
  if (wasActive || code !== "SCRAPE_TIMEOUT") return { ok: false, code, message };
  return {
    ok: false,
    code: "CONCURRENCY_QUEUE_TIMEOUT",
    message: "The request timed out while waiting for a free browser",
  };
}

function noSessions(message: string): SessionOutcome {
  return { ok: false, code: "SESSIONS_NOT_AVAILABLE", message };
}

function proxyOf(text: string): { server: string; bypass: string; username?: string; password?: string } {
  const url = new URL(text);
  const server = `${url.protocol}//${url.host}`;
  if (url.username === "") return { server, bypass: "<-loopback>" };
  const { username, password } = url;
  return {
    server,
    bypass: "<-loopback>",
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}
