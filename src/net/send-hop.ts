// Sends one request of a fetch: at the pace of its host, through its proxies, and again where a connection failed by no fault
// of the request.
import type { CookieJar } from "tough-cookie";
import type { Clock } from "../base/index.ts";
import { proxiedTarget } from "./company-proxy.ts";
import { type Answer, type ExchangeOptions, exchange, type Receive } from "./exchange.ts";
import { forwarderOf, forwardTo, requireForwarded } from "./forward-request.ts";
import { parseRetryAfter } from "./headers.ts";
import { type Hop, redirectOf, withCookies } from "./hops.ts";
import { type Http2Fault, http2FaultOf } from "./http2-fault.ts";
import { type ArchiveUse, ExchangeNotes, type KeptExchange } from "./kept-exchange.ts";
import { errorCode, stoppedBy } from "./outcome.ts";
import type { Pace } from "./pace.ts";
import type { PoolKind, Pools } from "./pools.ts";
import type { RequestSigner } from "./request-signer.ts";
import type { BodyLimits } from "./response-body.ts";
import type { ProxiedTarget, Route } from "./upstreams.ts";

export interface HopSenderDeps {
  pools: Pools;
  pace: Pace;
  clock: Clock;
  /** Of requests for pages; null: they are not signed. */
  signer: RequestSigner | null;
}

export interface HopSenderOptions {
  limits: BodyLimits;
}

/** What a request says about each of its hops. */
interface HopRequest {
  signal: AbortSignal;
  allowOrigin?: string;
  service?: "ours" | "callers";
  skipTlsVerification?: boolean;
  followRedirects?: boolean;
  ignoresBody?: boolean;
  receive?: Receive;
  idleMs?: number;
  limits?: Partial<BodyLimits>;
  archive?: ArchiveUse | undefined;
}

export interface HopAnswer extends Answer {
  isPrivate: boolean;
}

/** A pool may hold several connections that its server has closed meanwhile. */
const maxStaleTries = 4;
const staleCodes = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

const noPlace = () => undefined;

export function createHopSender(deps: HopSenderDeps, options: HopSenderOptions) {
  async function send(hop: Hop, request: HopRequest, jar: CookieJar | null, route: Route): Promise<HopAnswer> {
    const { signal, allowOrigin, followRedirects = true, ignoresBody = false, receive = null, idleMs } = request;
    if (signal.aborted) throw stoppedBy(signal);
    const isTrusted = allowOrigin !== undefined;
    const kind = { skipTlsVerification: request.skipTlsVerification ?? false, isTrusted };
    const target = { ...proxiedTarget(hop.url), isOurs: request.service === "ours" };
    const entering = kind.isTrusted ? noPlace : deps.pace.enter(hop.url.host, signal);
    const leave = entering instanceof Promise ? await entering : entering;
    const askedAt = deps.clock.now();
    const isPage = !isTrusted && request.service === undefined;
    const signature = isPage ? deps.signer?.sign(hop.url) : undefined;
    const headers = jar === null ? hop.headers : withCookies(hop, jar);
    const keep = request.archive?.kind === "capture" ? request.archive.keep : null;
    const asked = keep && { keep, exchange: requestOf(hop, signature ?? {}, askedAt) };
    try {
      const answer = await sendFresh(kind, target, route, {
        request: {
          origin: hop.url.origin,
          path: hop.url.pathname + hop.url.search,
          method: hop.method,
          headers: signature === undefined ? headers : { ...headers, ...signature },
          body: hop.body,
          ...(idleMs === undefined ? {} : { bodyTimeout: idleMs }),
        },
        signal,
        receive,
        asked,
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
    target: ProxiedTarget & { isOurs: boolean },
    route: Route,
    { asked, ...exchanging }: ExchangeOptions & { asked: KeptRequest | null },
  ): Promise<HopAnswer> {
    const how: ExchangeOptions = exchanging;
    let wasDropped = false;
    for (let tries = 1; ; tries += 1) {
      const upstream = route.upstream(target);
      // The proxy may look up what we have named ourselves.
      const isTrusted = kind.isTrusted || (target.isOurs && upstream?.resolvesNames === true);
      const client = deps.pools.get(how.request.origin, { ...kind, isTrusted, upstream });
      const dials = client.dials;
      if (asked !== null) {
        const ipOf = () => (upstream === null ? client.address : null);
        how.notes = new ExchangeNotes(asked.exchange, ipOf, asked.keep);
      }
      const forwarder = isTrusted ? forwarderOf(upstream, target.protocol) : null;
      const answering = exchange(client, forwarder === null ? how : forwardTo(forwarder, how));
      // A request without a free connection has begun to dial by now; what others dial later says nothing about this one.
      const isOnKept = client.dials === dials;
      try {
        const { status, headers, body, wireBytes } = await answering;
        if (forwarder !== null) requireForwarded(forwarder, status);
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
        const isUnanswered = isRepeatable(how.request.method) && staleCodes.has(errorCode(error));
        if (!isUnanswered) throw error;
        // Like browsers, retry once when the site drops a new connection.
        if (isOnKept ? tries >= maxStaleTries : wasDropped) throw error;
        wasDropped ||= !isOnKept;
      }
    }
  }

  function retryAfterOf({ status, headers }: Answer): number | null {
    return status === 429 || status === 503 ? parseRetryAfter(headers["retry-after"], deps.clock.now()) : null;
  }

  return { send, retryAfterOf };
}

interface KeptRequest {
  keep(exchange: KeptExchange): void;
  exchange: Pick<KeptExchange, "at" | "url" | "method" | "requestHeaders" | "requestBody">;
}

/** Cookies and other secrets are in the headers as they were asked for; the archive sorts out what may be kept. */
function requestOf(
  { url, method, headers, body }: Hop,
  signature: Readonly<Record<string, string>>,
  at: number,
): KeptRequest["exchange"] {
  const requestHeaders = Object.entries({ host: url.host, ...headers, ...signature });
  return { at, url: url.href, method, requestHeaders, requestBody: body === null ? null : Buffer.from(body) };
}

/** A site whose HTTP/2 fails gets one more request, over HTTP/1.1. A partial answer that was passed on is not passed on twice. */
function mayAskAgain({ kind }: Http2Fault, { request, receive }: ExchangeOptions): boolean {
  if (kind === "unprocessed" || kind === "refused") return true;
  return isRepeatable(request.method) && (kind === "unanswered" || receive === null);
}

/** As opposed to a connection that has worked and ended. */
function isFaultOfHttp2({ kind, isProven }: Http2Fault): boolean {
  return kind === "refused" || kind === "broken" || !isProven;
}

/** Asking twice does no more than asking once. */
function isRepeatable(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}
