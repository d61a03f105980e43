// Which URLs get the headers of a caller.

/** Headers may hold secrets: only the site that the caller named gets them, wherever its start page leads. */
export async function ownUrls(start: string): Promise<(url: string) => boolean> {
  // Loaded with the first job: an idle server stays small.
  const { createSiteScope } = await import("../discovery/index.ts");
  const named = new URL(start);
  const isOfSite = createSiteScope(named, { includeSubdomains: true, filterByPath: false });
  return (text) => {
    const url = new URL(text);
    return isOfSite(url) && (url.protocol === "https:" || named.protocol === "http:");
  };
}
