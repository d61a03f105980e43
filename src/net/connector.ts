// Opens the connections of the pools: resolve, check, dial what was checked, in this order and only here. There is no
// second lookup, so the address checked is the address dialled.
import { isIP, type Socket } from "node:net";
import type { buildConnector } from "undici";
import type { Logger } from "../base/index.ts";
import { dial } from "./dial.ts";
import { forwarderOf } from "./forward-request.ts";
import { bareHost, type Guard, refusedMessage } from "./guard.ts";
import { errorCode, NetError } from "./outcome.ts";
import { endPausedParser } from "./paused-parser.ts";
import type { Resolve } from "./resolve.ts";
import { createTlsUpgrade } from "./tls-upgrade.ts";
import { openTunnel, reachProxy } from "./upstream-tunnel.ts";
import { type Upstream, UpstreamError, type Upstreams } from "./upstreams.ts";

export interface ConnectorDeps {
  guard: Guard;
  resolve: Resolve;
  /** For the proxies of the settings. */
  resolveOwn: Resolve;
  upstreams: Pick<Upstreams, "note">;
  log: Logger | null;
  /** Aborted when the whole net closes. */
  closing: AbortSignal;
}

export interface ConnectTarget extends buildConnector.Options {
  /** Over TLS, the site may choose HTTP/2. */
  offersHttp2?: boolean;
  /** Not HTTP: a proxy of the environment tunnels it, too. */
  isTunnelled?: boolean;
}

/** As undici wants it, and telling, before it dials, whether the connection leads into private space. */
export type Connect = (target: ConnectTarget, callback: buildConnector.Callback, notePrivate: () => void) => void;

export interface ConnectorOptions {
  connectMs: number;
  skipTlsVerification: boolean;
  /** For an origin that the operator configured: it is not checked, and a proxy of the environment may look it up. */
  isTrusted: boolean;
  /** Null: dialled directly. */
  upstream: Upstream | null;
  /** Trusted in addition to the certificates that come with Node. */
  certificates: readonly string[] | null;
}

/** What is learned while a connection comes up. */
interface Noted {
  isAtProxy: boolean;
  isPrivate(): void;
}

/** Further addresses are not tried. */
const maxAddresses = 8;

export function createConnector(deps: ConnectorDeps, options: ConnectorOptions): Connect {
  const secure = createTlsUpgrade(options);

  async function open(target: ConnectTarget, signal: AbortSignal, noted: Noted): Promise<Socket> {
    const hostname = bareHost(target.hostname);
    const port = Number(target.port) || (target.protocol === "https:" ? 443 : 80);
    const { upstream, isTrusted } = options;
    const isNamed = isIP(hostname) !== 0 || (isTrusted && upstream?.resolvesNames === true);
    const found = isNamed ? [hostname] : await deps.resolve(hostname);
    const permitted = isTrusted ? found : found.filter((each) => deps.guard.permits(each, port, hostname));
    if (permitted.length === 0) {
      deps.log?.debug({ hostname, port, addresses: found }, "address refused");
      throw new NetError("URL_NOT_ALLOWED", refusedMessage);
    }
    if (!isTrusted && permitted.some((each) => deps.guard.isPrivate(each, port, hostname))) noted.isPrivate();
    if (signal.aborted) throw tooSlow();
    const addresses = permitted.slice(0, maxAddresses);
    const forwarder = isTrusted && target.isTunnelled !== true ? forwarderOf(upstream, target.protocol) : null;
    noted.isAtProxy = upstream !== null;
    const socket =
      upstream === null
        ? await dial(addresses, port, signal)
        : await throughProxy(upstream, hostname, forwarder === null ? { addresses, port } : null, signal);
    noted.isAtProxy = false;
    if (signal.aborted) {
      socket.destroy();
      throw tooSlow();
    }
    if (target.protocol !== "https:") return socket;
    return secure(socket, { hostname, port, offersHttp2: target.offersHttp2 ?? false }, signal).catch((error) => {
      throw tlsFailure(error);
    });
  }

  /** `target`: null for the proxy itself, which forwards. */
  async function throughProxy(
    upstream: Upstream,
    hostname: string,
    target: { addresses: string[]; port: number } | null,
    signal: AbortSignal,
  ): Promise<Socket> {
    const reaching = { ...deps, certificates: options.certificates };
    try {
      const socket =
        target === null
          ? await reachProxy(reaching, upstream, signal)
          : await openTunnel(reaching, upstream, target, signal);
      deps.upstreams.note(upstream, hostname, null);
      return socket;
    } catch (error) {
      if (error instanceof UpstreamError && !upstream.isCallers) {
        deps.upstreams.note(upstream, hostname, error);
        deps.log?.warn({ proxy: upstream.label, reason: error.message }, "a proxy failed");
      }
      throw error;
    }
  }

  const slowProxy = () =>
    options.upstream === null ? tooSlow() : new UpstreamError(options.upstream, "did not answer in time", false);

  return (target, callback, notePrivate) => {
    const deadline = new AbortController();
    const end = () => deadline.abort(tooSlow());
    const noted: Noted = { isAtProxy: false, isPrivate: notePrivate };
    const timer = setTimeout(end, options.connectMs);
    deps.closing.addEventListener("abort", end);
    const late = new Promise<never>((_resolve, reject) => {
      deadline.signal.addEventListener("abort", () => reject(noted.isAtProxy ? slowProxy() : tooSlow()), {
        once: true,
      });
    });
    Promise.race([open(target, deadline.signal, noted), late])
      .finally(() => {
        clearTimeout(timer);
        deps.closing.removeEventListener("abort", end);
      })
      .then(
        (socket) => {
          endPausedParser(socket);
          callback(null, socket);
        },
        (error: Error) => callback(error, null),
      );
  };
}

const plainCodes = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT", "ECONNABORTED"]);

function tlsFailure(error: Error): Error {
  if (error instanceof NetError || plainCodes.has(errorCode(error))) return error;
  return new NetError(
    "SCRAPE_SSL_ERROR",
    `The site's certificate or TLS is invalid (${errorCode(error) || "TLS"})`,
    error,
  );
}

function tooSlow(): NetError {
  return new NetError("SCRAPE_TIMEOUT", "The connection to the site took too long");
}
