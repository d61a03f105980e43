// Asks the team's local index for the results of one facet.
import { isoTime } from "../../base/index.ts";
import type { LocalIndex } from "../local-index/local-index.ts";
import { isOfFacet } from "./categories.ts";
import { type PageKeyOf, resultKey } from "./fuse-results.ts";
import type { SearchResult } from "./search-result.ts";
import { domainsOf, type FacetRequest, maxAsked, type ResultContext } from "./source-request.ts";

export interface IndexFindings {
  results: SearchResult[];
  /** Sites of `related:` that the index knows nothing about. */
  unknownSites: readonly string[];
  /** Pages of the team in the index; null when there are enough results. */
  pages: number | null;
}

export async function askIndex(
  index: LocalIndex,
  { isAllowed, pageKeyOf }: { isAllowed(url: string): boolean; pageKeyOf: PageKeyOf },
  request: FacetRequest,
  { signal, trace }: Pick<ResultContext, "signal" | "trace">,
): Promise<IndexFindings> {
  const { teamId, query, facet, excludeDomains, ignoreInvalidURLs, highlights: wantsPassages, seen } = request;
  const isNarrowed = facet.isPdf || (facet.domains.length > 0 && request.includeDomains.length > 0);
  const limit = isNarrowed || ignoreInvalidURLs || seen.size > 0 ? maxAsked : request.limit;
  const isUnseen = (url: string) => seen.size === 0 || !seen.has(resultKey(new URL(url), pageKeyOf));
  const accepts = (url: string) => isOfFacet(facet, url) && (!ignoreInvalidURLs || isAllowed(url)) && isUnseen(url);
  const asked = {
    ...{ teamId, query, limit, wantsPassages, passagesFor: request.passagesFor, excludeDomains },
    wanted: { count: request.limit, accepts },
    time: request.time ?? undefined,
    includeDomains: domainsOf(request),
  };
  const { results, unknownSites } = await trace.run(
    "index",
    () => index.search(asked, signal),
    (answer) => ({ outcome: `${answer.results.length} results` }),
  );
  const found = results.map((result): SearchResult => {
    const { url, title, description, published } = result;
    const date = published === null ? "" : isoTime(published);
    return { url, title, description, published: result.date, date, engines: ["index"] };
  });
  const pages = found.length < request.limit ? (await index.stats(teamId)).pages : null;
  return { results: found, unknownSites, pages };
}
