// What is done while a caller waits: scrapes, maps, searches and what teams ask about themselves.
import type { Accounts, Caller } from "../accounts/index.ts";
import type { Clock, Logger } from "../base/index.ts";
import type { Config } from "../config.ts";
import type { Operations } from "../contract/index.ts";
import type { Net } from "../net/index.ts";
import {
  createFeedbackOperations,
  createMapOperations,
  createPageIndexer,
  createScrapeOperations,
  createSearchOperations,
  createSourceSearch,
  createTeamOperations,
  type MapDeps,
  type PageIndexer,
  type ScrapeDeps,
  type SearchDeps,
  type SiteDiscoveryDeps,
  type SourceSearchDeps,
} from "../operations/index.ts";
import type { LanguageModel, LazyExtraction } from "../pages/index.ts";
import type { Store } from "../store/index.ts";

type SourceSearchParts = Omit<SourceSearchDeps, "isMerged" | "openProviders" | "openIndex">;

export type OperationDeps = { accounts: Accounts; extraction: LazyExtraction; model: LanguageModel | null } & Omit<
  ScrapeDeps & MapDeps & SearchDeps & SiteDiscoveryDeps,
  "credits" | "activity"
>;

/** Every operation that is built, checked against what the endpoint table says it takes and answers. */
export function joinOperations({ accounts, ...deps }: OperationDeps) {
  return {
    ...createTeamOperations({ accounts, store: deps.store }),
    ...createScrapeOperations({ ...deps, credits: accounts.credits }),
    ...createMapOperations({ ...deps, credits: accounts.credits, activity: accounts.activity }),
  } satisfies Partial<Operations<Caller>>;
}

/** What searches, and what it searches with; the room itself is loaded with the first search. */
export function joinIndexer(deps: { store: Store; clock: Clock; log: Logger }): PageIndexer {
  return createPageIndexer(async () => (await import("../search/index.ts")).createIndexWriter(deps));
}

export function joinSources(config: Config, { net, ...deps }: SourceSearchParts & { net: Net }) {
  const { store, clock } = deps;
  return createSourceSearch({
    ...deps,
    isMerged: config.searchMerge,
    openProviders: async () => (await import("../search/index.ts")).createProviders(config, { net, clock }),
    openIndex: async () => (config.ownIndex ? (await import("../search/index.ts")).createOwnIndex({ store }) : null),
  });
}

export function joinSearch({ accounts, ...deps }: OperationDeps) {
  const { store, clock } = deps;
  return {
    ...createSearchOperations({ ...deps, credits: accounts.credits }),
    ...createFeedbackOperations({ store, clock }),
  } satisfies Partial<Operations<Caller>>;
}
