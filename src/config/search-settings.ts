// Search settings: search services, open sources, and the local index.
import { flag, httpUrl, setting, settingFamily, text, wholeNumber } from "../base/index.ts";
import { scrapedSources, sourceEndpoint, sourceList } from "./search-sources.ts";

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
  openSearch: setting(
    "OPEN_SEARCH",
    flag,
    true,
    "Searches ask open sources on the internet (Wikipedia, Hacker News, arXiv and others: docs/search.md) when no search service " +
      "is configured, or when those that are failed or found nothing. Queries then leave this server. Set to 0 to send nothing out.",
    "`1`",
  ),
  searchEngines: setting(
    "SEARCH_ENGINES",
    sourceList,
    [],
    `Engines to ask besides the open sources: ${scrapedSources.join(", ")}. Their pages are read, which they do not foresee: they ` +
      "change without notice and block servers. A name with - before it leaves an open source out, such as -keenable.",
    "none",
  ),
  searchEndpoints: settingFamily(
    "SEARCH_ENDPOINT_<NAME>",
    sourceEndpoint,
    "Base URL of an open source by its name in capitals, such as SEARCH_ENDPOINT_HACKERNEWS, for mirrors. May be on a private " +
      "network. In that of Wikipedia, {language} is replaced.",
    "the source's own",
  ),
  searchTimeMs: setting(
    "SEARCH_TIME_MS",
    wholeNumber(100, 60_000),
    2500,
    "Milliseconds to wait for open sources. Those that have not answered by then are left out, unless nothing was found at all.",
  ),
  searchCacheSeconds: setting(
    "SEARCH_CACHE_SECONDS",
    wholeNumber(0, 86_400),
    900,
    "Seconds for which the answer of an open source serves the same search of the same team (with SHARED_CACHE=1, of every team).",
  ),
  searchCooldownSeconds: setting(
    "SEARCH_COOLDOWN_SECONDS",
    wholeNumber(1, 86_400),
    60,
    "Seconds that an open source rests after it refused or failed, unless it names a time itself. Every further rest is twice as long.",
  ),
  searchPace: setting(
    "SEARCH_PACE",
    flag,
    true,
    "Keeps to the pace that open sources ask for. Set to 0 only for mirrors of your own.",
    "`1`",
  ),
  searchContact: setting(
    "SEARCH_CONTACT",
    text,
    null,
    "URL or email address under which operators of open sources can reach you. Sent to them with every request.",
    "the value of PUBLIC_URL",
  ),
  keenableApiKey: setting(
    "KEENABLE_API_KEY",
    text,
    null,
    "API key for Keenable, which works without one; it raises limits.",
  ),
  openAlexApiKey: setting(
    "OPENALEX_API_KEY",
    text,
    null,
    "API key for OpenAlex, which works without one; it raises limits.",
  ),
  stackExchangeApiKey: setting(
    "STACKEXCHANGE_API_KEY",
    text,
    null,
    "API key for Stack Exchange, which works without one; it raises limits.",
  ),
  githubSearchToken: setting(
    "GITHUB_SEARCH_TOKEN",
    text,
    null,
    "Token for searching GitHub, which works without one; it raises limits.",
  ),
  marginaliaApiKey: setting(
    "MARGINALIA_API_KEY",
    text,
    null,
    "API key for Marginalia, which is asked only with a key.",
  ),
  ownIndex: setting(
    "OWN_INDEX",
    flag,
    true,
    "Adds scraped pages to the team's local index, except pages fetched with custom headers or zeroDataRetention. " +
      "Searches use the index unless a search service found something. Set to 0 to turn it off.",
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
