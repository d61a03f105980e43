// Requests that a proxy forwards: http:// in the open, as curl sends it. Many companies' proxies refuse tunnels to its port.
// Only for hosts whose names the proxy may look up; all others go through tunnels, to addresses that were checked.
import type { ExchangeOptions } from "./exchange.ts";
import { type Upstream, UpstreamError } from "./upstreams.ts";

/** Null: tunnelled, or not proxied at all. */
export function forwarderOf(upstream: Upstream | null, protocol: string): Upstream | null {
  return protocol === "http:" && upstream?.resolvesNames === true && upstream.protocol !== "socks5:" ? upstream : null;
}

export function forwardTo(upstream: Upstream, how: ExchangeOptions): ExchangeOptions {
  const { request } = how;
  const authorization = proxyAuthorization(upstream);
  const headers = authorization === null ? {} : { "proxy-authorization": authorization };
  return {
    ...how,
    request: { ...request, path: `${request.origin}${request.path}`, headers: { ...request.headers, ...headers } },
  };
}

export function proxyAuthorization({ username, password }: Upstream): string | null {
  return username === "" ? null : `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** Throws for what the proxy says of itself, or of a site that it does not reach. */
export function requireForwarded(upstream: Upstream, status: number): void {
  if (status === 407) throw new UpstreamError(upstream, refusedCredentials(upstream), true);
  if (status === 502 || status === 504) throw new UpstreamError(upstream, `answered ${status} for the site`, false);
}

export function refusedCredentials({ username }: Upstream): string {
  return username === "" ? "wants credentials (407)" : "refuses the credentials (407)";
}
