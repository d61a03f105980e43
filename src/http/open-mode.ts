// Open mode has no keys, so a web page that the operator happens to visit could control the server. It is refused by
// headers that web pages cannot forge: Host (against DNS rebinding), Origin and Sec-Fetch-Site.
import type { FastifyRequest } from "fastify";
import { ServiceError } from "../base/index.ts";

/** The same for requests without a key where keys are the rule; programs send none of these headers and may name any host. */
export function createKeylessGuard(ownHosts: readonly string[], allowedOrigins: readonly string[]) {
  const guard = createOpenModeGuard(ownHosts, allowedOrigins);
  return (request: FastifyRequest): void => {
    const { origin, "sec-fetch-site": site } = request.headers;
    if (origin !== undefined || site !== undefined) guard(request);
  };
}

export function createOpenModeGuard(ownHosts: readonly string[], allowedOrigins: readonly string[]) {
  const hosts = new Set(["localhost", "127.0.0.1", "[::1]", ...ownHosts]);

  function isOwnHost(hostname: string): boolean {
    return hosts.has(hostname) || hostname.endsWith(".localhost");
  }

  return (request: Pick<FastifyRequest, "headers">): void => {
    const { host = "", origin } = request.headers;
    const hostname = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
    if (!isOwnHost(hostname))
      throw new ServiceError("FORBIDDEN", "Without a key, the Host header must name this server.");
    if (origin !== undefined) {
      const isOwn = URL.canParse(origin) && isOwnHost(new URL(origin).hostname) && new URL(origin).host === host;
      if (!isOwn && !allowedOrigins.includes(origin)) throw foreignPage();
    } else if (!["same-origin", "none", undefined].includes(request.headers["sec-fetch-site"] as string | undefined)) {
      throw foreignPage();
    }
  };
}

function foreignPage(): ServiceError {
  return new ServiceError(
    "FORBIDDEN",
    "In open mode, web pages of other origins may not call this server. Set CORS_ORIGINS to allow one.",
  );
}
