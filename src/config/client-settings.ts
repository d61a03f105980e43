// Which server the command line and `trawl mcp` work with, and how MCP tools are named.
import { optional, optionalUrl, setting, text } from "./setting.ts";

const toolPrefix = {
  takes: "characters from a-z, A-Z, 0-9, _ and -",
  read: (value: string) => (/^[\w-]{1,40}$/.test(value) ? value : undefined),
};

export const clientSettings = {
  apiUrl: optionalUrl(
    "TRAWL_API_URL",
    "Server that commands send their requests to. Without it, commands do the work themselves on the local store.",
  ),
  apiKey: optional("TRAWL_API_KEY", "API key that commands send to the server at TRAWL_API_URL."),
  firecrawlApiUrl: optionalUrl("FIRECRAWL_API_URL", "Used if TRAWL_API_URL is not set."),
  firecrawlApiKey: optional("FIRECRAWL_API_KEY", "Used if TRAWL_API_KEY is not set."),
  mcpToolPrefix: setting(
    "MCP_TOOL_PREFIX",
    toolPrefix,
    "",
    "Prefix of the name of every MCP tool. `firecrawl_` gives the names of firecrawl-mcp.",
    "none",
  ),
  mcpTools: setting(
    "MCP_TOOLS",
    text,
    "all",
    "MCP tools that this server offers: names of tools and presets (`minimal`, `research`, `site`, `browser`, `monitor`, " +
      "`all`), separated by commas; `-name` takes one away. Clients choose among them with `/mcp?tools=`.",
  ),
};
