// The pages of a site by their URLs as text. A sitemap names a million of them, and to parse each again would cost more
// than everything else that is done with it; so URLs must be spelled as the URL parser writes them.
import { parseUrl } from "../../base/index.ts";
import { createPathScope, createSiteScope, pageKey } from "./site.ts";

export interface SitePage {
  /** Without its fragment. */
  url: string;
  key: PageKey;
  path: string;
  hasQuery: boolean;
}

/** The same for every spelling of a page that `pageKey` takes for one; in parts, because joining them costs. */
export interface PageKey {
  host: string;
  /** Where in the URL the rest of the key begins. */
  restFrom: number;
  /** The place of a slash in the URL that is not part of the key, or -1. */
  skipped: number;
}

export interface SitePagesOptions {
  includeSubdomains: boolean;
  /** Only pages at this path or below it. */
  below: string;
}

const maxOrigins = 10_000;

/** Answers null for what is no page of the site. */
export function createSitePages(start: URL, options: SitePagesOptions): (href: string) => SitePage | null {
  const isOfSite = createSiteScope(start, { includeSubdomains: options.includeSubdomains, filterByPath: false });
  const isBelow = createPathScope(options.below);
  /** What the keys of an origin's pages begin with; null: not of the site. */
  const origins = new Map<string, string | null>();
  let latest = { origin: "\0", hostKey: null as string | null };

  function hostKeyOf(href: string): string | null {
    if (href.startsWith(latest.origin) && href.charCodeAt(latest.origin.length) === 47) return latest.hostKey;
    const origin = href.slice(0, href.indexOf("/", 8));
    let hostKey = origins.get(origin);
    if (hostKey === undefined) {
      hostKey = readHostKey(`${origin}/`);
      if (origins.size < maxOrigins) origins.set(origin, hostKey);
    }
    latest = { origin, hostKey };
    return hostKey;
  }

  /** A URL with a name and a password in it is nobody's to list. */
  function readHostKey(root: string): string | null {
    const address = parseUrl(root);
    if (address === null || address.username !== "" || address.password !== "" || !isOfSite(address)) return null;
    return pageKey(address);
  }

  return (href) => {
    const hostKey = hostKeyOf(href);
    if (hostKey === null) return null;
    const pathFrom = latest.origin.length;
    const hash = href.indexOf("#", pathFrom);
    const url = hash === -1 ? href : href.slice(0, hash);
    const query = url.indexOf("?", pathFrom);
    const path = url.slice(pathFrom, query === -1 ? url.length : query);
    if (!isBelow(path)) return null;
    const skipped = path.endsWith("/") ? pathFrom + path.length - 1 : -1;
    return { url, key: { host: hostKey, restFrom: pathFrom, skipped }, path, hasQuery: query !== -1 };
  };
}

/** The key as one text. */
export function keyText({ host, restFrom, skipped }: PageKey, url: string): string {
  if (skipped === -1) return host + url.slice(restFrom);
  return host + url.slice(restFrom, skipped) + url.slice(skipped + 1);
}
