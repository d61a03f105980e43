// Follows one URL to its page: checks every hop, keeps cookies, and drops secrets when the origin changes.
import type { CookieJar } from "tough-cookie";
import { bareUrl, basicAuthorization, type Clock, parseUrl } from "../base/index.ts";
import { type Answer, type ExchangeOptions, exchange, type Receive, type RequestMethod } from "./exchange.ts";
import { type Guard, refusedMessage, type UrlCheck } from "./guard.ts";
import { isConnectionHeader, isSecretHeader, parseRetryAfter } from "./headers.ts";
import { type Http2Fault, http2FaultOf } from "./http2-fault.ts";
import {
  errorCode,
  type FetchOutcome,
  NetError,
  type RedirectDeclined,
  type ResponseHeaders,
  stoppedBy,
  toFailure,
} from "./outcome.ts";
import type { Pace } from "./pace.ts";
import type { PoolKind, Pools } from "./pools.ts";
import { acceptEncoding, type BodyLimits } from "./response-body.ts";
import { directRoute, type ProxyUse, type Route, type Upstreams, type Way } from "./upstreams.ts";

export interface FetchRequest {
  url: string;
  /** GET unless given. Pages are only ever asked with the first two. */
  method?: RequestMethod;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** The only clock of the whole request: a TimeoutError as its reason is SCRAPE_TIMEOUT, anything else ABORTED. */
  signal: AbortSignal;
  skipTlsVerification?: boolean;
  /** Which proxies it may use: the basic ones unless given, and none for `allowOrigin`. */
  way?: Way;
  /** 20 unless given. */
  maxRedirects?: number;
  /** True unless given; false answers the redirect itself. */
  followRedirects?: boolean;
  limits?: Partial<BodyLimits>;
  /** The answer is complete with its head: a little of its body is read on, for the connection's sake, and dropped. */
  ignoresBody?: boolean;
  /** Receives the body while it arrives; the outcome holds it, too. */
  receive?: Receive;
  /** Longest time between two pieces of the body, where it is not net's own; 0: only the signal ends it. */
  idleMs?: number;
  /**
   * Only for URLs that the operator configured (a model, a search provider): exactly this origin is allowed, even
   * a private one, and nothing else, redirects included. Never take it from a caller.
   */
  allowOrigin?: string;
}

/** A request whose caller decides about redirects: asked before each is followed, false ends the request. */
export interface RuledFetchRequest extends FetchRequest {
  mayFollow(url: string): Promise<boolean>;
}

export interface Fetch {
  (request: RuledFetchRequest): Promise<FetchOutcome | RedirectDeclined>;
  (request: FetchRequest): Promise<FetchOutcome>;
}

export interface FetchDeps {
  guard: Guard;
  pools: Pools;
  upstreams: Upstreams;
  pace: Pace;
  clock: Clock;
}

export interface FetchOptions {
  userAgent: string;
  limits: BodyLimits;
}

interface HopAnswer extends Answer {
  isPrivate: boolean;
}

/** What happened on the way to the last hop. */
interface Trip {
  redirects: string[];
  isPrivate: boolean;
  proxy: ProxyUse;
  startedAt: number;
}

