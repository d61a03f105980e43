// Opens the connections of the pools: resolve, check, dial what was checked, in this order and only here. There is no
// second lookup, so the address checked is the address dialled.
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { buildConnector } from "undici";
import type { Logger } from "../base/index.ts";
import { bareHost, type Guard, refusedMessage } from "./guard.ts";
import { errorCode, NetError } from "./outcome.ts";
import { endPausedParser } from "./paused-parser.ts";
import type { Resolve } from "./resolve.ts";
import type { Tunnel } from "./tunnel.ts";

export interface ConnectorDeps {
  guard: Guard;
  resolve: Resolve;
  /** Through the proxy of the settings, or null to dial directly. */
  tunnel: Tunnel | null;
  log: Logger | null;
  /** Aborted when the whole net closes. */
  closing: AbortSignal;
}

/** As undici wants it, and telling, before it dials, whether the connection leads into private space. */
export type Connect = (
  target: buildConnector.Options,
  callback: buildConnector.Callback,
  notePrivate: () => void,
) => void;

export interface ConnectorOptions {
  connectMs: number;
  skipTlsVerification: boolean;
  /** For an origin that the operator configured: it is not checked, and dialled directly. */
  isTrusted: boolean;
  /** Trusted instead of the certificates that come with Node. */
  certificates: readonly string[] | null;
}

/** Further addresses are not tried. */
const maxAddresses = 8;
const attemptMs = 1000;
const readBufferBytes = 64 * 1024;

export function createConnector(deps: ConnectorDeps, options: ConnectorOptions): Connect {
  // One per pool kind: TLS sessions, too, must not travel from unverified to verified connections. Its own timeout is
  // off because the one here covers every step together.
  const trust = options.certificates === null ? {} : { ca: [...options.certificates] };
  const secure = buildConnector({ rejectUnauthorized: !options.skipTlsVerification, timeout: 0, ...trust });

  async function open(target: buildConnector.Options, signal: AbortSignal, notePrivate: () => void): Promise<Socket> {
    const hostname = bareHost(target.hostname);
    const port = Number(target.port) || (target.protocol === "https:" ? 443 : 80);
    const found = isIP(hostname) === 0 ? await deps.resolve(hostname) : [hostname];
    const permitted = options.isTrusted ? found : found.filter((each) => deps.guard.permits(each, port, hostname));
    if (permitted.length === 0) {
      deps.log?.debug({ hostname, port, addresses: found }, "address refused");
      throw new NetError("URL_NOT_ALLOWED", refusedMessage);
    }
    if (permitted.some((each) => deps.guard.isPrivate(each, port, hostname))) notePrivate();
    if (signal.aborted) throw tooSlow();
    const addresses = permitted.slice(0, maxAddresses);
    const socket =
      deps.tunnel === null || options.isTrusted
        ? await dial(hostname, addresses, port, signal)
        : await deps.tunnel(addresses, port, signal);
    if (signal.aborted) {
      socket.destroy();
      throw tooSlow();
    }
    return target.protocol === "https:" ? upgrade(target, socket, signal) : socket;
  }

  function upgrade(target: buildConnector.Options, httpSocket: Socket, signal: AbortSignal): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const end = () => httpSocket.destroy(tooSlow());
      signal.addEventListener("abort", end);
      secure({ ...target, httpSocket }, (error, socket) => {
        signal.removeEventListener("abort", end);
        // undici leaves the socket out when it reports an error.
        if (error === null && socket !== null) return resolve(socket);
        httpSocket.destroy();
        reject(tlsFailure(error));
      });
    });
  }

  return (target, callback, notePrivate) => {
    const deadline = new AbortController();
    const end = () => deadline.abort();
    const timer = setTimeout(end, options.connectMs);
    deps.closing.addEventListener("abort", end);
    const late = new Promise<never>((_resolve, reject) => {
      deadline.signal.addEventListener("abort", () => reject(tooSlow()), { once: true });
    });
    Promise.race([open(target, deadline.signal, notePrivate), late])
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

function dial(hostname: string, addresses: string[], port: number, signal: AbortSignal): Promise<Socket> {
  const [only] = addresses;
  const records = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_name, { all }, done) => {
    if (all) done(null, records);
    else done(null, records[0]?.address ?? "", records[0]?.family);
  };
  const how = addresses.length === 1 && only !== undefined ? { host: only } : { host: hostname, lookup };
  const options = {
    ...how,
    port,
    noDelay: true,
    keepAlive: true,
    highWaterMark: readBufferBytes,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptMs,
  };
  return new Promise((resolve, reject) => {
    const socket = connect(options);
    const end = () => socket.destroy(tooSlow());
    signal.addEventListener("abort", end);
    socket.once("error", (error) => {
      signal.removeEventListener("abort", end);
      reject(error);
    });
    socket.once("connect", () => {
      signal.removeEventListener("abort", end);
      socket.removeAllListeners("error");
      resolve(socket);
    });
  });
}

const plainCodes = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT", "ECONNABORTED"]);

function tlsFailure(error: Error | null): Error {
  if (error instanceof NetError || plainCodes.has(errorCode(error))) return error as Error;
  return new NetError(
    "SCRAPE_SSL_ERROR",
    `The site's certificate or TLS is invalid (${errorCode(error) || "TLS"})`,
    error,
  );
}

function tooSlow(): NetError {
  return new NetError("SCRAPE_TIMEOUT", "The connection to the site took too long");
}
