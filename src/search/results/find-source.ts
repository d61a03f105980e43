// Finds the results of one source: from the search services, from the local index, or from both.
import type { LocalIndex } from "../local-index/local-index.ts";
import type { SearchProvider } from "../providers/provider.ts";
import { askIndex } from "./ask-index.ts";
import { askWeb, type ServiceDeps } from "./ask-services.ts";
import { type Facet, facetsOf } from "./categories.ts";
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
  providers: readonly SearchProvider[];
  /** Null when it is switched off. */
  localIndex: LocalIndex | null;
  /** Whether results of the local index join those of services. */
  isMerged: boolean;
}

/** One facet may fail as long as another one answers. */
export async function findSource(
  deps: SourceDeps,
  request: SourceRequest,
  context: ResultContext,
): Promise<SourceOutcome> {
  const facets = facetsOf(request.categories);
  const outcomes = await Promise.all(facets.map((facet) => findFacet(deps, { ...request, facet }, context)));
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

async function findFacet(deps: SourceDeps, request: FacetRequest, context: ResultContext): Promise<SourceOutcome> {
  const { providers, localIndex, isMerged, isAllowed, pageKeyOf } = deps;
  const { source, query, facet, location } = request;
  const fitting = providers.filter(({ supports }) => supports.sources.has(source));
  const usable = fitting.filter((provider) => textFor(provider, query, facet) !== "");
  const usesIndex = source === "web" && localIndex !== null && (isMerged || usable.length === 0);
  const [web, index] = await Promise.all([
    usable.length === 0 ? null : askWeb(deps, usable, request, context),
    usesIndex ? askIndex(localIndex, isAllowed, request, context) : null,
  ]);
  if (web?.ok === false && !index?.results.length) return web;
  const warnings = [
    ...(web?.ok === false ? web.causes : (web?.warnings ?? [])),
    ...(fitting.length > 0 && usable.length === 0 ? [noServiceFits] : []),
    ...(index === null ? [] : indexWarnings(index, location, web !== null)),
    ...(fitting.length === 0 && index === null ? nothingToAsk(source) : []),
  ];
  const fused = fuseResults([web?.ok ? web.results : [], index?.results ?? []], pageKeyOf);
  return { ok: true, results: fused.map((result) => withCategory(result, facet)), warnings };
}

function withCategory(result: SearchResult, facet: Facet): SearchResult {
  const category = facet.categoryOf(result.url);
  return category === undefined ? result : { ...result, category };
}
