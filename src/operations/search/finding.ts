// Finds the results of one source: from the services in their order, from the own index, or from both; only those that
// satisfy every operator, domain, category and date that was asked for (D17, D18).

import type { Trace } from "../../base/index.ts";
import { isoTime } from "../../base/index.ts";
import type { Judge } from "../../pages/index.ts";
import {
  askProviders,
  createJudge,
  expressQuery,
  judgeDate,
  type OwnIndex,
  type ProviderSource,
  printQuery,
  type SearchProvider,
  type SearchQuery,
  type TimeRange,
} from "../../search/index.ts";
import type { SearchCache, WebAnswer } from "./cache.ts";
import { type Category, type Facet, facetsOf, isOfFacet } from "./categories.ts";
import { type Found, fuse } from "./fusion.ts";
import { type Check, joinVerdicts, sift } from "./judging.ts";
import type { PageTexts } from "./page-texts.ts";
import { checkSubject, readSubjects, type Subject, withSubjects } from "./related.ts";

export interface FinderDeps {
  providers: readonly SearchProvider[];
  /** Null when it is switched off. */
  ownIndex: OwnIndex | null;
  /** Whether results of the own index join those of services. */
  isMerged: boolean;
  judge: Judge;
  cache: SearchCache;
}

export interface SourceRequest {
  source: ProviderSource;
  teamId: string;
  query: SearchQuery;
  limit: number;
  time: TimeRange | null;
  country: string | undefined;
  language: string | undefined;
  location: string | undefined;
  safe: boolean | undefined;
  includeDomains: readonly string[];
  excludeDomains: readonly string[];
  categories: readonly Category[];
  ignoreInvalidURLs: boolean;
  highlights: boolean;
  /** Whether the answer of a service may serve the next request. */
  isKept: boolean;
}

export type SourceOutcome =
  | { ok: true; results: Found[]; warnings: string[] }
  /** Every service failed. */
  | { ok: false; causes: string[]; retry: boolean };

/** How one request reads pages, and until when. */
export interface FinderContext {
  pages: PageTexts;
  trace: Trace;
  signal: AbortSignal;
}

const mostResults = 100;
/** With fewer pages an own index is no search of the web. */
const thinIndex = 100;
const settings =
  "SEARXNG_ENDPOINT, SERPER_API_KEY, SEARCHAPI_API_KEY, BRAVE_API_KEY, TAVILY_API_KEY, or GOOGLE_SEARCH_KEY with " +
  "GOOGLE_SEARCH_CX";