interface Hop {
  url: URL;
  method: RequestMethod;
  headers: Record<string, string>;
  body: string | Buffer | null;
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const defaultMaxRedirects = 20;
/** A pool may hold several connections that its server has closed meanwhile. */
const maxStaleTries = 4;
const staleCodes = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

const declined: RedirectDeclined = {
  ok: false,
  code: "REDIRECT_DECLINED",
  message: "The page redirects to a URL that may not be followed",
};

export function createFetch(deps: FetchDeps, options: FetchOptions): Fetch {
  return (async (request: FetchRequest) => {
    let route = directRoute;
    try {
      const url = checkUrl(request.url, request);
      const { allowOrigin, way = {} } = request;
      // One for all hops, as a visitor behind a proxy has it.
      if (allowOrigin === undefined) route = deps.upstreams.route(way, url.hostname);
      return await follow(request, url, route);
    } catch (error) {
      return toFailure(error);
    } finally {
      if (route.callers) deps.pools.forget(route.callers);
    }
  }) as Fetch;

  async function follow(
    request: FetchRequest | RuledFetchRequest,
    url: URL,
    route: Route,
  ): Promise<FetchOutcome | RedirectDeclined> {
    const startedAt = performance.now();
    const { signal, maxRedirects = defaultMaxRedirects, followRedirects = true } = request;
    const redirects: string[] = [];
    let isPrivate = false;
    let jar: CookieJar | null = null;
    let hop = firstHop(request, options.userAgent, url);
    for (;;) {
      const answer = await send(hop, request, jar, route);
      isPrivate ||= answer.isPrivate;
      const location = followRedirects ? redirectOf(answer.status, answer.headers) : null;
      if (location === null) return succeed(hop, answer, { redirects, isPrivate, proxy: route.use, startedAt });
      if (redirects.length >= maxRedirects) {
        throw new NetError("SCRAPE_TOO_MANY_REDIRECTS", `The page redirects more than ${maxRedirects} times`);
      }
      if (signal.aborted) throw stoppedBy(signal);
      jar = await keepCookies(jar, hop.url, answer.headers["set-cookie"]);
      redirects.push(bareUrl(hop.url));
      const next = checkHop(location, hop.url, request);
      if ("mayFollow" in request && !(await request.mayFollow(bareUrl(next)))) return declined;
      hop = nextHop(hop, answer.status, next);
    }
  }

  function checkUrl(text: string, { allowOrigin }: FetchRequest): URL {
    const check = allowOrigin === undefined ? deps.guard.checkUrl(text) : checkTrusted(text, allowOrigin);
    if ("url" in check) return check.url;
    throw new NetError("URL_NOT_ALLOWED", check.message);
  }

  function checkHop(location: string, base: URL, request: FetchRequest): URL {
    const next = parseUrl(location, base.href);
    if (!next) throw badRedirect();
    if (next.hash === "") next.hash = base.hash;
    if (request.allowOrigin !== undefined) return checkUrl(next.href, request);
    const check = deps.guard.checkUrl(next.href);
    if ("url" in check) return check.url;
    throw check.problem === "refused" ? new NetError("URL_NOT_ALLOWED", check.message) : badRedirect();
  }

  async function send(hop: Hop, request: FetchRequest, jar: CookieJar | null, route: Route): Promise<HopAnswer> {
    const { signal, allowOrigin, followRedirects = true, ignoresBody = false, receive = null, idleMs } = request;
    if (signal.aborted) throw stoppedBy(signal);
    const kind = { skipTlsVerification: request.skipTlsVerification ?? false, isTrusted: allowOrigin !== undefined };
    const entering = kind.isTrusted ? noPlace : deps.pace.enter(hop.url.host, signal);
    const leave = entering instanceof Promise ? await entering : entering;
    const askedAt = deps.clock.now();
    try {
      const answer = await sendFresh(kind, route, {
        request: {
          origin: hop.url.origin,
          path: hop.url.pathname + hop.url.search,
          method: hop.method,
          headers: jar === null ? hop.headers : withCookies(hop, jar),
          body: hop.body,
          ...(idleMs === undefined ? {} : { bodyTimeout: idleMs }),
        },
        signal,
        receive,
        limits: { ...options.limits, ...request.limits },
        skipsBody: (status, headers) => ignoresBody || (followRedirects && redirectOf(status, headers) !== null),
      });
      if (!kind.isTrusted) {
        const { status } = answer;
        deps.pace.note(hop.url.host, { status, retryAfterSeconds: retryAfterOf(answer), askedAt });
      }
      return answer;
    } finally {
      leave();
    }
  }

  /**
   * A kept connection may have been closed by the site just before we wrote to it: that is no fault, so ask again. After a
   * failure of the proxy nothing has been sent yet, and the next one is asked.
   */
  async function sendFresh(
    kind: Pick<PoolKind, "skipTlsVerification" | "isTrusted">,
    route: Route,
    how: ExchangeOptions,
  ): Promise<HopAnswer> {
    let wasDropped = false;
    for (let tries = 1; ; tries += 1) {
      const client = deps.pools.get(how.request.origin, { upstream: route.upstream(), ...kind });
      const dials = client.dials;
      const answering = exchange(client, how);
      // A request without a free connection has begun to dial by now; what others dial later says nothing about this one.
      const isOnKept = client.dials === dials;
      try {
        const { status, headers, body, wireBytes } = await answering;
        return { status, headers, body, wireBytes, isPrivate: client.isPrivate };
      } catch (error) {
        if (how.signal.aborted) throw error;
        if (route.canPassOn(error)) continue;
        const fault = http2FaultOf(error);
        if (fault !== null && tries < maxStaleTries && mayAskAgain(fault, how)) {
          if (isFaultOfHttp2(fault)) client.avoidHttp2();
          wasDropped = true;
          continue;
        }
        const isUnanswered = how.request.method === "GET" && staleCodes.has(errorCode(error));
        if (!isUnanswered) throw error;
        // A new connection that the site drops is worth one more, as browsers think.
        if (isOnKept ? tries >= maxStaleTries : wasDropped) throw error;
        wasDropped ||= !isOnKept;
      }
    }
  }

  function retryAfterOf({ status, headers }: Answer): number | null {
    return status === 429 || status === 503 ? parseRetryAfter(headers["retry-after"], deps.clock.now()) : null;
  }

  function succeed(hop: Hop, answer: Answer, { redirects, isPrivate, proxy, startedAt }: Trip): FetchOutcome {
    const { status, headers, body, wireBytes } = answer;
    const contentType = headers["content-type"] ?? "";
    return {
      ok: true,
      url: bareUrl(hop.url),
      status,
      headers,
      contentType: typeof contentType === "string" ? contentType : (contentType.at(-1) ?? ""),
      body,
      redirects,
      isPrivate,
      proxy,
      wireBytes,
      retryAfterSeconds: retryAfterOf(answer),
      durationMs: performance.now() - startedAt,
    };
  }
}

/** A site whose HTTP/2 fails gets one more request, over HTTP/1.1. What was answered in part, and told on, is not told twice. */
function mayAskAgain({ kind }: Http2Fault, { request, receive }: ExchangeOptions): boolean {
  if (kind === "unprocessed" || kind === "refused") return true;
  return request.method === "GET" && (kind === "unanswered" || receive === null);
}

/** As opposed to a connection that has worked and ended. */
function isFaultOfHttp2({ kind, isProven }: Http2Fault): boolean {
  return kind === "refused" || kind === "broken" || !isProven;
}

const noPlace = () => undefined;

/** Nothing but the origin that the operator set; what it resolves to is the operator's business. */
function checkTrusted(text: string, allowOrigin: string): UrlCheck {
  const url = parseUrl(text);
  const isIt = url !== null && /^https?:\/\//.test(allowOrigin) && url.origin === new URL(allowOrigin).origin;
  return isIt ? { url } : { problem: "refused", message: refusedMessage };
}

function firstHop(request: FetchRequest, userAgent: string, url: URL): Hop {
  const headers: Record<string, string> = { "user-agent": userAgent, accept: "*/*", "accept-encoding": acceptEncoding };
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    if (!isConnectionHeader(name)) headers[name.toLowerCase()] = value;
  }
  return withCredentials({ url, method: request.method ?? "GET", headers, body: request.body ?? null });
}

