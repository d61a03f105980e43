// Which URLs get the headers of a caller.
import { remember } from "../../base/index.ts";
import { loadDiscovery } from "../../reach/index.ts";

/** Headers may hold secrets: only the site that the caller named gets them, wherever its start page leads. */
export async function ownUrls(start: string): Promise<(url: string) => boolean> {
  const { createSiteScope } = await loadDiscovery();
  const named = new URL(start);
  const isOfSite = createSiteScope(named, { includeSubdomains: true, filterByPath: false });
  // Asked of every page, and most are of few origins.
  const isOwn = remember((origin) => {
    const url = new URL(origin);
    return isOfSite(url) && (url.protocol === "https:" || named.protocol === "http:");
  }, maxOrigins);
  return (text) => isOwn(plainOrigin.exec(text)?.[0] ?? text);
}

const maxOrigins = 100;
/** The origin of a URL in which nothing can be mistaken for it. */
const plainOrigin = /^https?:\/\/[a-z0-9.:-]+\//;
