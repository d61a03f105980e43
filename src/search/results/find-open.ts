// Finds the results of one source from the open sources and the local index, which is one list among theirs. A source
// that cannot be asked gives a warning; the others are the answer.
import type { Federation } from "../federation/federation.ts";
import { fuseSources, type SourceList } from "../federation/fuse-sources.ts";
import { createRelevance, type RateResult } from "../federation/relevance.ts";
import type { LocalIndex } from "../local-index/local-index.ts";
import { askIndex, type IndexFindings } from "./ask-index.ts";
import { askServices, type ServiceDeps } from "./ask-services.ts";
import { type Facet, facetsOf } from "./categories.ts";
import { unknownSite } from "./result-warnings.ts";
import type { SearchResult } from "./search-result.ts";
import { inOrder, type ResultContext, type SourceOutcome, type SourceRequest } from "./source-request.ts";

export interface OpenSearch {
  federation: Federation;
  /** An upper bound for the whole search. */
  timeoutMs: number;
}

interface OpenDeps extends ServiceDeps, OpenSearch {
  localIndex: LocalIndex | null;
}

/** Sources have categories, not hosts. */
const anywhere: Facet = { domains: [], isPdf: false, categoryOf: () => undefined };

const rateFor = createRelevance();

/** `earlier`: warnings of the operator's services, which were asked first. */
export async function findOpen(
  deps: OpenDeps,
  request: SourceRequest,
  context: ResultContext,
  earlier: readonly string[],
): Promise<SourceOutcome> {
  const { federation, timeoutMs, localIndex } = deps;
  const { source, query, time, limit } = request;
  let isIndexed = false;
  const how = { endSignal: context.softSignal, timeoutMs, hasOthers: () => isIndexed };
  const facets = source === "web" && localIndex !== null ? facetsOf(request.categories) : [];
  const askFacets = facets.map(async (facet) => {
    const found = await askFacet(deps, request, facet, context);
    isIndexed ||= found.results.length > 0;
    return found;
  });
  const [web, ...indexed] = await Promise.all([
    askServices(deps, [federation], { ...request, facet: anywhere }, context, how),
    ...askFacets,
  ]);
  const lists = [
    { engine: federation.name, results: web.ok ? web.results : [] },
    ...indexed.map(({ results }) => ({ engine: "index", results })),
  ];
  const results = inOrder(fuseLists(lists, rateFor(query)), time).slice(0, limit);
  return {
    ok: true,
    results: results.map(withoutFit),
    warnings: [
      ...earlier,
      ...(web.ok ? web.warnings : web.causes),
      ...(results.length > 0 ? [] : indexed.flatMap(({ unknownSites }) => unknownSites.map(unknownSite))),
    ],
  };
}

/** The index alone knows its order better than titles and descriptions tell. */
function fuseLists(lists: readonly SourceList<SearchResult>[], rate: RateResult): readonly SearchResult[] {
  const [only, ...others] = lists.filter(({ results }) => results.length > 0);
  return only?.engine === "index" && others.length === 0 ? only.results : fuseSources(lists, rate);
}

async function askFacet(
  deps: OpenDeps,
  request: SourceRequest,
  facet: Facet,
  context: ResultContext,
): Promise<IndexFindings> {
  if (deps.localIndex === null) return { results: [], unknownSites: [], pages: null };
  const found = await askIndex(deps.localIndex, deps, { ...request, facet }, context);
  const results = found.results.map((result) => {
    const category = facet.categoryOf(result.url);
    return category === undefined ? result : { ...result, category };
  });
  return { ...found, results };
}

function withoutFit({ fit: _, about = "", ...result }: SearchResult): SearchResult {
  return result.description === "" ? Object.assign(result, { description: about }) : result;
}
