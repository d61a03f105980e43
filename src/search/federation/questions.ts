// What each source is asked: its own text of the query, and what it can use of dates, language and site.
import { type Locale, readLocale } from "../providers/locale.ts";
import type { ProviderRequest } from "../providers/search-provider.ts";
import type { Category } from "../query/category.ts";
import type { SearchQuery } from "../query/parse-query.ts";
import type { OpenSource, SourceQuestion } from "../sources/source.ts";
import { askedWords, termsOf } from "../sources/terms.ts";
import { sitesOf } from "./choose-sources.ts";
import type { FederationSettings } from "./federation-settings.ts";

export interface SearchedPlace {
  language: string;
  isLanguageAsked: boolean;
  country: string | null;
  warnings: string[];
}

/** Wikipedias of some size; a name that does not exist would look like a source that cannot be reached. */
const wikipedias = new Set(
  (
    "ar az be bg bn ca cs da de el en eo es et eu fa fi fr gl he hi hr hu hy id it ja ka kk ko la lt lv mk ml ms nl nn no pl pt " +
    "ro ru sh sk sl sr sv sw ta te th tr uk ur uz vi zh"
  ).split(" "),
);

export function readPlace(request: ProviderRequest): SearchedPlace {
  const locale = readLocale(request);
  const language = languageOf(locale);
  const warnings = [...locale.warnings];
  if (locale.place !== null)
    warnings.push("Open search sources support countries only, so the place in location was ignored.");
  return { language, isLanguageAsked: locale.language !== null, country: locale.country, warnings };
}

function languageOf({ language, country }: Locale): string {
  const spoken = language ?? (country === null ? "en" : new Intl.Locale(`und-${country}`).maximize().language);
  return spoken ?? "en";
}

export function questionFor(
  source: OpenSource,
  category: Category | null,
  query: SearchQuery,
  request: ProviderRequest,
  { language, isLanguageAsked, country }: SearchedPlace,
  settings: Pick<FederationSettings, "endpoints" | "keys" | "contact">,
  now: number,
): SourceQuestion {
  const { includeDomains = [], limit, source: kind, timeFilter, safe } = request;
  const terms = termsOf(query);
  const sites = sitesOf(query, includeDomains);
  const [site = null] = sites.length === 1 ? sites : [];
  const { contact } = settings;
  const words = askedWords(terms, source.wantsAllWords);
  return {
    kind,
    category,
    terms,
    // A site alone is searched for by its name.
    text: words === "" && site !== null ? site : words,
    count: Math.min(limit, 100),
    fromMs: timeFilter?.fromMs ?? null,
    toMs: timeFilter?.toMs ?? null,
    isNewestFirst: timeFilter?.isNewestFirst ?? false,
    now,
    language,
    isLanguageAsked,
    country,
    site,
    safe: safe === true,
    base: baseOf(source, settings.endpoints, siteLanguage(site) ?? language),
    mail: mailOf(contact),
    key: settings.keys[source.name] ?? null,
  };
}

/** The operator's mail address, where the contact is one. */
export function mailOf(contact: string): string | null {
  return contact.includes("@") && !contact.includes("/") ? contact : null;
}

/** `site:de.wikipedia.org` asks that Wikipedia, whatever the language of the search. */
function siteLanguage(site: string | null): string | null {
  return /^([a-z]{2,3})\.wikipedia\.org$/.exec(site ?? "")?.[1] ?? null;
}

function baseOf(source: OpenSource, endpoints: Readonly<Record<string, string>>, language: string): string {
  const base = (endpoints[source.name] ?? source.base).replace(/\/+$/, "");
  return base.replaceAll("{language}", wikipedias.has(language) ? language : "en");
}