export function createFinder({ providers, ownIndex, isMerged, judge, cache }: FinderDeps) {
  async function find(request: SourceRequest, context: FinderContext): Promise<SourceOutcome> {
    const facets = facetsOf(request.categories);
    const outcomes = await Promise.all(facets.map((facet) => findFacet(request, facet, context)));
    const answers = outcomes.filter((outcome) => outcome.ok);
    const failures = outcomes.filter((outcome) => !outcome.ok);
    const causes = failures.flatMap((outcome) => outcome.causes);
    if (answers.length === 0) return { ok: false, causes, retry: failures.some(({ retry }) => retry) };
    const results = inOrder(fuse(answers.map((answer) => answer.results)), request.time);
    return {
      ok: true,
      results: results.slice(0, request.limit),
      warnings: [...causes, ...answers.flatMap(({ warnings }) => warnings)],
    };
  }

  async function findFacet(request: SourceRequest, facet: Facet, context: FinderContext): Promise<SourceOutcome> {
    const fitting = providers.filter(({ supports }) => supports.sources.has(request.source));
    const usable = fitting.filter((provider) => textFor(provider, request.query, facet) !== "");
    const usesIndex = request.source === "web" && ownIndex !== null && (isMerged || usable.length === 0);
    const [web, index] = await Promise.all([
      usable.length === 0 ? null : askWeb(usable, request, facet, context),
      usesIndex ? askIndex(ownIndex, request, facet, context) : null,
    ]);
    if (web?.ok === false && !index?.results.length) return web;
    const warnings = [
      ...(web?.ok === false ? web.causes : (web?.warnings ?? [])),
      ...(fitting.length > 0 && usable.length === 0 ? [`No search service can be asked for this query.`] : []),
      ...(index === null ? [] : indexWarnings(index, request.location, web !== null)),
      ...(fitting.length === 0 && index === null ? nothingToAsk(request.source) : []),
    ];
    const lists = [web?.ok ? web.results : [], index?.results ?? []];
    return { ok: true, results: fuse(lists).map((found) => withCategory(found, facet)), warnings };
  }

  async function askIndex(index: OwnIndex, request: SourceRequest, facet: Facet, { signal, trace }: FinderContext) {
    const { teamId, query, excludeDomains, ignoreInvalidURLs, highlights: wantsPassages } = request;
    const time = request.time ?? undefined;
    const isNarrowed = facet.isPdf || (facet.domains.length > 0 && request.includeDomains.length > 0);
    const limit = isNarrowed || ignoreInvalidURLs ? mostResults : request.limit;
    const { results, unknownSites } = await trace.run(
      "index",
      () =>
        index.search(
          { teamId, query, limit, wantsPassages, time, excludeDomains, includeDomains: hosts(request, facet) },
          signal,
        ),
      (answer) => ({ outcome: `${answer.results.length} results` }),
    );
    const fitting = results.filter(({ url }) => isOfFacet(facet, url) && isAllowed(request, url));
    const found = fitting.slice(0, request.limit).map((result): Found => {
      const { url, title, description, published } = result;
      return { url, title, description, published: result.date, date: published === null ? "" : isoTime(published) };
    });
    // Only who finds little wonders why.
    const pages = found.length < request.limit ? (await index.stats(teamId)).pages : null;
    return { results: found, unknownSites, pages };
  }

  /** A service's answer of a moment ago, or a new one. */
  async function askWeb(
    usable: readonly SearchProvider[],
    request: SourceRequest,
    facet: Facet,
    context: FinderContext,
  ): Promise<SourceOutcome> {
    const { query, isKept, time, ...rest } = request;
    // "The last week" is another span in every millisecond.
    const span = time?.recent ? { recent: time.recent, isNewestFirst: time.isNewestFirst } : time;
    const key = JSON.stringify([printQuery(query), rest, span, facet.domains, facet.isPdf]);
    const known = isKept ? cache.find(key) : null;
    if (known) {
      const outcome = `${known.results.length} results`;
      await context.trace.run(
        "search",
        async () => known,
        () => ({ outcome, detail: "kept for a minute" }),
      );
      return { ok: true, results: [...known.results], warnings: [...known.warnings] };
    }
    const outcome = await askServices(usable, request, facet, context);
    if (!outcome.ok) return outcome;
    if (isKept && outcome.isWhole && !context.signal.aborted) cache.keep(key, outcome);
    return { ok: true, results: [...outcome.results], warnings: [...outcome.warnings] };
  }

  async function askServices(
    usable: readonly SearchProvider[],
    request: SourceRequest,
    facet: Facet,
    { pages, trace, signal }: FinderContext,
  ): Promise<(WebAnswer & { ok: true; isWhole: boolean }) | (SourceOutcome & { ok: false })> {
    const { source, limit, time, country, language, location, safe, excludeDomains } = request;
    const { subjects, warnings } = await readSubjects(request.query, pages);
    const query = withSubjects(request.query, subjects);
    const asked = await trace.run(
      "search",
      () =>
        askProviders(
          usable,
          (provider) => ({
            text: textFor(provider, query, facet),
            limit: isJudged(provider, request, facet) ? Math.min(mostResults, 2 * limit + 10) : limit,
            source,
            timeFilter: time,
            country,
            language,
            location,
            safe,
            includeDomains: hosts(request, facet),
            excludeDomains,
          }),
          signal,
        ),
      (outcome) =>
        outcome.ok
          ? { engine: outcome.provider.name, outcome: `${outcome.results.length} results` }
          : { outcome: outcome.reason },
    );
    signal.throwIfAborted();
    if (!asked.ok) return { ok: false, causes: asked.causes, retry: asked.retry };
    const dated = asked.results.map((found) => ({ found, verdict: time ? judgeDate(found, time) : "yes" }));
    const undated = asked.appliedTime ? 0 : dated.filter(({ verdict }) => verdict === "unknown").length;
    const ofTime = dated.filter(({ verdict }) => verdict === "yes" || (verdict === "unknown" && asked.appliedTime));
    const distinct = fuse([
      inOrder(
        ofTime.map(({ found }) => found),
        time,
      ),
    ]);
    const check = checkFor(asked.provider, request, facet, subjects);
    const { kept, undecided } = await trace.run(
      "judge",
      () => sift(distinct, { check, limit, pages }),
      (sifted) => ({ outcome: `${sifted.kept.length} of ${asked.results.length} kept` }),
    );
    await pages.keep();
    return {
      ok: true,
      results: kept,
      warnings: [...warnings, ...asked.warnings, ...leftOut(undated, undecided)],
      isWhole: undecided === 0,
    };
  }

  function checkFor(
    provider: SearchProvider,
    request: SourceRequest,
    facet: Facet,
    subjects: readonly Subject[],
  ): Check {
    const { includeDomains, excludeDomains } = request;
    const open = expressQuery(request.query, provider.supports.operators).unexpressed;
    const clauses = open.filter(({ kind }) => kind !== "related");
    const checks = [createJudge({ clauses, includeDomains, excludeDomains }), ...subjects.map(checkSubject)];
    return (candidate) => {
      if (!isOfFacet(facet, candidate.url) || !isAllowed(request, candidate.url)) return "no";
      return joinVerdicts(checks.map((check) => check(candidate)));
    };
  }

  function isAllowed({ ignoreInvalidURLs }: SourceRequest, url: string): boolean {
    return !ignoreInvalidURLs || "url" in judge(url);
  }

  return { find };
}

