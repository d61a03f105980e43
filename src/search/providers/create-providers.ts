// The providers that the operator has configured, in the order in which they are asked.
import { createBrave } from "./brave.ts";
import { createGoogle } from "./google.ts";
import { createSearchApi } from "./search-api.ts";
import type { ProviderDeps, SearchProvider } from "./search-provider.ts";
import { createSearxng } from "./searxng.ts";
import { createSerper } from "./serper.ts";
import { createTavily } from "./tavily.ts";

/** The settings that configure providers; null when not set. */
export interface ProviderSettings {
  searxngEndpoint: string | null;
  serperApiKey: string | null;
  searchApiKey: string | null;
  braveApiKey: string | null;
  tavilyApiKey: string | null;
  googleSearchKey: string | null;
  googleSearchCx: string | null;
}

const publicEndpoints = {
  serper: "https://google.serper.dev",
  searchApi: "https://www.searchapi.io",
  brave: "https://api.search.brave.com",
  tavily: "https://api.tavily.com",
  google: "https://customsearch.googleapis.com",
};

/** Where the configured ones are. */
export function listEndpoints(settings: ProviderSettings): string[] {
  const { serper, searchApi, brave, tavily, google } = publicEndpoints;
  const asked: [string | null, string | null][] = [
    [settings.searxngEndpoint, settings.searxngEndpoint],
    [settings.serperApiKey, serper],
    [settings.searchApiKey, searchApi],
    [settings.braveApiKey, brave],
    [settings.tavilyApiKey, tavily],
    [settings.googleSearchKey, google],
  ];
  return asked.flatMap(([configured, url]) => (configured === null || url === null ? [] : [url]));
}

/** `endpoints` is for tests: other base URLs of the public services. */
export function createProviders(
  settings: ProviderSettings,
  deps: ProviderDeps,
  endpoints: Partial<typeof publicEndpoints> = {},
): SearchProvider[] {
  const at = { ...publicEndpoints, ...endpoints };
  const { searxngEndpoint, serperApiKey, searchApiKey, braveApiKey, tavilyApiKey, googleSearchKey, googleSearchCx } =
    settings;
  const providers: SearchProvider[] = [];
  if (searxngEndpoint !== null) providers.push(createSearxng(deps, searxngEndpoint));
  if (serperApiKey !== null) providers.push(createSerper(deps, serperApiKey, at.serper));
  if (searchApiKey !== null) providers.push(createSearchApi(deps, searchApiKey, at.searchApi));
  if (braveApiKey !== null) providers.push(createBrave(deps, braveApiKey, at.brave));
  if (tavilyApiKey !== null) providers.push(createTavily(deps, tavilyApiKey, at.tavily));
  if (googleSearchKey !== null && googleSearchCx !== null) {
    providers.push(createGoogle(deps, googleSearchKey, googleSearchCx, at.google));
  }
  return providers;
}
