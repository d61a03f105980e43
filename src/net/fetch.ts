// Follows one URL to its page: checks every hop, keeps cookies, and drops secrets when the origin changes.
import type { CookieJar } from "tough-cookie";
import { bareUrl, parseUrl } from "../base/index.ts";
import { type CompanyProxy, companyRoute, proxiedTarget } from "./company-proxy.ts";
import type { Answer, Receive, RequestMethod } from "./exchange.ts";
import { type Guard, refusedMessage, type UrlCheck } from "./guard.ts";
import { firstHop, type Hop, keepCookies, nextHop, redirectOf } from "./hops.ts";
import { type ArchiveUse, answerFromArchive } from "./kept-exchange.ts";
import { type FetchOutcome, NetError, type RedirectDeclined, stoppedBy, toFailure } from "./outcome.ts";
import type { BodyLimits } from "./response-body.ts";
import { createHopSender, type HopAnswer, type HopSenderDeps, type HopSenderOptions } from "./send-hop.ts";
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
  /**
   * Not a page: it goes through the proxy of the environment, if there is one. The host of "ours" is written in our code, so
   * that the proxy may resolve it; that of "callers" is resolved and checked here.
   */
  service?: "ours" | "callers";
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
  /** Keeps its exchanges, or answers it: then no connection is made, and no rule about connections applies. */
  archive?: ArchiveUse | undefined;
}

/** A request whose caller decides about redirects: asked before each is followed, false ends the request. */
export interface RuledFetchRequest extends FetchRequest {
  mayFollow(url: string): Promise<boolean>;
}

export interface Fetch {
  (request: RuledFetchRequest): Promise<FetchOutcome | RedirectDeclined>;
  (request: FetchRequest): Promise<FetchOutcome>;
}

export interface FetchDeps extends HopSenderDeps {
  guard: Guard;
  upstreams: Upstreams;
  companyProxy: CompanyProxy | null;
}

export interface FetchOptions extends HopSenderOptions {
  userAgent: string;
}

/** What happened on the way to the last hop. */
interface Trip {
  redirects: string[];
  isPrivate: boolean;
  proxy: ProxyUse;
  startedAt: number;
  isReplayed: boolean;
}

const defaultMaxRedirects = 20;
const declined: RedirectDeclined = {
  ok: false,
  code: "REDIRECT_DECLINED",
  message: "The page redirects to a URL that may not be followed",
};

export function createFetch(deps: FetchDeps, options: FetchOptions): Fetch {
  const { send, retryAfterOf } = createHopSender(deps, options);

  return (async (request: FetchRequest) => {
    let route = directRoute;
    try {
      const url = checkUrl(request.url, request);
      // One for all hops, as a visitor behind a proxy has it.
      route = routeOf(request, url);
      return await follow(request, url, route);
    } catch (error) {
      return toFailure(error, route.company ?? null);
    } finally {
      if (route.callers) deps.pools.forget(route.callers);
    }
  }) as Fetch;

  function routeOf({ allowOrigin, service, way = {} }: FetchRequest, url: URL): Route {
    const { companyProxy, upstreams } = deps;
    const isService = allowOrigin !== undefined || service !== undefined;
    if (isService && companyProxy !== null) return companyRoute(companyProxy, proxiedTarget(url));
    return allowOrigin === undefined ? upstreams.route(way, proxiedTarget(url)) : directRoute;
  }

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
      const answer = await answerTo(hop, request, jar, route);
      isPrivate ||= answer.isPrivate;
      const location = followRedirects ? redirectOf(answer.status, answer.headers) : null;
      if (location === null) {
        const isReplayed = request.archive?.kind === "replay";
        const proxy = isReplayed ? "none" : route.use;
        return succeed(hop, answer, { redirects, isPrivate, proxy, startedAt, isReplayed });
      }
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

  function answerTo(hop: Hop, request: FetchRequest, jar: CookieJar | null, route: Route): Promise<HopAnswer> {
    const { archive, limits, followRedirects = true } = request;
    if (archive?.kind !== "replay") return send(hop, request, jar, route);
    return answerFromArchive(archive, bareUrl(hop.url), { ...options.limits, ...limits }, (status, headers) => {
      return followRedirects && redirectOf(status, headers) !== null;
    });
  }

  function checkUrl(text: string, { allowOrigin, archive }: FetchRequest): URL {
    if (archive?.kind === "replay") return parseUrl(text) ?? throwBadRedirect();
    const check = allowOrigin === undefined ? deps.guard.checkUrl(text) : checkTrusted(text, allowOrigin);
    if ("url" in check) return check.url;
    throw new NetError("URL_NOT_ALLOWED", check.message);
  }

  function checkHop(location: string, base: URL, request: FetchRequest): URL {
    const next = parseUrl(location, base.href);
    if (!next) throw badRedirect();
    if (next.hash === "") next.hash = base.hash;
    if (request.allowOrigin !== undefined || request.archive?.kind === "replay") return checkUrl(next.href, request);
    const check = deps.guard.checkUrl(next.href);
    if ("url" in check) return check.url;
    throw check.problem === "refused" ? new NetError("URL_NOT_ALLOWED", check.message) : badRedirect();
  }

  function succeed(hop: Hop, answer: Answer, trip: Trip): FetchOutcome {
    const { redirects, isPrivate, proxy, startedAt, isReplayed } = trip;
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
      retryAfterSeconds: isReplayed ? null : retryAfterOf(answer),
      durationMs: performance.now() - startedAt,
    };
  }
}

/** Nothing but the origin that the operator set; what it resolves to is the operator's business. */
function checkTrusted(text: string, allowOrigin: string): UrlCheck {
  const url = parseUrl(text);
  const isIt = url !== null && /^https?:\/\//.test(allowOrigin) && url.origin === new URL(allowOrigin).origin;
  return isIt ? { url } : { problem: "refused", message: refusedMessage };
}

function throwBadRedirect(): never {
  throw badRedirect();
}

function badRedirect(): NetError {
  return new NetError("SCRAPE_SITE_ERROR", "The page redirects to an invalid URL");
}
