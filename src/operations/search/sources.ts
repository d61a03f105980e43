// The results of all sources that a search asks for, not charged and not noted: for a caller's search, and for an extract that
// looks for pages. What finds results is loaded with the first search: a server that nobody searches with stays small.

import type { Trace } from "../../base/index.ts";
import { ServiceError } from "../../base/index.ts";
import type { OperationInput } from "../../contract/index.ts";
import type { Judge, PageScraperDeps } from "../../pages/index.ts";
import { keepsNothing } from "../../pages/index.ts";
import type { OwnIndex, SearchProvider, SearchQuery } from "../../search/index.ts";
import type { Store } from "../../store/index.ts";
import type { Groups } from "./answer.ts";
import type { SourceOutcome, SourceRequest } from "./finding.ts";

type SearchInput = OperationInput<"search">;
type Source = SourceRequest["source"];

export interface SourceSearchDeps extends PageScraperDeps {
  store: Store;
  judge: Judge;
  /** Made with the first search. */
  openProviders(): Promise<readonly SearchProvider[]>;
  openIndex(): Promise<OwnIndex | null>;
  isMerged: boolean;
}

export interface FoundSources {
  query: SearchQuery;
  groups: Groups;
  warnings: string[];
  highlighter(query: SearchQuery): (text: string) => string | null;
}

const defaultRetrySeconds = 10;

export type SourceSearch = ReturnType<typeof createSourceSearch>;

export function createSourceSearch(deps: SourceSearchDeps) {
  const { clock } = deps;
  const load = once(async () => {
    const [finding, room, texts, { createSearchCache }, providers, ownIndex] = await Promise.all([
      import("./finding.ts"),
      import("../../search/index.ts"),
      import("./page-texts.ts"),
      import("./cache.ts"),
      deps.openProviders(),
      deps.openIndex(),
    ]);
    const { judge, isMerged } = deps;
    const finder = finding.createFinder({ providers, ownIndex, isMerged, judge, cache: createSearchCache(clock) });
    return { finder, room, createPageTexts: texts.createPageTexts };
  });

  /** Throws when no service answered. */
  async function find(
    { input, teamId }: { input: SearchInput; teamId: string },
    trace: Trace,
    signal: AbortSignal,
    pageSignal: AbortSignal,
  ): Promise<FoundSources> {
    const { finder, room, createPageTexts } = await load();
    const query = room.parseQuery(input.query);
    const pages = createPageTexts(deps, { teamId, scrapeOptions: input.scrapeOptions }, pageSignal);
    const requests = sourcesOf(input).map((source): SourceRequest => {
      const { tbs = input.tbs, location = input.location } = source;
      // A place of the source's own is not in the country that holds for the others.
      const country = source.country ?? (source.location === undefined ? input.country : undefined);
      return {
        source: source.type,
        teamId,
        query,
        limit: input.limit,
        time: tbs === undefined ? null : room.readTimeRange(tbs, clock.now()),
        country,
        language: source.lang ?? input.lang,
        location,
        safe: input.safe,
        includeDomains: input.includeDomains,
        excludeDomains: input.excludeDomains,
        categories: source.type === "web" ? input.categories : [],
        ignoreInvalidURLs: input.ignoreInvalidURLs,
        highlights: input.highlights,
        isKept: !keepsNothing(input.scrapeOptions),
      };
    });
    const outcomes = await Promise.all(requests.map((request) => finder.find(request, { pages, trace, signal })));
    signal.throwIfAborted();
    if (outcomes.every((outcome) => !outcome.ok)) throw unavailable(outcomes);
    const groups: Groups = new Map(
      requests.map(({ source }, index) => {
        const outcome = outcomes[index];
        return [source, outcome?.ok ? outcome.results : []];
      }),
    );
    const warnings = outcomes.flatMap((outcome) => (outcome.ok ? outcome.warnings : outcome.causes));
    return { query, groups, warnings, highlighter: room.createHighlighter };
  }

  return { find };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}

type WebSource = Extract<SearchInput["sources"][number], { type: "web" }>;
type AskedSource = { type: Source } & Partial<Omit<WebSource, "type" | "filter">>;

/** Each once; the web unless another is named. */
function sourcesOf({ sources }: SearchInput): AskedSource[] {
  const asked = new Map<Source, AskedSource>();
  for (const source of sources) {
    if (!asked.has(source.type)) asked.set(source.type, source);
  }
  return asked.size > 0 ? [...asked.values()] : [{ type: "web" }];
}

function unavailable(outcomes: readonly SourceOutcome[]): ServiceError {
  const failures = outcomes.filter((outcome) => !outcome.ok);
  const causes = [...new Set(failures.flatMap((outcome) => outcome.causes))];
  const mayHelp = failures.some(({ retry }) => retry);
  return new ServiceError("SEARCH_UNAVAILABLE", `No search service answered. ${causes.join(" ")}`, {
    ...(mayHelp ? { retryAfterSeconds: defaultRetrySeconds } : {}),
  });
}