function nextHop(hop: Hop, status: number, url: URL): Hop {
  const isSameOrigin = url.origin === hop.url.origin;
  const keepsMethod = status === 307 || status === 308 || hop.method === "GET";
  const entries = Object.entries(hop.headers).filter(
    ([name]) => (isSameOrigin || !isSecretHeader(name)) && (keepsMethod || !name.startsWith("content-")),
  );
  const referer = isSameOrigin ? null : refererAcross(hop.headers.referer, url);
  return withCredentials({
    url,
    method: keepsMethod ? hop.method : "GET",
    headers: { ...Object.fromEntries(entries), ...(referer === null ? {} : { referer }) },
    body: keepsMethod ? hop.body : null,
  });
}

/** What browsers tell another origin of where a visitor comes from: its origin, and nothing of https to http. */
function refererAcross(referer: string | undefined, to: URL): string | null {
  const from = referer === undefined ? null : parseUrl(referer);
  if (from === null || (from.protocol === "https:" && to.protocol === "http:")) return null;
  return `${from.origin}/`;
}

/** `user:password@` of a URL is its Authorization, unless the caller sent one. */
function withCredentials(hop: Hop): Hop {
  const authorization = basicAuthorization(hop.url);
  if (authorization === null || hop.headers.authorization !== undefined) return hop;
  return { ...hop, headers: { ...hop.headers, authorization } };
}

function redirectOf(status: number, headers: ResponseHeaders): string | null {
  if (!redirectStatuses.has(status)) return null;
  const location = headers.location;
  const text = Array.isArray(location) ? location[0] : location;
  if (text === undefined || text === "") return null;
  // Bytes beyond ASCII go back to the site unchanged, whatever their charset; undici reads every header as Latin-1.
  return text.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** As many as browsers keep for a site: each costs time, and a head has room for thousands. */
const maxCookiesPerAnswer = 180;

/** The jar lives as long as the request. Its package is loaded when a hop first sets a cookie: most never do. */
async function keepCookies(
  jar: CookieJar | null,
  url: URL,
  header: string | string[] | undefined,
): Promise<CookieJar | null> {
  if (header === undefined) return jar;
  const kept = jar ?? new (await import("tough-cookie")).CookieJar();
  for (const cookie of typeof header === "string" ? [header] : header.slice(0, maxCookiesPerAnswer)) {
    kept.setCookieSync(cookie, url.href, { ignoreError: true });
  }
  return kept;
}

function withCookies(hop: Hop, jar: CookieJar): Record<string, string> {
  const kept = jar.getCookieStringSync(hop.url.href);
  const own = hop.headers.cookie;
  if (kept === "") return hop.headers;
  if (own === undefined) return { ...hop.headers, cookie: kept };
  // A cookie that the site has set replaces the caller's.
  const nameOf = (pair: string) => pair.split("=", 1)[0]?.trim();
  const set = new Set(kept.split(";").map(nameOf));
  const others = own.split(";").filter((pair) => !set.has(nameOf(pair)));
  return { ...hop.headers, cookie: [...others.map((pair) => pair.trim()), kept].join("; ") };
}

function badRedirect(): NetError {
  return new NetError("SCRAPE_SITE_ERROR", "The page redirects to a URL that cannot be read");
}