/** The question as text; "" when nothing of it can be said to this service. */
function textFor({ supports }: SearchProvider, query: SearchQuery, { isPdf }: Facet): string {
  const hasRelated = query.clauses.some(({ kind, isNegated }) => kind === "related" && !isNegated);
  const { text } = expressQuery(query, supports.understood);
  if (text === "") return hasRelated ? "related" : "";
  if (!isPdf) return text;
  return supports.understood.has("site") ? `${text} filetype:pdf` : `${text} pdf`;
}

/** Whether some of a service's results may have to be left out, so that more are asked for. */
function isJudged({ supports }: SearchProvider, request: SourceRequest, facet: Facet): boolean {
  const { query, time, includeDomains, excludeDomains, ignoreInvalidURLs } = request;
  const isDated = time !== null && (time.fromMs !== null || time.toMs !== null);
  return (
    expressQuery(query, supports.operators).unexpressed.length > 0 ||
    includeDomains.length + excludeDomains.length + facet.domains.length > 0 ||
    isDated ||
    facet.isPdf ||
    ignoreInvalidURLs
  );
}

/** The caller's own hosts are narrower than those of a category, or are judged against them. */
function hosts({ includeDomains }: SourceRequest, facet: Facet): readonly string[] {
  return includeDomains.length > 0 ? includeDomains : facet.domains;
}

/** Newest first when that is asked for; those without a date come last. */
function inOrder(results: readonly Found[], time: TimeRange | null): Found[] {
  if (!time?.isNewestFirst) return [...results];
  return [...results].sort((a, b) => (b.published ?? 0) - (a.published ?? 0));
}

function withCategory(found: Found, facet: Facet): Found {
  const category = facet.categoryOf(found.url);
  return category === undefined ? found : { ...found, category };
}

function leftOut(undated: number, undecided: number): string[] {
  const results = (count: number) => (count === 1 ? "1 result was" : `${count} results were`);
  return [
    ...(undated === 0 ? [] : [`${results(undated)} left out because no date is known.`]),
    ...(undecided === 0
      ? []
      : [`${results(undecided)} left out because it could not be decided whether the query's operators hold.`]),
  ];
}

interface IndexFindings {
  results: readonly Found[];
  unknownSites: readonly string[];
  /** Of the team; null when it was not asked for. */
  pages: number | null;
}

function indexWarnings({ results, unknownSites, pages }: IndexFindings, location?: string, isBeside = false): string[] {
  const warnings = unknownSites.map((host) => `The own index has no page of ${host}, so nothing can be related to it.`);
  if (!isBeside && pages !== null && (pages < thinIndex || results.length === 0)) {
    const size = pages === 1 ? "1 page" : `${pages} pages`;
    const what = pages === 0 ? "is empty: scrape or crawl something first" : `has ${size} of what this team has read`;
    warnings.push(`Only the own index was searched, which ${what}. To search the web, set ${settings}.`);
  }
  if (location !== undefined) warnings.push("location has no effect on the own index.");
  return warnings;
}

/** Sentences that several sources share are the same, so that they are said once. */
function nothingToAsk(source: ProviderSource): string[] {
  const web = `To search the web, set ${settings}`;
  if (source !== "web") return [`The own index has no ${source}.`, `${web}.`];
  return [`There is nothing to search in. ${web}; to search the pages that you have read, set OWN_INDEX=1.`];
}
