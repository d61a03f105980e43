// Connections through an upstream proxy. It gets the checked IP address, never the name: the proxy must not
// look it up again. (Names of the operator's own services are not checked, and may go to a proxy of the environment.) A proxy of the operator's settings is not checked itself; a caller's is, like a target.
import { request } from "node:http";
import { isIP, isIPv6, type Socket } from "node:net";
import { dial } from "./dial.ts";
import { proxyAuthorization, refusedCredentials } from "./forward-request.ts";
import type { Guard } from "./guard.ts";
import { errorCode, NetError } from "./outcome.ts";
import type { Resolve } from "./resolve.ts";
import { openSocksTunnel, SocksError } from "./socks.ts";
import { createTlsUpgrade } from "./tls-upgrade.ts";
import { type Upstream, UpstreamError } from "./upstreams.ts";

export interface UpstreamTunnelDeps {
  guard: Guard;
  /** For a caller's proxies, like the names of pages. */
  resolve: Resolve;
  /** For the operator's, which may be in a network whose names only this system knows. */
  resolveOwn: Resolve;
  /** Trusted in addition to the certificates that come with Node. */
  certificates: readonly string[] | null;
}

export interface TunnelTarget {
  /** Or one name, for a proxy that may look it up. */
  addresses: readonly string[];
  port: number;
}

/** Answers that do not count against the proxy: it could not, or may not, reach the target. */
const targetStatuses = new Set([403, 404, 500, 502, 503, 504]);

/** Throws UpstreamError for what the proxy does, NetError when its own host is not allowed. */
export async function openTunnel(
  deps: UpstreamTunnelDeps,
  upstream: Upstream,
  { addresses, port }: TunnelTarget,
  signal: AbortSignal,
): Promise<Socket> {
  let failure: unknown = new UpstreamError(upstream, "got no address to connect to", false);
  for (const address of addresses) {
    const socket = await reachProxy(deps, upstream, signal);
    const end = () => socket.destroy(signal.reason);
    signal.addEventListener("abort", end);
    try {
      await ask(socket, upstream, address, port);
      return socket;
    } catch (error) {
      socket.destroy();
      failure = toUpstreamError(upstream, error, signal);
      if (failure instanceof UpstreamError && failure.isItsOwn) break;
    } finally {
      signal.removeEventListener("abort", end);
    }
  }
  throw failure;
}

/** A connection to the proxy itself, encrypted where it wants that. */
export async function reachProxy(
  { guard, resolve, resolveOwn, certificates }: UpstreamTunnelDeps,
  upstream: Upstream,
  signal: AbortSignal,
): Promise<Socket> {
  const { hostname, port, protocol, isCallers } = upstream;
  try {
    const found = isIP(hostname) === 0 ? await (isCallers ? resolve : resolveOwn)(hostname) : [hostname];
    const permitted = isCallers ? found.filter((each) => guard.permits(each, port, hostname)) : found;
    if (permitted.length === 0) throw new NetError("URL_NOT_ALLOWED", "The host of proxyUrl is not allowed");
    const socket = await dial(permitted, port, signal);
    if (protocol !== "https:") return socket;
    const secure = createTlsUpgrade({ skipTlsVerification: false, certificates });
    return await secure(socket, { hostname, port, offersHttp2: false }, signal);
  } catch (error) {
    if (error instanceof NetError && error.code === "URL_NOT_ALLOWED") throw error;
    const code = errorCode(error);
    const what = signal.aborted ? "did not answer in time" : `cannot be reached${code === "" ? "" : ` (${code})`}`;
    throw new UpstreamError(upstream, what, true, error);
  }
}

function ask(socket: Socket, upstream: Upstream, address: string, port: number): Promise<void> {
  if (upstream.protocol === "socks5:") return openSocksTunnel(socket, address, port, upstream);
  const authorization = proxyAuthorization(upstream);
  const authority = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  return new Promise((resolve, reject) => {
    const connecting = request({
      createConnection: () => socket,
      method: "CONNECT",
      path: authority,
      headers: { host: authority, ...(authorization === null ? {} : { "proxy-authorization": authorization }) },
    });
    connecting.once("error", reject);
    connecting.once("connect", (answer, _socket, head: Buffer) => {
      const { statusCode = 0 } = answer;
      if (statusCode < 200 || statusCode > 299) {
        const isItsOwn = !targetStatuses.has(statusCode);
        const what = statusCode === 407 ? refusedCredentials(upstream) : `refused the connection (${statusCode})`;
        reject(new UpstreamError(upstream, what, isItsOwn));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve();
    });
    connecting.end();
  });
}

function toUpstreamError(upstream: Upstream, error: unknown, signal: AbortSignal): UpstreamError {
  if (error instanceof UpstreamError) return error;
  // It may be waiting for a site that does not answer.
  if (signal.aborted) return new UpstreamError(upstream, "did not answer in time", false, error);
  if (error instanceof SocksError) return new UpstreamError(upstream, error.message, error.isItsOwn);
  return new UpstreamError(upstream, "closed the connection", true, error);
}
