// Which open search sources are asked, and where each is. The names are here because settings are checked before anything is
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

/** Another base URL of a source, by the source's name in capitals. */
export const sourceEndpoint = {
  takes: "a URL that starts with http:// or https://",
  nameOf(suffix: string): { name: string } | string {
    const name = suffix.toLowerCase();
    return names.includes(name) ? { name } : `names no search source. There are: ${names.join(", ")}`;
  },
  read(value: string): string | undefined {
    const url = value.replace(/\/+$/, "");
    const tried = url.replaceAll("{language}", "en");
    return URL.canParse(tried) && /^https?:$/.test(new URL(tried).protocol) ? url : undefined;
  },
};

export const sourceList = {
  takes: "a comma-separated list of names; - before a name leaves that source out",
  read: (value: string): readonly string[] | undefined => {
    const entries = splitList(value.toLowerCase());
    return entries.every((entry) => /^-?[a-z]+$/.test(entry)) ? entries : undefined;
  },
};
