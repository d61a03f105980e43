// Search settings: search services, open sources, and the local index.

import { scrapedSources, sourceEndpoint, sourceList } from "./search-source-names.ts";
import { flag, optional, optionalUrl, setting, settingFamily, wholeNumber } from "./setting.ts";

export const searchSettings = {
  searxngEndpoint: optionalUrl(
    "SEARXNG_ENDPOINT",
    "URL of a SearXNG instance for web search. May be on a private network. Its settings.yml must list json under " +
      "search.formats. If several search services are configured, the first that answers is used, in the order of this table.",
  ),
  serperApiKey: optional("SERPER_API_KEY", "API key for Serper (serper.dev)."),
  searchApiKey: optional("SEARCHAPI_API_KEY", "API key for SearchApi (searchapi.io)."),
  braveApiKey: optional("BRAVE_API_KEY", "API key for Brave Search."),
  tavilyApiKey: optional("TAVILY_API_KEY", "API key for Tavily (tavily.com)."),
  googleSearchKey: optional(
    "GOOGLE_SEARCH_KEY",
    "API key for Google Programmable Search, which is closed to new customers and ends on 1 January 2027.",
  ),
  googleSearchCx: optional("GOOGLE_SEARCH_CX", "ID of the search engine for GOOGLE_SEARCH_KEY."),
  openSearch: setting(
    "OPEN_SEARCH",
    flag,
    true,
    "Lets searches use open sources on the internet (Wikipedia, Hacker News, arXiv and others: docs/search.md) if no search " +
      "service is configured, or if the configured ones failed or found nothing. Queries then leave this server. Set to 0 to " +
      "prevent that.",
  ),
  searchEngines: setting(
    "SEARCH_ENGINES",
    sourceList,
    [],
    `Search engines to ask in addition to the open sources: ${scrapedSources.join(", ")}. Their result pages are scraped, so they ` +
      "may change without notice and block servers. A name that begins with - leaves out an open source, such as -keenable.",
  ),
  searchEndpoints: settingFamily(
    "SEARCH_ENDPOINT_<NAME>",
    sourceEndpoint,
    "Base URL of a mirror of an open source, by the source's name in capitals, such as SEARCH_ENDPOINT_HACKERNEWS. May be " +
      "on a private network. {language} in the URL of Wikipedia is replaced.",
    "the source's own",
  ),
  searchTimeMs: setting(
    "SEARCH_TIME_MS",
    wholeNumber(100, 60_000),
    2500,
    "Time to wait for open sources, in milliseconds. Slower sources are left out, unless nothing else was found.",
  ),
  searchCacheSeconds: setting(
    "SEARCH_CACHE_SECONDS",
    wholeNumber(0, 86_400),
    900,
    "How long the answer of an open source is reused for the same search of the same team, in seconds. With SHARED_CACHE=1 " +
      "it is reused for every team.",
  ),
  searchCooldownSeconds: setting(
    "SEARCH_COOLDOWN_SECONDS",
    wholeNumber(1, 86_400),
    60,
    "How long an open source is not asked after it refused or failed, in seconds, unless it names a time itself. Each " +
      "further failure doubles it.",
  ),
  searchPace: setting(
    "SEARCH_PACE",
    flag,
    true,
    "Limits requests to the rate that open sources ask for. Set to 0 only if all of them are your own mirrors.",
  ),
  searchContact: optional(
    "SEARCH_CONTACT",
    "URL or email address at which operators of open sources can reach you. Sent with every request to them; Wikimedia refuses " +
      "servers whose contact does not help.",
    "the value of PUBLIC_URL, or the homepage of the project",
  ),
  keenableApiKey: optional("KEENABLE_API_KEY", "API key for Keenable. Optional: it raises the limits."),
  openAlexApiKey: optional("OPENALEX_API_KEY", "API key for OpenAlex. Optional: it raises the limits."),
  stackExchangeApiKey: optional("STACKEXCHANGE_API_KEY", "API key for Stack Exchange. Optional: it raises the limits."),
  githubSearchToken: optional("GITHUB_SEARCH_TOKEN", "Token for GitHub search. Optional: it raises the limits."),
  marginaliaApiKey: optional("MARGINALIA_API_KEY", "API key for Marginalia, which is used only with a key."),
  ownIndex: setting(
    "OWN_INDEX",
    flag,
    true,
    "Adds scraped pages to the team's local index, except pages fetched with custom headers or zeroDataRetention. Searches " +
      "use the index unless a search service found something. Set to 0 to turn it off.",
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
    "Maximum size of the text in the local index before compression, in megabytes. The pages scraped longest ago are " +
      "removed first.",
  ),
  searchMerge: setting(
    "SEARCH_MERGE",
    flag,
    false,
    "Set to 1 to merge results of the local index into those of the search service.",
  ),
};
