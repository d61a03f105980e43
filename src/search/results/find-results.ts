// The results of a query from all sources that it asks for. Nothing is charged or recorded here.
import { type Clock, ServiceError } from "../../base/index.ts";
import { createHighlighter } from "../local-index/highlight.ts";
import { rankTexts } from "../local-index/rank-texts.ts";
import { createResultCache } from "../providers/result-cache.ts";
import type { ProviderSource } from "../providers/search-provider.ts";
import { parseQuery, type SearchQuery } from "../query/parse-query.ts";
import { readTimeRange } from "../query/time-range.ts";
import { findSource, type SourceDeps } from "./find-source.ts";
import { resultKey } from "./fuse-results.ts";
import type { ResultGroups, SearchResult } from "./search-result.ts";
import type { ResultContext, SourceOutcome, SourceRequest } from "./source-request.ts";

export interface WantedSource {
  type: ProviderSource;
  tbs?: string | undefined;
  location?: string | undefined;
  country?: string | undefined;
  lang?: string | undefined;
}

/** What one source is asked for, and what holds for every source without its own. */
export interface ResultRequest
  extends Omit<SourceRequest, "source" | "query" | "time" | "country" | "language" | "location" | "seen"> {
  query: string;
  /** What the results are for: their order and their passages follow it. */
  objective?: string | undefined;
  /** URLs of pages that the caller has seen. */
  seenUrls?: readonly string[];
  /** The web when empty. */
  sources: readonly WantedSource[];
  tbs?: string | undefined;
  location?: string | undefined;
  country?: string | undefined;
  lang?: string | undefined;
}

export interface FoundResults {
  groups: ResultGroups;
  warnings: string[];
  /** Makes what finds the passage of a text that fits the query; null where no word of it is in the text. */
  createHighlighter(): (text: string) => string | null;
}

/** Throws SEARCH_UNAVAILABLE when no search service answers and open sources are off. */
export type FindResults = (request: ResultRequest, context: ResultContext) => Promise<FoundResults>;

const defaultRetrySeconds = 10;
const cacheLimits = { seconds: 60, maxResults: 5000 };

export function createResultFinder({ clock, ...deps }: Omit<SourceDeps, "cache"> & { clock: Clock }): FindResults {
  const sourceDeps: SourceDeps = { ...deps, cache: createResultCache(clock, cacheLimits) };
  return async (request, context) => {
    const query = parseQuery(request.query);
    const seen = new Set(
      (request.seenUrls ?? []).flatMap((url) => (URL.canParse(url) ? [resultKey(new URL(url), deps.pageKeyOf)] : [])),
    );
    const asked = sourcesOf(request).map((source) => sourceRequest(request, source, query, seen, clock.now()));
    const outcomes = await Promise.all(asked.map((one) => findSource(sourceDeps, one, context)));
    context.signal.throwIfAborted();
    if (outcomes.every((outcome) => !outcome.ok)) throw unavailable(outcomes);
    const groups = await Promise.all(
      outcomes.map(async (outcome, at) => {
        const results = outcome.ok ? outcome.results : [];
        return [asked[at]?.source ?? "web", await inOrderOf(request.objective, results)] as const;
      }),
    );
    return {
      groups: new Map(groups),
      warnings: outcomes.flatMap((outcome) => (outcome.ok ? outcome.warnings : outcome.causes)),
      createHighlighter: () => createHighlighter(request.objective === undefined ? query : { text: request.objective }),
    };
  };
}

async function inOrderOf(objective: string | undefined, results: SearchResult[]): Promise<SearchResult[]> {
  if (objective === undefined) return results;
  const ranks = await rankTexts(
    objective,
    results.map(({ title, description }) => `${title} ${description}`),
  );
  return ranks.flatMap(({ index }) => results[index] ?? []);
}

/** Each source once. */
function sourcesOf({ sources }: ResultRequest): WantedSource[] {
  const asked = new Map<ProviderSource, WantedSource>();
  for (const source of sources) {
    if (!asked.has(source.type)) asked.set(source.type, source);
  }
  return asked.size > 0 ? [...asked.values()] : [{ type: "web" }];
}

/** Field by field: what else the caller's object holds must not become part of a cache key. */
function sourceRequest(
  request: ResultRequest,
  source: WantedSource,
  query: SearchQuery,
  seen: ReadonlySet<string>,
  now: number,
): SourceRequest {
  const { tbs = request.tbs, location = request.location, lang = request.lang } = source;
  // A source with its own location is not in the country of the others.
  const country = source.country ?? (source.location === undefined ? request.country : undefined);
  return {
    source: source.type,
    teamId: request.teamId,
    query,
    limit: request.limit,
    time: tbs === undefined ? null : readTimeRange(tbs, now),
    country,
    language: lang,
    location,
    safe: request.safe,
    includeDomains: request.includeDomains,
    excludeDomains: request.excludeDomains,
    categories: source.type === "web" ? request.categories : [],
    ignoreInvalidURLs: request.ignoreInvalidURLs,
    highlights: request.highlights,
    passagesFor: request.objective,
    isOpenOnly: request.isOpenOnly,
    isCacheable: request.isCacheable,
    seen,
  };
}

function unavailable(outcomes: readonly SourceOutcome[]): ServiceError {
  const failures = outcomes.filter((outcome) => !outcome.ok);
  const causes = [...new Set(failures.flatMap((outcome) => outcome.causes))];
  const mayHelp = failures.some(({ retry }) => retry);
  return new ServiceError("SEARCH_UNAVAILABLE", `No search service answered. Try again later. ${causes.join(" ")}`, {
    ...(mayHelp ? { retryAfterSeconds: defaultRetrySeconds } : {}),
  });
}
