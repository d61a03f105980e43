// One question: a query to one source, and to one facet of it.
import type { AskedSource, ProviderSource, SearchProvider } from "../providers/search-provider.ts";
import type { Category } from "../query/category.ts";
import { expressQuery } from "../query/express-query.ts";
import type { SearchQuery } from "../query/parse-query.ts";
import type { TimeRange } from "../query/time-range.ts";
import type { Facet } from "./categories.ts";
import type { ReadResultText, SearchResult } from "./search-result.ts";

export interface SourceRequest {
  source: ProviderSource;
  teamId: string;
  query: SearchQuery;
  limit: number;
  time: TimeRange | null;
  country: string | undefined;
  language: string | undefined;
  location: string | undefined;
  safe?: boolean | undefined;
  includeDomains: readonly string[];
  excludeDomains: readonly string[];
  categories: readonly Category[];
  /** Leave out results that this server would refuse to scrape. */
  ignoreInvalidURLs: boolean;
  highlights: boolean;
  /** What passages are to fit instead of the query. */
  passagesFor?: string | undefined;
  /** Services of the operator are not asked. */
  isOpenOnly?: boolean | undefined;
  /** Whether the answer of a service may serve the next request. */
  isCacheable: boolean;
  /** Keys of pages that are left out because the caller has seen them. */
  seen: ReadonlySet<string>;
}

export interface FacetRequest extends SourceRequest {
  facet: Facet;
}

export type SourceOutcome =
  | { ok: true; results: SearchResult[]; warnings: string[] }
  /** Every service failed. */
  | { ok: false; causes: string[]; retry: boolean };

/** Records the steps of a request. */
export interface StepTrace {
  run<Result>(
    step: string,
    work: () => Promise<Result>,
    describe: (result: Result) => {
      engine?: string;
      outcome: string;
      detail?: unknown;
      sourcesAsked?: AskedSource[];
    },
  ): Promise<Result>;
}

export interface ResultContext {
  readText: ReadResultText;
  trace: StepTrace;
  signal: AbortSignal;
  /** Ends a little earlier: open sources are not waited for any longer, and what has come is the answer. */
  softSignal?: AbortSignal | undefined;
}

/** The most results requested from any source. */
export const maxAsked = 100;

/** The question as text; "" when a service understands nothing of it. */
export function textFor({ supports }: SearchProvider, query: SearchQuery, { isPdf }: Facet): string {
  const hasRelated = query.clauses.some(({ kind, isNegated }) => kind === "related" && !isNegated);
  const { text } = expressQuery(query, supports.understood);
  if (text === "") return hasRelated ? "related" : "";
  if (!isPdf) return text;
  return supports.understood.has("site") ? `${text} filetype:pdf` : `${text} pdf`;
}

/** How many results to ask a service for: more than wanted when some may have to be left out. */
export function countFor({ supports }: SearchProvider, request: FacetRequest): number {
  const { query, time, includeDomains, excludeDomains, ignoreInvalidURLs, facet, limit, seen } = request;
  const isDated = time !== null && (time.fromMs !== null || time.toMs !== null);
  const isFiltered =
    expressQuery(query, supports.operators).unexpressed.length > 0 ||
    includeDomains.length + excludeDomains.length + facet.domains.length > 0 ||
    isDated ||
    facet.isPdf ||
    ignoreInvalidURLs;
  return Math.min(maxAsked, (isFiltered ? 2 * limit + 10 : limit) + seen.size);
}

/** The caller's own domains are narrower than those of a category; results are checked against both. */
export function domainsOf({ includeDomains, facet }: FacetRequest): readonly string[] {
  return includeDomains.length > 0 ? includeDomains : facet.domains;
}

/** Newest first when asked for; results without a date come last. */
export function inOrder(results: readonly SearchResult[], time: TimeRange | null): SearchResult[] {
  if (!time?.isNewestFirst) return [...results];
  return [...results].sort((a, b) => (b.published ?? 0) - (a.published ?? 0));
}
