// Finds the results of one source: from the search services, from the local index, or from both.
import type { LocalIndex } from "../local-index/local-index.ts";
import type { SearchProvider } from "../providers/search-provider.ts";
import { askIndex } from "./ask-index.ts";
import { askWeb, type ServiceDeps } from "./ask-services.ts";
import { type Facet, facetsOf } from "./categories.ts";
import { findOpen, type OpenSearch } from "./find-open.ts";
import { fuseResults } from "./fuse-results.ts";
import { indexWarnings, noServiceFits, nothingToAsk } from "./result-warnings.ts";
import type { SearchResult } from "./search-result.ts";
import {
  type FacetRequest,
  inOrder,
  type ResultContext,
  type SourceOutcome,
  type SourceRequest,
  textFor,
} from "./source-request.ts";

export interface SourceDeps extends ServiceDeps {
  /** Those of the operator, which come first. */
  providers: readonly SearchProvider[];
  /** Asked when services of the operator found nothing; null when switched off. */
  open: OpenSearch | null;
  /** Null when it is switched off. */
  localIndex: LocalIndex | null;
  /** Whether results of the local index join those of services. */
  isMerged: boolean;
}

export async function findSource(
  given: SourceDeps,
  request: SourceRequest,
  context: ResultContext,
): Promise<SourceOutcome> {
  const { source } = request;
  const deps = request.isOpenOnly ? { ...given, providers: [] } : given;
  const open = deps.open?.federation.supports.sources.has(source) ? deps.open : null;
  if (open === null) return (await findServed(deps, request, context, false)).outcome;
  const isServed = deps.providers.some(({ supports }) => supports.sources.has(source));
  const served = isServed ? await findServed(deps, request, context, true) : null;
  if (served?.outcome.ok && served.found > 0) return served.outcome;
  const { outcome } = served ?? {};
  const earlier = outcome === undefined ? [] : outcome.ok ? outcome.warnings : outcome.causes;
  return findOpen({ ...deps, ...open }, request, context, earlier);
}

/** By services and the local index. `hasMore`: others are asked if the services find nothing. */
async function findServed(deps: SourceDeps, request: SourceRequest, context: ResultContext, hasMore: boolean) {
  const facets = facetsOf(request.categories);
  const all = await Promise.all(facets.map((facet) => findFacet(deps, { ...request, facet }, context, hasMore)));
  const outcomes = all.map(({ outcome }) => outcome);
  return { outcome: joinFacets(deps, request, outcomes), found: all.reduce((sum, { found }) => sum + found, 0) };
}

/** One facet may fail as long as another one answers. */
function joinFacets(deps: SourceDeps, request: SourceRequest, outcomes: readonly SourceOutcome[]): SourceOutcome {
  const answers = outcomes.filter((outcome) => outcome.ok);
  const failures = outcomes.filter((outcome) => !outcome.ok);
  const causes = failures.flatMap((outcome) => outcome.causes);
  if (answers.length === 0) return { ok: false, causes, retry: failures.some(({ retry }) => retry) };
  const fused = fuseResults(
    answers.map((answer) => answer.results),
    deps.pageKeyOf,
  );
  return {
    ok: true,
    results: inOrder(fused, request.time).slice(0, request.limit),
    warnings: [...causes, ...answers.flatMap(({ warnings }) => warnings)],
  };
}

/** `found`: how many results came from services. */
async function findFacet(
  deps: SourceDeps,
  request: FacetRequest,
  context: ResultContext,
  hasMore: boolean,
): Promise<{ outcome: SourceOutcome; found: number }> {
  const { providers, localIndex, isMerged, pageKeyOf } = deps;
  const { source, query, facet, location } = request;
  const fitting = providers.filter(({ supports }) => supports.sources.has(source));
  const usable = fitting.filter((provider) => textFor(provider, query, facet) !== "");
  const isAlone = usable.length === 0 && !hasMore;
  const usesIndex = source === "web" && localIndex !== null && (isMerged || isAlone);
  const [web, index] = await Promise.all([
    usable.length === 0 ? null : askWeb(deps, usable, request, context),
    usesIndex ? askIndex(localIndex, deps, request, context) : null,
  ]);
  const found = web?.ok ? web.results.length : 0;
  if (web?.ok === false && !index?.results.length) return { outcome: web, found };
  const warnings = [
    ...(web?.ok === false ? web.causes : (web?.warnings ?? [])),
    ...(fitting.length > 0 && usable.length === 0 ? [noServiceFits] : []),
    ...(index === null ? [] : indexWarnings(index, location, web !== null)),
    ...(fitting.length === 0 && index === null ? nothingToAsk(source) : []),
  ];
  const fused = fuseResults([web?.ok ? web.results : [], index?.results ?? []], pageKeyOf);
  return { outcome: { ok: true, results: fused.map((result) => withCategory(result, facet)), warnings }, found };
}

function withCategory(result: SearchResult, facet: Facet): SearchResult {
  const category = facet.categoryOf(result.url);
  return category === undefined ? result : { ...result, category };
}
