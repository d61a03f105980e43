// The settings of search: services to ask, and the own index.
import { flag, httpUrl, setting, text, wholeNumber } from "../base/index.ts";

export const searchSettings = {
  searxngEndpoint: setting(
    "SEARXNG_ENDPOINT",
    httpUrl,
    null,
    "SearXNG to search the web with, be it in a private network. Its settings.yml must list json under search.formats. " +
      "Of several search services the first that answers is used, in the order of this table.",
  ),
  serperApiKey: setting("SERPER_API_KEY", text, null, "Key of Serper (serper.dev)."),
  searchApiKey: setting("SEARCHAPI_API_KEY", text, null, "Key of SearchApi (searchapi.io)."),
  braveApiKey: setting("BRAVE_API_KEY", text, null, "Key of the Brave Search API."),
  tavilyApiKey: setting("TAVILY_API_KEY", text, null, "Key of Tavily (tavily.com)."),
  googleSearchKey: setting(
    "GOOGLE_SEARCH_KEY",
    text,
    null,
    "Key of Google Programmable Search, which takes no new customers and ends on 1 January 2027.",
  ),
  googleSearchCx: setting("GOOGLE_SEARCH_CX", text, null, "Id of the search engine that belongs to GOOGLE_SEARCH_KEY."),
  ownIndex: setting(
    "OWN_INDEX",
    flag,
    true,
    "Pages that are read without headers of the caller's own and without zeroDataRetention are put into the team's own " +
      "index, and searches without a service look there. 0: neither.",
    "`1`",
  ),
  indexDays: setting(
    "INDEX_DAYS",
    wholeNumber(1, 3650),
    90,
    "Days that a page stays in the own index when it is not read again.",
  ),
  indexMegabytes: setting(
    "INDEX_MB",
    wholeNumber(1, 10_000_000),
    4096,
    "Texts that the own index keeps, before compression. Pages that were not read for longest go first.",
  ),
  searchMerge: setting(
    "SEARCH_MERGE",
    flag,
    false,
    "1: results of the own index join those of the search service.",
    "`0`",
  ),
};
