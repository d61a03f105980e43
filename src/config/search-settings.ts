// Search settings: search services, and the local index.
import { flag, httpUrl, setting, text, wholeNumber } from "../base/index.ts";

export const searchSettings = {
  searxngEndpoint: setting(
    "SEARXNG_ENDPOINT",
    httpUrl,
    null,
    "URL of a SearXNG instance to search the web with. May be on a private network. Its settings.yml must list json under search.formats. " +
      "If several search services are configured, the first that answers is used, in the order of this table.",
  ),
  serperApiKey: setting("SERPER_API_KEY", text, null, "API key for Serper (serper.dev)."),
  searchApiKey: setting("SEARCHAPI_API_KEY", text, null, "API key for SearchApi (searchapi.io)."),
  braveApiKey: setting("BRAVE_API_KEY", text, null, "API key for Brave Search."),
  tavilyApiKey: setting("TAVILY_API_KEY", text, null, "API key for Tavily (tavily.com)."),
  googleSearchKey: setting(
    "GOOGLE_SEARCH_KEY",
    text,
    null,
    "API key for Google Programmable Search, which is closed to new customers and ends on 1 January 2027.",
  ),
  googleSearchCx: setting("GOOGLE_SEARCH_CX", text, null, "Id of the search engine for GOOGLE_SEARCH_KEY."),
  ownIndex: setting(
    "OWN_INDEX",
    flag,
    true,
    "Adds scraped pages to the team's local index, except pages fetched with custom headers or zeroDataRetention. " +
      "Searches use the index when no search service is configured. Set to 0 to turn it off.",
    "`1`",
  ),
  indexDays: setting(
    "INDEX_DAYS",
    wholeNumber(1, 3650),
    90,
    "Days to keep a page in the local index after it was last scraped.",
  ),
  indexMegabytes: setting(
    "INDEX_MB",
    wholeNumber(1, 10_000_000),
    4096,
    "Maximum size of the text in the local index in megabytes, before compression. The pages scraped longest ago are removed first.",
  ),
  searchMerge: setting(
    "SEARCH_MERGE",
    flag,
    false,
    "Set to 1 to merge results of the local index into those of the search service.",
    "`0`",
  ),
};
