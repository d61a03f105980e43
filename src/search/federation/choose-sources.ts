// Which sources a search asks: by the kind of result, by categories, by what the query is about, and by the site it names.
import type { ProviderSource } from "../providers/search-provider.ts";
import type { Category } from "../query/category.ts";
import type { SearchQuery } from "../query/parse-query.ts";
import { isOnHost, readHosts } from "../query/readable-url.ts";
import type { OpenSource, Signal } from "../sources/source.ts";
import { type QueryTerm, termsOf } from "../sources/terms.ts";

export interface ChosenSource {
  source: OpenSource;
  category: Category | null;
}

export interface ChoiceRequest {
  kind: ProviderSource;
  query: SearchQuery;
  categories: readonly Category[];
  includeDomains: readonly string[];
  country: string | null;
}

export function chooseSources(sources: readonly OpenSource[], request: ChoiceRequest): ChosenSource[] {
  const { kind, query, categories, includeDomains, country } = request;
  const terms = termsOf(query);
  const sites = sitesOf(query, includeDomains);
  const hasOperators = query.clauses.some(({ kind: of, isNegated }) => of !== "word" || isNegated) || sites.length > 0;
  const signals = signalsIn(terms);
  const chosen = sources.flatMap((source): ChosenSource[] => {
    if (source.accepts && !source.accepts(terms, hasOperators)) return [];
    const isAtHome = sites.some((site) => source.hosts.some((host) => isOnHost(site, host) || isOnHost(host, site)));
    if (sites.length > 0 && source.hosts.length > 0 && !isAtHome) return [];
    if (kind !== "web" || categories.length === 0) {
      const isAsked = kind !== "web" || source.signal === null || signals.has(source.signal) || isAtHome;
      return source.serves.has(kind) && isAsked ? [{ source, category: null }] : [];
    }
    const category = categories.find((one) => source.serves.has(one));
    return category === undefined ? [] : [{ source, category }];
  });
  return atHomeFirst(chosen, country);
}

/** The hosts that results must be on: one of them is enough, and all of the query's own. */
export function sitesOf({ clauses }: SearchQuery, includeDomains: readonly string[]): string[] {
  const named = clauses.flatMap((clause) => (clause.kind === "site" && !clause.isNegated ? [clause.host] : []));
  if (named.length > 0) return named;
  return readHosts(includeDomains);
}

/** Sources of the searcher's own government come first among equals. */
function atHomeFirst(chosen: readonly ChosenSource[], country: string | null): ChosenSource[] {
  const own = country === "GB" ? "govuk" : country === "US" ? "federalregister" : "";
  const isOwn = ({ source }: ChosenSource) => source.name === own;
  return [...chosen.filter(isOwn), ...chosen.filter((one) => !isOwn(one))];
}

const words: Record<Signal, ReadonlySet<string>> = {
  code: new Set(
    (
      "error exception stacktrace documentation docs api sdk library github npm pip cargo maven gradle docker kubernetes git " +
      "javascript typescript python java kotlin swift rust golang ruby rails php perl scala haskell elixir erlang clojure lua " +
      "bash powershell sql postgresql postgres mysql sqlite mongodb redis graphql html css sass react vue angular svelte nextjs " +
      "nodejs node deno bun django flask fastapi spring laravel dotnet csharp cpp webpack vite eslint pytest numpy pandas " +
      "pytorch tensorflow regex json yaml compiler debugger async"
    ).split(" "),
  ),
  research: new Set("paper papers study studies journal doi arxiv preprint preprints pubmed thesis".split(" ")),
  gov: new Set(
    "government regulation regulations legislation law laws act statute tax taxes visa passport permission grant grants".split(
      " ",
    ),
  ),
};

/** Of several words, or with signs that are no part of words. */
const phrases: readonly [Signal, RegExp][] = [
  ["code", /\bstack trace\b|::|\(\)|\b[a-z]+\.(?:js|py|rs|go|ts)\b|\bc\+\+|\bc#/],
  ["research", /\bet al\b|\b10\.\d{4,9}\/\S|\b\d{4}\.\d{4,5}\b/],
  ["gov", /\bfederal register\b/],
];

function signalsIn(terms: readonly QueryTerm[]): Set<Signal> {
  const wanted = terms.filter(({ isNegated }) => !isNegated);
  const text = wanted
    .map(({ written }) => written)
    .join(" ")
    .toLowerCase();
  const found = new Set(wanted.flatMap(({ words: each }) => each));
  const signals = new Set<Signal>();
  for (const [signal, list] of Object.entries(words) as [Signal, ReadonlySet<string>][]) {
    for (const word of found) if (list.has(word)) signals.add(signal);
  }
  for (const [signal, pattern] of phrases) if (pattern.test(text)) signals.add(signal);
  return signals;
}
