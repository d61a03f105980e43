// Search in the team's local index.
import type { IndexedPage, IndexStats, Store } from "../../store/index.ts";
import { isPlainWord, type SearchQuery } from "../query/parse-query.ts";
import { dateOf, type TimeRange } from "../query/time-range.ts";
import { createPageCollector, firstCandidates } from "./collect-pages.ts";
import { explainRank, type RankReason } from "./explain-rank.ts";
import { wordRuns } from "./highlight.ts";
import { createWordCounter } from "./page-counts.ts";
import { createStemmer, readStoredText } from "./page-words.ts";
import { distinctRuns, planQuery, type QueryPlan } from "./query-plan.ts";
import type { PageScore } from "./rank-pages.ts";
import { collectRelated, describeRelated, mostPerHost } from "./related-sites.ts";
import { createSnippets } from "./snippet.ts";

export interface IndexQuery {
  teamId: string;
  query: SearchQuery;
  limit: number;
  /** Which of them are wanted, and how many of those; all by default. Only these are described, which costs the most. */
  wanted?: { count: number; accepts(url: string): boolean } | undefined;
  /** Describe results by the passage that fits the query best instead of the page's own description. */
  wantsPassages: boolean;
  /** What passages are to fit instead of the query. */
  passagesFor?: string | undefined;
  /** Explain the rank of each page. */
  wantsReasons?: boolean;
  time?: TimeRange | undefined;
  includeDomains?: readonly string[] | undefined;
  excludeDomains?: readonly string[] | undefined;
}

export interface IndexResult {
  url: string;
  title: string;
  description: string;
  language: string | null;
  /** When the page was published, else modified, else first seen; milliseconds since 1970. */
  date: number;
  published: number | null;
  /** Null for pages that were not ranked by their texts, absent where not requested. */
  reason?: RankReason | null;
}

export interface IndexAnswer {
  results: IndexResult[];
  /** Sites of `related:` of which the index has neither a page nor a link, so that nothing can be related to them. */
  unknownSites: string[];
}

export interface LocalIndex {
  search(query: IndexQuery, signal: AbortSignal): Promise<IndexAnswer>;
  stats(teamId: string): Promise<IndexStats>;
}

export function createLocalIndex({ store }: { store: Store }): LocalIndex {
  const { searchIndex } = store;
  const stems = createStemmer();
  const counter = createWordCounter();
  const collect = createPageCollector(store, counter);

  async function search(query: IndexQuery, signal: AbortSignal): Promise<IndexAnswer> {
    const { teamId, limit, wanted, time, includeDomains = [], excludeDomains = [] } = query;
    const { clauses } = query.query;
    const { fromMs = null, toMs = null, isNewestFirst = false } = time ?? {};
    const bounds = { includeDomains, excludeDomains, fromMs, toMs, isNewestFirst };
    const plan = planQuery(query.query, bounds, stems);
    const sites = await describeRelated(store, counter, teamId, clauses);
    signal.throwIfAborted();
    const unknownSites = [...(sites?.unknown ?? [])];
    if (unknownSites.length > 0 || isForNothing(query.query, plan)) return { results: [], unknownSites };

    const anyOf = [...plan.anyOf, ...(sites?.words ?? [])];
    const whole = { ...plan, teamId, anyOf, limit: Math.max(firstCandidates, 2 * limit) };
    const scores = query.wantsReasons ? new Map<string, PageScore>() : null;
    const noteScore = scores ? (page: IndexedPage, score: PageScore) => void scores.set(page.url, score) : undefined;
    const options = { clauses, includeDomains, excludeDomains, limit, noteScore };
    const found = sites
      ? await collectRelated(collect, whole, options, sites, signal)
      : await collect(whole, options, null, signal);
    const isOneSite = clauses.some((clause) => clause.kind === "site" && !clause.isNegated);
    const ranked = (isNewestFirst || isOneSite ? found : mixHosts(found)).slice(0, limit);
    const shown = wanted ? ranked.filter(({ url }) => wanted.accepts(url)).slice(0, wanted.count) : ranked;
    const passagesFor = query.passagesFor === undefined ? anyOf : wordRuns(query.passagesFor, stems);
    const passageOf = createSnippets(query.wantsPassages ? passagesFor : [], stems);
    const describe = (page: IndexedPage) =>
      (query.wantsPassages ? null : page.description) ?? passageOf(readStoredText(page.text).text);
    const results = shown.map((page) => ({
      ...toResult(page, describe(page)),
      ...(scores ? { reason: explainRank(page, scores.get(page.url), distinctRuns(anyOf), counter) } : {}),
    }));
    return { results, unknownSites };
  }

  return { search, stats: (teamId) => searchIndex.stats(teamId) };
}

/** An empty query, or one of punctuation alone, asks for nothing instead of everything. */
function isForNothing({ clauses }: SearchQuery, plan: QueryPlan): boolean {
  return plan.anyOf.length === 0 && clauses.every(isPlainWord);
}

function toResult(page: IndexedPage, description: string): IndexResult {
  const { url, title, language, published } = page;
  return { url, title, description, language, date: dateOf(page) ?? page.firstSeen, published };
}

/** At most two pages of each host first, then the rest. */
function mixHosts(pages: readonly IndexedPage[]): IndexedPage[] {
  const counts = new Map<string, number>();
  const first: IndexedPage[] = [];
  const rest: IndexedPage[] = [];
  for (const page of pages) {
    const { host } = new URL(page.url);
    const count = counts.get(host) ?? 0;
    counts.set(host, count + 1);
    (count < mostPerHost ? first : rest).push(page);
  }
  return [...first, ...rest];
}
