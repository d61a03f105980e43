// Operations that answer while a caller waits: scrapes, maps, searches and a team's own account.
import type { Accounts, Caller } from "../accounts/index.ts";
import type { Clock, Logger } from "../base/index.ts";
import type { Config } from "../config.ts";
import type { Operations } from "../contract/index.ts";
import type { Net } from "../net/index.ts";
import {
  createFeedbackOperations,
  createMapOperations,
  createPageIndexer,
  createParseOperations,
  createScrapeOperations,
  createSearchOperations,
  createTeamOperations,
  type MapDeps,
  type PageIndexer,
  type ParseDeps,
  type ScrapeDeps,
  type SearchDeps,
} from "../operations/index.ts";
import type { FindResults } from "../search/index.ts";
import type { Store } from "../store/index.ts";

/** What all operations share; each takes what it needs. */
export interface OperationDeps
  extends Omit<ScrapeDeps, "credits">,
    Omit<ParseDeps, "credits">,
    Omit<MapDeps, "credits" | "activity">,
    Omit<SearchDeps, "credits"> {
  accounts: Accounts;
}

/** What is done while a caller waits. */
export function joinOperations({ accounts, ...deps }: OperationDeps) {
  const { store, clock } = deps;
  const { credits, activity } = accounts;
  return {
    ...createTeamOperations({ accounts, store }),
    ...createScrapeOperations({ ...deps, credits }),
    ...createParseOperations({ ...deps, credits }),
    ...createMapOperations({ ...deps, credits, activity }),
    ...createSearchOperations({ ...deps, credits }),
    ...createFeedbackOperations({ store, clock }),
  } satisfies Partial<Operations<Caller>>;
}

export function joinIndexer(deps: { store: Store; clock: Clock; log: Logger }): PageIndexer {
  // Loaded with the first page: an idle server stays small.
  return createPageIndexer(async () => (await import("../search/index.ts")).createIndexWriter(deps));
}

/** Loaded with the first search, so that a server without searches stays small. */
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
      isAllowed: (url) => "url" in net.checkUrl(url),
      pageKeyOf: pageKey,
    });
  }

  return async (request, context) => {
    opening ??= open();
    return (await opening)(request, context);
  };
}
