// Tools of others and the lines that point each of them to this server. docs/connect.md and docs/dialects.md are made from it. In the lines, URL is the
// server's base URL, HOST its host and port, KEY an API key, TEAM the name of a team.

export interface ConnectedTool {
  tool: string;
  /** What it is used for here; '' where there is nothing to tell apart. */
  use: string;
  /** Dialects, "v2" for the API itself, or "mcp". */
  speaks: string;
  /** What to paste, one line each. */
  lines: readonly string[];
  /**
   * client: a test or `npm run prove -- dialects` runs the tool's own package. requests: a test sends what its code sends. none: read in its documentation, not
   * tested.
   */
  tested: "client" | "requests" | "none";
}

const withPassword = "http://any:KEY@HOST";

export const tools: readonly ConnectedTool[] = [
  {
    tool: "Claude Code",
    use: "all tools",
    speaks: "mcp",
    lines: ['claude mcp add --transport http trawl URL/mcp --header "Authorization: Bearer KEY"'],
    tested: "requests",
  },
  {
    tool: "Claude Desktop",
    use: "all tools",
    speaks: "mcp",
    lines: [
      "# claude_desktop_config.json",
      '{"mcpServers":{"trawl":{"command":"npx","args":["trawl","mcp"],"env":{"TRAWL_API_URL":"URL","TRAWL_API_KEY":"KEY"}}}}',
    ],
    tested: "requests",
  },
  {
    tool: "Cursor",
    use: "all tools",
    speaks: "mcp",
    lines: [
      "# .cursor/mcp.json",
      '{"mcpServers":{"trawl":{"url":"URL/mcp","headers":{"Authorization":"Bearer KEY"}}}}',
    ],
    tested: "requests",
  },
  {
    tool: "VS Code",
    use: "all tools",
    speaks: "mcp",
    lines: [
      "# .vscode/mcp.json",
      '{"servers":{"trawl":{"type":"http","url":"URL/mcp","headers":{"Authorization":"Bearer KEY"}}}}',
    ],
    tested: "requests",
  },
  {
    tool: "Zed",
    use: "all tools",
    speaks: "mcp",
    lines: [
      "# settings.json",
      '{"context_servers":{"trawl":{"url":"URL/mcp","headers":{"Authorization":"Bearer KEY"}}}}',
    ],
    tested: "requests",
  },
  {
    tool: "Open WebUI",
    use: "pages",
    speaks: "v2",
    lines: ["WEB_LOADER_ENGINE=firecrawl", "FIRECRAWL_API_BASE_URL=URL", "FIRECRAWL_API_KEY=KEY"],
    tested: "none",
  },
  {
    tool: "n8n",
    use: "all operations",
    speaks: "v2",
    lines: ["# credential Firecrawl API, base URL: URL/v2, API key: KEY"],
    tested: "client",
  },
  {
    tool: "Dify",
    use: "pages",
    speaks: "v2",
    lines: ["# data source Firecrawl, base URL: URL, API key: KEY"],
    tested: "none",
  },
  {
    tool: "Flowise",
    use: "pages",
    speaks: "v2",
    lines: ["# credential FireCrawl API, URL: URL, token: KEY"],
    tested: "none",
  },
  {
    tool: "LangChain JS",
    use: "pages",
    speaks: "v2",
    lines: ['new FireCrawlLoader({ url: "https://example.com", apiKey: KEY, apiUrl: "URL", mode: "scrape" })'],
    tested: "client",
  },
  {
    tool: "CrewAI",
    use: "pages",
    speaks: "v2",
    lines: ['FirecrawlScrapeWebsiteTool(api_key=KEY, api_url="URL")'],
    tested: "none",
  },
  {
    tool: "Vercel AI SDK",
    use: "pages",
    speaks: "v2",
    lines: [
      'FirecrawlTools({ apiKey: KEY, apiUrl: "URL" })',
      "# for its tools that wait for jobs also",
      "FIRECRAWL_API_URL=URL",
      "FIRECRAWL_API_KEY=KEY",
    ],
    tested: "client",
  },
  {
    tool: "Official SDKs",
    use: "",
    speaks: "v2",
    lines: ['new Firecrawl({ apiKey: KEY, apiUrl: "URL" })', 'Firecrawl(api_key=KEY, api_url="URL")'],
    tested: "client",
  },
  {
    tool: "curl",
    use: "",
    speaks: "v2",
    lines: [
      `curl URL/v2/scrape -H "Authorization: Bearer KEY" -H "Content-Type: application/json" -d '{"url":"https://example.com"}'`,
    ],
    tested: "client",
  },
  {
    tool: "Open WebUI",
    use: "search",
    speaks: "searxng",
    lines: ["WEB_SEARCH_ENGINE=searxng", `SEARXNG_QUERY_URL=${withPassword}/searxng/search`],
    tested: "requests",
  },
  {
    tool: "Open WebUI",
    use: "search by its external engine",
    speaks: "openwebui",
    lines: [
      "WEB_SEARCH_ENGINE=external",
      "EXTERNAL_WEB_SEARCH_URL=URL/openwebui/search",
      "EXTERNAL_WEB_SEARCH_API_KEY=KEY",
    ],
    tested: "requests",
  },
  {
    tool: "Open WebUI",
    use: "search by Jina",
    speaks: "jina",
    lines: ["WEB_SEARCH_ENGINE=jina", "JINA_API_BASE_URL=URL/jina/s", "JINA_API_KEY=KEY"],
    tested: "requests",
  },
  {
    tool: "Open WebUI",
    use: "search by the Firecrawl API",
    speaks: "v2",
    lines: ["WEB_SEARCH_ENGINE=firecrawl", "FIRECRAWL_API_BASE_URL=URL", "FIRECRAWL_API_KEY=KEY"],
    tested: "none",
  },
  {
    tool: "Open WebUI",
    use: "pages",
    speaks: "openwebui",
    lines: [
      "WEB_LOADER_ENGINE=external",
      "EXTERNAL_WEB_LOADER_URL=URL/openwebui/load",
      "EXTERNAL_WEB_LOADER_API_KEY=KEY",
    ],
    tested: "requests",
  },
  {
    tool: "Open WebUI",
    use: "files",
    speaks: "openwebui",
    lines: [
      "CONTENT_EXTRACTION_ENGINE=external",
      "EXTERNAL_DOCUMENT_LOADER_URL=URL/openwebui",
      "EXTERNAL_DOCUMENT_LOADER_API_KEY=KEY",
    ],
    tested: "requests",
  },
  {
    tool: "Open WebUI",
    use: "files by docling",
    speaks: "docling",
    lines: ["CONTENT_EXTRACTION_ENGINE=docling", "DOCLING_SERVER_URL=URL/docling", "DOCLING_API_KEY=KEY"],
    tested: "requests",
  },
  {
    tool: "Open WebUI",
    use: "files by Tika",
    speaks: "tika",
    lines: ["CONTENT_EXTRACTION_ENGINE=tika", `TIKA_SERVER_URL=${withPassword}/tika`],
    tested: "requests",
  },
  {
    tool: "Open WebUI",
    use: "reranking",
    speaks: "rerank",
    lines: [
      "RAG_RERANKING_ENGINE=external",
      "RAG_RERANKING_MODEL=trawl",
      "RAG_EXTERNAL_RERANKER_URL=URL/v1/rerank",
      "RAG_EXTERNAL_RERANKER_API_KEY=KEY",
    ],
    tested: "requests",
  },
  {
    tool: "LibreChat",
    use: "search by SearXNG",
    speaks: "searxng",
    lines: ["SEARXNG_INSTANCE_URL=URL/searxng", "SEARXNG_API_KEY=KEY"],
    tested: "client",
  },
  {
    tool: "LibreChat",
    use: "search and pages by Tavily",
    speaks: "tavily",
    lines: ["TAVILY_SEARCH_URL=URL/tavily/search", "TAVILY_EXTRACT_URL=URL/tavily/extract", "TAVILY_API_KEY=KEY"],
    tested: "client",
  },
  {
    tool: "LibreChat",
    use: "pages",
    speaks: "v2",
    lines: ["FIRECRAWL_API_URL=URL", "FIRECRAWL_API_KEY=KEY"],
    tested: "client",
  },
  {
    tool: "LibreChat",
    use: "reranking",
    speaks: "rerank",
    lines: [
      "JINA_API_URL=URL/v1/rerank",
      "JINA_API_KEY=KEY",
      "# or",
      "COHERE_API_URL=URL/v2/rerank",
      "COHERE_API_KEY=KEY",
    ],
    tested: "client",
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
    tested: "client",
  },
  {
    tool: "LangChain JS",
    use: "search, pages, crawl and map by Tavily",
    speaks: "tavily",
    lines: ['new TavilySearch({ tavilyApiKey: KEY, apiBaseUrl: "URL/tavily" })'],
    tested: "client",
  },
  {
    tool: "LangChain JS",
    use: "search by Exa",
    speaks: "exa",
    lines: ['new ExaRetriever({ client: new Exa(KEY, "URL/exa") })'],
    tested: "client",
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
    tool: "Exa SDKs",
    use: "",
    speaks: "exa",
    lines: ['new Exa(KEY, "URL/exa")', 'Exa(KEY, base_url="URL/exa")'],
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
  {
    tool: "curl and scripts for r.jina.ai and s.jina.ai",
    use: "",
    speaks: "jina",
    lines: [
      "# https://r.jina.ai/ becomes URL/jina/, https://s.jina.ai/ becomes URL/jina/s/",
      'curl -H "Authorization: Bearer KEY" URL/jina/https://example.com/',
    ],
    tested: "requests",
  },
  {
    tool: "tika-python",
    use: "",
    speaks: "tika",
    lines: ["TIKA_CLIENT_ONLY=True", `TIKA_SERVER_ENDPOINT=${withPassword}/tika`],
    tested: "none",
  },
];
