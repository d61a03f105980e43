// Cookies of one fetch: kept from one redirect to the next, and forgotten with the fetch.
import type { CookieJar } from "tough-cookie";
import type { Hop } from "./hops.ts";

/** As many as browsers keep for a site: each costs time, and a head has room for thousands. */
const maxCookiesPerAnswer = 180;

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
