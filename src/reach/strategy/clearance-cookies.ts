// Clearance cookies: a host sets them when a page passes its block, and they let the next pages through. Only its own are kept.
import type { StorageState } from "../../engines/index.ts";

export type ClearanceCookie = StorageState["cookies"][number] & {
  /** Under which User-Agent a solver has won it: the host may want to see the two together. */
  userAgent?: string;
};

const maxCookies = 50;
const maxBytes = 16 * 1024;

/** Those that a browser would send to the host, none that have expired; few and small. */
export function cookiesOfHost(
  cookies: readonly ClearanceCookie[] | undefined,
  url: string,
  now: number,
): ClearanceCookie[] {
  const kept: ClearanceCookie[] = [];
  let bytes = 0;
  for (const cookie of cookies ?? []) {
    bytes += cookie.name.length + cookie.value.length;
    if (kept.length === maxCookies || bytes > maxBytes) break;
    if (belongsTo(cookie, new URL(url).hostname) && !hasExpired(cookie, now)) kept.push(cookie);
  }
  return kept;
}

/** The value of the Cookie header for a URL; null when no cookie is to be sent. */
export function cookieHeader(cookies: readonly ClearanceCookie[], url: string, now: number): string | null {
  if (cookies.length === 0) return null;
  const { hostname, pathname, protocol } = new URL(url);
  const sent = cookies.filter(
    (cookie) =>
      belongsTo(cookie, hostname) &&
      !hasExpired(cookie, now) &&
      isBelow(pathname, cookie.path) &&
      (!cookie.secure || protocol === "https:"),
  );
  return sent.length === 0 ? null : sent.map(({ name, value }) => `${name}=${value}`).join("; ");
}

/** The User-Agent to send with them; null for the usual one. */
export function userAgentOf(cookies: readonly ClearanceCookie[]): string | null {
  return cookies.find(({ userAgent }) => userAgent !== undefined)?.userAgent ?? null;
}

/** Cookies as a browser takes them. */
export function asStorageState(cookies: readonly ClearanceCookie[]): StorageState | undefined {
  return cookies.length === 0
    ? undefined
    : { cookies: cookies.map(({ userAgent: _, ...cookie }) => cookie), origins: [] };
}

/** A domain with a dot before it is meant for its subdomains, too. */
function belongsTo({ domain }: ClearanceCookie, hostname: string): boolean {
  return domain.startsWith(".") ? `.${hostname}`.endsWith(domain) : hostname === domain;
}

/** Seconds since 1970; -1 for the time that the browser runs. */
function hasExpired({ expires }: ClearanceCookie, now: number): boolean {
  return expires >= 0 && expires * 1000 <= now;
}

function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
}
