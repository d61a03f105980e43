// Which URLs belong to a site: those of its registrable domain, on its port, below its path.
import { getDomain } from "tldts";

export interface SiteScopeOptions {
  includeSubdomains: boolean;
  /** Only URLs below the start's path. */
  filterByPath: boolean;
}

/** The registrable domain; an IP address or a name without one is its own site. */
export function siteOf(url: URL): string {
  const host = bareHost(url);
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}

export function createSiteScope(start: URL, options: SiteScopeOptions): (url: URL) => boolean {
  const site = siteOf(start);
  const host = withoutWww(bareHost(start));
  // http on 80 and https on 443 have no port: they are one site.
  const isBelow = options.filterByPath ? createPathScope(start.pathname) : () => true;
  // Sitemaps name the same host thousands of times.
  const judged = new Map<string, boolean>();

  function isOfSite(url: URL): boolean {
    const known = judged.get(url.host);
    if (known !== undefined) return known;
    const other = bareHost(url);
    const isIt =
      url.port === start.port && (options.includeSubdomains ? siteOf(url) === site : withoutWww(other) === host);
    if (judged.size < 10_000) judged.set(url.host, isIt);
    return isIt;
  }

  return (url) => {
    if (url.protocol !== "http:" && url.protocol !== "https:") return false;
    return isOfSite(url) && isBelow(url.pathname);
  };
}

/** Whether a path is this one or lies below it. */
export function createPathScope(path: string): (other: string) => boolean {
  const folder = folderOf(path);
  if (folder === "/") return () => true;
  return (other) => other.startsWith(folder) || `${other}/` === folder;
}

/**
 * What two spellings of one page have in common: scheme, `www.` and a slash at the end make no difference. The query and the
 * case of the path do.
 */
export function pageKey(url: URL): string {
  const path = url.pathname.endsWith("/") ? url.pathname.slice(0, -1) : url.pathname;
  return `${withoutWww(bareHost(url))}${url.port === "" ? "" : `:${url.port}`}${path}${url.search}`;
}

/** `/docs` and `/docs/` are the folder `/docs/`; `/docs/start.html` lies in it. */
function folderOf(path: string): string {
  const last = path.slice(path.lastIndexOf("/") + 1);
  if (last === "") return path;
  return last.includes(".") ? path.slice(0, -last.length) : `${path}/`;
}

function bareHost(url: URL): string {
  return url.hostname.endsWith(".") ? url.hostname.slice(0, -1) : url.hostname;
}

function withoutWww(host: string): string {
  return host.startsWith("www.") ? host.slice(4) : host;
}
