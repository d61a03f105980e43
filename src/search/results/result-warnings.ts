// What a caller is told about results that are missing.
import type { ProviderSource } from "../providers/search-provider.ts";
import type { IndexFindings } from "./ask-index.ts";

/** With fewer pages the local index is no replacement for the web. */
const thinIndex = 100;
const settings =
  "SEARXNG_ENDPOINT, SERPER_API_KEY, SEARCHAPI_API_KEY, BRAVE_API_KEY, TAVILY_API_KEY, or GOOGLE_SEARCH_KEY with " +
  "GOOGLE_SEARCH_CX";

/** Open sources are on unless an operator has turned them off. */
const openSources = "OPEN_SEARCH=1";

export const noServiceFits = "No configured search service understands this query.";

export function leftOutWarnings(undated: number, undecided: number): string[] {
  const leftOut = (count: number) => (count === 1 ? "1 result was left out" : `${count} results were left out`);
  return [
    ...(undated === 0 ? [] : [`${leftOut(undated)} because no date is known.`]),
    ...(undecided === 0 ? [] : [`${leftOut(undecided)} because the query's operators could not be checked.`]),
  ];
}

export function unknownSite(host: string): string {
  return `The local index has no page of ${host}, so related: cannot find similar sites.`;
}

/** `isBeside`: a search service was asked, too. */
export function indexWarnings(
  { results, unknownSites, pages }: IndexFindings,
  location: string | undefined,
  isBeside: boolean,
): string[] {
  const warnings = unknownSites.map(unknownSite);
  if (!isBeside && pages !== null && (pages < thinIndex || results.length === 0)) {
    const size = pages === 1 ? "1 page" : `${pages} pages`;
    const what = pages === 0 ? "is empty: scrape or crawl something first" : `has ${size} that this team has read`;
    warnings.push(
      `Only the local index was searched, which ${what}. To search the web, set ${openSources}, ${settings}.`,
    );
  }
  if (location !== undefined) warnings.push("location has no effect on the local index.");
  return warnings;
}

/** Sources share sentences, which are then said once. */
export function nothingToAsk(source: ProviderSource): string[] {
  const web = `To search the web, set ${openSources}, ${settings}`;
  if (source !== "web") return [`The local index has no ${source}.`, `${web}.`];
  return [`No search source is available. ${web}; to search the pages that you have read, set OWN_INDEX=1.`];
}
