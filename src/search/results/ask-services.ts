// Asks the search services in their order and keeps those results that satisfy every operator, domain, category and date.
import { createClauseFilter } from "../filter/clause-filter.ts";
import { askProviders } from "../providers/ask-providers.ts";
import type { ResultCache } from "../providers/result-cache.ts";
import type { AskedSource, SearchProvider } from "../providers/search-provider.ts";
import { expressQuery } from "../query/express-query.ts";
import { printQuery } from "../query/parse-query.ts";
import { checkDate } from "../query/time-range.ts";
import { isOfFacet } from "./categories.ts";
import { fuseResults, type PageKeyOf, resultKey } from "./fuse-results.ts";
import { leftOutWarnings } from "./result-warnings.ts";
import type { SearchResult } from "./search-result.ts";
import { joinVerdicts, type ResultCheck, siftResults } from "./sift-results.ts";
import { checkSubject, readSubjects, type SiteSubject, withSubjects } from "./site-subjects.ts";
import {
  countFor,
  domainsOf,
  type FacetRequest,
  inOrder,
  type ResultContext,
  type SourceOutcome,
  textFor,
} from "./source-request.ts";

export interface WebAnswer {
  results: readonly SearchResult[];
  warnings: readonly string[];
  /** Services that failed before one answered. */
  failed: readonly AskedSource[];
}

export interface ServiceDeps {
  /** What services answered within the last minute. The local index is not in it: a page must be found soon after it was read. */
  cache: ResultCache<WebAnswer>;
  pageKeyOf: PageKeyOf;
  /** Whether this server would agree to scrape a URL. */
  isAllowed(url: string): boolean;
}

export interface AskingTime {
  endSignal?: AbortSignal | undefined;
  timeoutMs?: number;
  hasOthers?: () => boolean;
}

type ServiceOutcome = (WebAnswer & { ok: true; isWhole: boolean }) | Extract<SourceOutcome, { ok: false }>;

/** An answer from the last minute, or a new one. */
export async function askWeb(
  deps: ServiceDeps,
  services: readonly SearchProvider[],
  request: FacetRequest,
  context: ResultContext,
): Promise<SourceOutcome> {
  const { cache } = deps;
  const key = cacheKey(request);
  const known = request.isCacheable ? cache.find(key) : null;
  if (known) {
    const outcome = `${known.results.length} results`;
    await context.trace.run(
      "search",
      async () => known,
      () => ({ outcome, detail: "cached for a minute", ...whomAsked(known.failed) }),
    );
    return { ok: true, results: [...known.results], warnings: [...known.warnings] };
  }
  const answer = await askServices(deps, services, request, context);
  if (!answer.ok) return answer;
  if (request.isCacheable && answer.isWhole && !context.signal.aborted) cache.keep(key, answer);
  return { ok: true, results: [...answer.results], warnings: [...answer.warnings] };
}

function cacheKey({ query, isCacheable: _, passagesFor: _own, time, facet, seen, ...rest }: FacetRequest): string {
  // "The last week" is another span in every millisecond.
  const span = time?.recent ? { recent: time.recent, isNewestFirst: time.isNewestFirst } : time;
  return JSON.stringify([printQuery(query), rest, span, facet.domains, facet.isPdf, [...seen]]);
}

/** When `endSignal` aborts, a provider answers with what it has; it waits for no first result where `hasOthers` says so. */
export async function askServices(
  deps: ServiceDeps,
  services: readonly SearchProvider[],
  request: FacetRequest,
  { readText, trace, signal }: ResultContext,
  { endSignal, timeoutMs, hasOthers }: AskingTime = {},
): Promise<ServiceOutcome> {
  const { source, limit, time, country, language, location, safe, excludeDomains, facet, categories } = request;
  const { subjects, warnings } = await readSubjects(request.query, readText);
  const query = withSubjects(request.query, subjects);
  const asked = await trace.run(
    "search",
    () =>
      askProviders(
        services,
        (provider) => ({
          text: textFor(provider, query, facet),
          limit: countFor(provider, request),
          source,
          timeFilter: time,
          country,
          language,
          location,
          safe,
          includeDomains: domainsOf(request),
          excludeDomains,
          query,
          categories,
          teamId: request.isCacheable ? request.teamId : undefined,
          hasOthers,
        }),
        endSignal ?? signal,
        timeoutMs,
      ),
    (outcome) => {
      if (!outcome.ok) return { outcome: outcome.reason, ...whomAsked(outcome.failed) };
      const { provider, results, failed, sourcesAsked = [] } = outcome;
      return {
        engine: provider.name,
        outcome: `${results.length} results`,
        ...whomAsked([...failed, ...sourcesAsked]),
      };
    },
  );
  signal.throwIfAborted();
  if (!asked.ok) return { ok: false, causes: asked.causes, retry: asked.retry };
  const dated = asked.results.map((result) => ({ result, verdict: time ? checkDate(result, time) : "yes" }));
  const unknown = asked.appliedTime ? 0 : dated.filter(({ verdict }) => verdict === "unknown").length;
  const undated = asked.undated ?? unknown;
  const engines = [asked.provider.name.toLowerCase()];
  const inTime = dated
    .filter(({ verdict }) => verdict === "yes" || (verdict === "unknown" && asked.appliedTime))
    .map(({ result }) => (result.engines ? result : { ...result, engines }));
  const distinct = fuseResults([inOrder(inTime, time)], deps.pageKeyOf);
  const check = checkFor(deps, asked.provider, request, subjects);
  const { kept, undecided } = await trace.run(
    "filter",
    () => siftResults(distinct, { check, limit, readText }),
    (sifted) => ({ outcome: `${sifted.kept.length} of ${asked.results.length} kept` }),
  );
  return {
    ok: true,
    results: kept,
    warnings: [...warnings, ...asked.warnings, ...leftOutWarnings(undated, undecided)],
    failed: asked.failed,
    isWhole: undecided === 0,
  };
}

function whomAsked(sources: readonly AskedSource[]): { sourcesAsked?: AskedSource[] } {
  return sources.length > 0 ? { sourcesAsked: [...sources] } : {};
}

/** A clause that the service is known to apply is left to it; every other one is checked here. */
function checkFor(
  { isAllowed, pageKeyOf }: ServiceDeps,
  { supports }: SearchProvider,
  { query, facet, includeDomains, excludeDomains, ignoreInvalidURLs, seen }: FacetRequest,
  subjects: readonly SiteSubject[],
): ResultCheck {
  const open = expressQuery(query, supports.operators).unexpressed;
  const clauses = open.filter(({ kind }) => kind !== "related");
  const checks = [createClauseFilter({ clauses, includeDomains, excludeDomains }), ...subjects.map(checkSubject)];
  return (candidate) => {
    const { url } = candidate;
    if (!isOfFacet(facet, url) || (ignoreInvalidURLs && !isAllowed(url))) return "no";
    if (seen.size > 0 && seen.has(resultKey(new URL(url), pageKeyOf))) return "no";
    return joinVerdicts(checks.map((check) => check(candidate)));
  };
}
