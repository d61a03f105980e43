// The requests of one fetch: the first, and one for each redirect that is followed. Cookies are kept from one to the next, and
// forgotten with the fetch.
import type { CookieJar } from "tough-cookie";
import { basicAuthorization, parseUrl } from "../base/index.ts";
import type { RequestMethod } from "./exchange.ts";
import { isConnectionHeader, isSecretHeader } from "./headers.ts";
import type { ResponseHeaders } from "./outcome.ts";
import { acceptEncoding } from "./response-body.ts";

export interface Hop {
  url: URL;
  method: RequestMethod;
  headers: Record<string, string>;
  body: string | Buffer | null;
}

/** As many as browsers keep for a site: each costs time, and a head has room for thousands. */
const maxCookiesPerAnswer = 180;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

interface FirstRequest {
  method?: RequestMethod;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
}

export function firstHop(request: FirstRequest, userAgent: string, url: URL): Hop {
  const headers: Record<string, string> = { "user-agent": userAgent, accept: "*/*", "accept-encoding": acceptEncoding };
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    if (!isConnectionHeader(name)) headers[name.toLowerCase()] = value;
  }
  return withCredentials({ url, method: request.method ?? "GET", headers, body: request.body ?? null });
}

export function nextHop(hop: Hop, status: number, url: URL): Hop {
  const isSameOrigin = url.origin === hop.url.origin;
  const keepsMethod = isKept(hop.method, status);
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

/** As HTTP has it: after 303, and after 301 and 302 of a POST, comes a GET. */
function isKept(method: RequestMethod, status: number): boolean {
  if (method === "GET" || method === "HEAD") return true;
  return status === 307 || status === 308 || (status !== 303 && method !== "POST");
}

/** What browsers send as Referer to another origin: the origin alone, and nothing from https to http. */
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

export function redirectOf(status: number, headers: ResponseHeaders): string | null {
  if (!redirectStatuses.has(status)) return null;
  const location = headers.location;
  const text = Array.isArray(location) ? location[0] : location;
  if (text === undefined || text === "") return null;
  // Bytes beyond ASCII go back to the site unchanged, whatever their charset; undici reads every header as Latin-1.
  return text.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The jar lives as long as the request. Its package is loaded when a hop first sets a cookie: most never do. */
export async function keepCookies(
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

export function withCookies(hop: Hop, jar: CookieJar): Record<string, string> {
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
