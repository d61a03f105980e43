// Which URLs get the headers of a caller.
import { loadDiscovery } from "../../reach/index.ts";

/** Headers may hold secrets: only the site that the caller named gets them, wherever its start page leads. */
export async function ownUrls(start: string): Promise<(url: string) => boolean> {
  const { createSiteScope } = await loadDiscovery();
  const named = new URL(start);
  const isOfSite = createSiteScope(named, { includeSubdomains: true, filterByPath: false });
  return (text) => {
    const url = new URL(text);
    return isOfSite(url) && (url.protocol === "https:" || named.protocol === "http:");
  };
}
