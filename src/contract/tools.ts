// Tools of others and the lines that point each of them to this server. docs/dialects.md is made from it. In the lines, URL is the
// server's base URL, HOST its host and port, KEY an API key, TEAM the name of a team.

export interface ConnectedTool {
  tool: string;
  /** What it is used for here; '' where there is nothing to tell apart. */
  use: string;
  /** Dialects, or "v2" for the API itself. */
  speaks: string;
  /** What to paste, one line each. */
  lines: readonly string[];
  /**
   * client: a test runs the tool's own package. requests: a test sends what its code sends. none: read in its documentation, not
   * tested.
   */
  tested: "client" | "requests" | "none";
}

const withPassword = "http://any:KEY@HOST";

export const tools: readonly ConnectedTool[] = [
  {
    tool: "Open WebUI",
    use: "search",
    speaks: "searxng",
    lines: ["WEB_SEARCH_ENGINE=searxng", `SEARXNG_QUERY_URL=${withPassword}/searxng/search`],
    tested: "requests",
  },
  {
    tool: "LibreChat",
    use: "search by SearXNG",
    speaks: "searxng",
    lines: ["SEARXNG_INSTANCE_URL=URL/searxng", "SEARXNG_API_KEY=KEY"],
    tested: "requests",
  },
  {
    tool: "LibreChat",
    use: "search and pages by Tavily",
    speaks: "tavily",
    lines: ["TAVILY_SEARCH_URL=URL/tavily/search", "TAVILY_EXTRACT_URL=URL/tavily/extract", "TAVILY_API_KEY=KEY"],
    tested: "requests",
  },
  {
    tool: "LibreChat",
    use: "pages",
    speaks: "v2",
    lines: ["FIRECRAWL_API_URL=URL", "FIRECRAWL_API_KEY=KEY"],
    tested: "requests",
  },
  {
    tool: "Vane",
    use: "search",
    speaks: "searxng",
    lines: ["SEARXNG_API_URL=URL/searxng", "# it sends no key; on this server: KEYLESS_DIALECTS=searxng=TEAM"],
    tested: "requests",
  },
  {
    tool: "n8n",
    use: "search",
    speaks: "searxng",
    lines: [
      "# credential SearXNG, API URL: URL/searxng",
      "# it sends no key; on this server: KEYLESS_DIALECTS=searxng=TEAM",
    ],
    tested: "requests",
  },
  {
    tool: "Dify",
    use: "search",
    speaks: "searxng",
    lines: [`# SearXNG plugin, base URL: ${withPassword}/searxng`],
    tested: "requests",
  },
  {
    tool: "LangChain JS",
    use: "search by SearXNG",
    speaks: "searxng",
    lines: ['new SearxngSearch({ apiBase: "URL/searxng", headers: { "x-api-key": KEY } })'],
    tested: "requests",
  },
  {
    tool: "LangChain JS",
    use: "search, pages, crawl and map by Tavily",
    speaks: "tavily",
    lines: ['new TavilySearch({ tavilyApiKey: KEY, apiBaseUrl: "URL/tavily" })'],
    tested: "requests",
  },
  {
    tool: "LangChain Python",
    use: "search by SearXNG",
    speaks: "searxng",
    lines: ['SearxSearchWrapper(searx_host="URL/searxng", headers={"x-api-key": KEY})'],
    tested: "requests",
  },
  {
    tool: "LangChain Python",
    use: "search by Tavily",
    speaks: "tavily",
    lines: ['TavilySearch(api_base_url="URL/tavily")'],
    tested: "none",
  },
  {
    tool: "Tavily SDKs",
    use: "",
    speaks: "tavily",
    lines: ['tavily({ apiKey: KEY, apiBaseURL: "URL/tavily" })', 'TavilyClient(KEY, api_base_url="URL/tavily")'],
    tested: "client",
  },
  {
    tool: "LiteLLM",
    use: "search",
    speaks: "searxng, tavily",
    lines: ["SEARXNG_API_BASE=URL/searxng", "SEARXNG_API_KEY=KEY", "TAVILY_API_BASE=URL/tavily", "TAVILY_API_KEY=KEY"],
    tested: "requests",
  },
  {
    tool: "LlamaIndex",
    use: "search and pages",
    speaks: "tavily, v2",
    lines: [
      'spec = TavilyToolSpec(KEY); spec.client = TavilyClient(KEY, api_base_url="URL/tavily")',
      'FireCrawlWebReader(api_url="URL")',
    ],
    tested: "requests",
  },
  {
    tool: "Hermes, OpenClaw",
    use: "search",
    speaks: "searxng, tavily",
    lines: ["TAVILY_BASE_URL=URL/tavily", "SEARXNG_URL=URL/searxng", "SEARXNG_BASE_URL=URL/searxng"],
    tested: "requests",
  },
];
