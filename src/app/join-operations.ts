// What is done while a caller waits: scrapes, maps, searches and what teams ask about themselves.
import type { Accounts, Caller } from "../accounts/index.ts";
import type { Clock, Logger } from "../base/index.ts";
import type { Config } from "../config.ts";
import type { Operations } from "../contract/index.ts";
import type { Net } from "../net/index.ts";
import {
  createFeedbackOperations,
  createMapOperations,
  createScrapeOperations,
  createSearchOperations,
  createTeamOperations,
  type MapDeps,
  type ScrapeDeps,
  type SearchDeps,
} from "../operations/index.ts";
import {
  createPageIndexer,
  createPageScraper,
  type LanguageModel,
  type LazyExtraction,
  type PageIndexer,
  type ResultTextDeps,
  type SiteReader,
} from "../pages/index.ts";
import type { FindResults } from "../search/index.ts";
import type { Store } from "../store/index.ts";

export type OperationDeps = {
  accounts: Accounts;
  extraction: LazyExtraction;
  model: LanguageModel | null;
  sites: SiteReader;
} & Omit<ScrapeDeps & MapDeps & SearchDeps & ResultTextDeps, "credits" | "activity" | "scrapePage">;

/** Every operation that is built, checked against what the endpoint table says it takes and answers. */
export function joinOperations({ accounts, ...deps }: OperationDeps) {
  return {
    ...createTeamOperations({ accounts, store: deps.store }),
    ...createScrapeOperations({ ...deps, credits: accounts.credits }),
    ...createMapOperations({ ...deps, credits: accounts.credits, activity: accounts.activity }),
  } satisfies Partial<Operations<Caller>>;
}

export function joinIndexer(deps: { store: Store; clock: Clock; log: Logger }): PageIndexer {
  return createPageIndexer(async () => (await import("../search/index.ts")).createIndexWriter(deps));
}

/** The room is loaded with the first search: a server that nobody searches with does without it. */
export function joinFindResults(
  config: Config,
  { net, store, clock }: { net: Net; store: Store; clock: Clock },
): FindResults {
  let opening: Promise<FindResults> | null = null;

  async function open(): Promise<FindResults> {
    const [search, { pageKey }] = await Promise.all([import("../search/index.ts"), import("../discovery/index.ts")]);
    return search.createResultFinder({
      clock,
      providers: search.createProviders(config, { net, clock }),
      localIndex: config.ownIndex ? search.createLocalIndex({ store }) : null,
      isMerged: config.searchMerge,
      isAllowed: (url) => "url" in net.judge(url),
      pageKeyOf: pageKey,
    });
  }

  return async (request, context) => {
    opening ??= open();
    return (await opening)(request, context);
  };
}

export function joinSearch({ accounts, ...deps }: OperationDeps) {
  const { store, clock } = deps;
  return {
    ...createSearchOperations({ ...deps, credits: accounts.credits, scrapePage: createPageScraper(deps) }),
    ...createFeedbackOperations({ store, clock }),
  } satisfies Partial<Operations<Caller>>;
}
