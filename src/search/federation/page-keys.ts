// When results of several sources are one page, and which of its URLs is shown.
import { parseUrl } from "../../base/index.ts";
import { doiIn } from "../sources/research-source.ts";

const tracking = /^(?:utm_\w+|gclid|fbclid|mc_cid|mc_eid|igshid|ref_src)$/i;

/** The URL as it is shown: without parameters that only tell where a reader came from. */
export function withoutTracking(url: string): string {
  if (!url.includes("?")) return url;
  const parsed = parseUrl(url);
  if (!parsed) return url;
  const names = [...parsed.searchParams.keys()].filter((name) => tracking.test(name));
  if (names.length === 0) return url;
  for (const name of names) parsed.searchParams.delete(name);
  return parsed.href;
}

/** Two results that have a key in common are one page. */
export function pageKeys(url: string, ids: readonly string[]): string[] {
  const parsed = parseUrl(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return [url, ...ids];
  return [urlKey(parsed), ...namesIn(parsed), ...ids];
}

/** Scheme, `www.` and `m.`, default port, slash at the end, fragment, order of parameters and tracking make no difference. */
function urlKey(url: URL): string {
  const host = url.hostname.replace(/^(?:www|m)\./, "").replace(/\.$/, "");
  const port = url.port === "" || url.port === "80" || url.port === "443" ? "" : `:${url.port}`;
  const parameters = [...url.searchParams]
    .filter(([name]) => !tracking.test(name))
    .map(([name, value]) => `${name}=${value}`);
  const path = withoutSlashes(url.pathname);
  return `${host}${port}${path}?${parameters.sort().join("&")}`;
}

/** At its end; a pattern would take long for a path of nothing but slashes. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

/** What the URL says the page is, on sites where one page has many. */
function namesIn({ hostname, pathname }: URL): string[] {
  const host = hostname.replace(/^www\./, "");
  const first = (pattern: RegExp) => pattern.exec(pathname)?.[1];
  const named = (kind: string, id: string | undefined) => (id === undefined ? [] : [`${kind}:${id.toLowerCase()}`]);
  if (host === "stackoverflow.com") return named("stackoverflow", first(/^\/(?:questions|q)\/(\d+)/));
  if (host === "arxiv.org" || host === "export.arxiv.org") {
    return named("arxiv", first(/^\/(?:abs|pdf|html)\/(.+?)(?:v\d+)?(?:\.pdf)?$/));
  }
  if (host === "pubmed.ncbi.nlm.nih.gov") return named("pmid", first(/^\/(\d+)/));
  if (host === "pmc.ncbi.nlm.nih.gov" || host === "ncbi.nlm.nih.gov") return named("pmcid", first(/(pmc\d+)/i));
  const doi = doiIn(decoded(pathname));
  return doi === null ? [] : [`doi:${doi}`];
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
