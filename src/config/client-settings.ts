// Which server the command line and `trawl mcp` work with.
import { httpUrl, setting, text } from "../base/index.ts";

export const clientSettings = {
  apiUrl: setting(
    "TRAWL_API_URL",
    httpUrl,
    null,
    "Server that commands send their requests to. Without it they do the work themselves, on the local store.",
  ),
  apiKey: setting("TRAWL_API_KEY", text, null, "API key that commands send to that server."),
  firecrawlApiUrl: setting("FIRECRAWL_API_URL", httpUrl, null, "Read where TRAWL_API_URL is not set."),
  firecrawlApiKey: setting("FIRECRAWL_API_KEY", text, null, "Read where TRAWL_API_KEY is not set."),
};
