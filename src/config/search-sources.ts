// Which open search sources are asked, and where each is. The names stand here because settings are checked before anything is
// loaded; a test compares them with the sources themselves.
import { splitList } from "../base/index.ts";

/** On unless left out. */
export const defaultSources = [
  "keenable",
  "mwmbl",
  "wikipedia",
  "wikidata",
  "hackernews",
  "stackexchange",
  "github",
  "readthedocs",
  "arxiv",
  "crossref",
  "europepmc",
  "openalex",
  "gdelt",
  "commons",
  "openverse",
  "govuk",
  "federalregister",
] as const;

/** Engines whose pages are read: only when named. */
export const scrapedSources = ["duckduckgo", "bing", "mojeek", "mdn"] as const;

/** On with a key of the operator's. */
const keyedSource = "marginalia";

const names: readonly string[] = [...defaultSources, keyedSource, ...scrapedSources];
const prefix = "SEARCH_ENDPOINT_";

interface SourceSettings {
  openSearch: boolean;
  searchEngines: readonly string[];
  marginaliaApiKey: string | null;
}

/** The sources to ask, in their order; a sentence when a name is unknown. */
export function readSourceNames({ openSearch, searchEngines, marginaliaApiKey }: SourceSettings): string[] | string {
  const unknown = searchEngines.find((entry) => !names.includes(entry.replace(/^-/, "")));
  if (unknown !== undefined) {
    return `SEARCH_ENGINES names ${unknown.slice(0, 40)}, which does not exist. There are: ${names.join(", ")}.`;
  }
  if (!openSearch) return [];
  const added = new Set(searchEngines);
  const isOn = (name: string) =>
    (defaultSources as readonly string[]).includes(name) ||
    (name === keyedSource ? marginaliaApiKey !== null : added.has(name));
  return names.filter((name) => isOn(name) && !added.has(`-${name}`));
}

/** Other base URLs by name; a sentence when one is wrong. */
export function readSourceEndpoints(env: Record<string, string | undefined>): Record<string, string> | string {
  const endpoints: Record<string, string> = {};
  for (const [variable, value = ""] of Object.entries(env)) {
    if (!variable.startsWith(prefix) || value.trim() === "") continue;
    const name = variable.slice(prefix.length).toLowerCase();
    if (!names.includes(name)) return `${variable} names no search source. There are: ${names.join(", ")}.`;
    const url = value.trim().replace(/\/+$/, "");
    const tried = url.replaceAll("{language}", "en");
    if (!URL.canParse(tried) || !/^https?:$/.test(new URL(tried).protocol)) {
      return `${variable} must be a URL that starts with http:// or https://.`;
    }
    endpoints[name] = url;
  }
  return endpoints;
}

export const sourceList = {
  takes: "a comma-separated list of names; - before a name leaves that source out",
  read: (value: string): readonly string[] | undefined => {
    const entries = splitList(value.toLowerCase());
    return entries.every((entry) => /^-?[a-z]+$/.test(entry)) ? entries : undefined;
  },
};
