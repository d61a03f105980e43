// Search as configured: services, open sources and the local index. Loaded with the first search, so that a server without
// searches stays small.
import type { Clock, Logger } from "../base/index.ts";
import type { Config } from "../config.ts";
import type { Net } from "../net/index.ts";
import { createPageIndexer } from "../operations/index.ts";
import type { Federation, FindResults, IndexResult, LocalIndex, SourceReport } from "../search/index.ts";
import type { Store } from "../store/index.ts";

export interface SearchPartDeps {
  net: Net;
  store: Store;
  clock: Clock;
  log: Logger;
  version: string;
}

export interface SearchPart {
  findResults: FindResults;
  /** Pages of the local index alone, each with the reason for its place; null when the index is off. */
  askIndex(teamId: string, text: string, limit: number): Promise<IndexResult[] | null>;
  /** Null when open sources are off. */
  openSources(): Promise<Federation | null>;
  /** How often each open source was asked; nothing before the first search. */
  sourceCounts(): ReadonlyMap<string, SourceReport["asked"]>;
}

export function joinIndexer(deps: { store: Store; clock: Clock; log: Logger }) {
  // Loaded with the first page: an idle server stays small.
  return createPageIndexer(async () => (await import("../search/index.ts")).createIndexWriter(deps));
}

export function joinSearch(config: Config, deps: SearchPartDeps): SearchPart {
  const { net, store, clock } = deps;
  let opening: Promise<FindResults> | null = null;
  let federating: Promise<Federation | null> | null = null;
  let federation: Federation | null = null;
  let indexing: Promise<LocalIndex> | null = null;

  async function openIndex(): Promise<LocalIndex> {
    // Loaded with the first search, as everything about it.
    return (await import("../search/index.ts")).createLocalIndex({ store });
  }

  async function findIndex(): Promise<LocalIndex | null> {
    if (!config.ownIndex) return null;
    indexing ??= openIndex();
    return indexing;
  }

  async function federate(): Promise<Federation | null> {
    if (config.searchSources.length === 0) return null;
    // Loaded with the first search, as everything about it.
    const { createFederation } = await import("../search/index.ts");
    federation = createFederation(deps, sourceSettings(config, deps.version));
    return federation;
  }

  function openSources(): Promise<Federation | null> {
    federating ??= federate();
    return federating;
  }

  async function open(): Promise<FindResults> {
    // The first search needs both; an idle server needs neither.
    const [search, { pageKey }] = await Promise.all([import("../search/index.ts"), import("../discovery/index.ts")]);
    const sources = await openSources();
    return search.createResultFinder({
      clock,
      providers: search.createProviders(config, { net, clock }),
      open: sources && { federation: sources, timeoutMs: 5 * config.searchTimeMs },
      localIndex: await findIndex(),
      isMerged: config.searchMerge,
      isAllowed: (url) => "url" in net.checkUrl(url),
      pageKeyOf: pageKey,
    });
  }

  return {
    async findResults(request, context) {
      opening ??= open();
      return (await opening)(request, context);
    },
    async askIndex(teamId, text, limit) {
      const index = await findIndex();
      if (!index) return null;
      // Loaded with it.
      const { parseQuery } = await import("../search/index.ts");
      const query = { teamId, query: parseQuery(text), limit, wantsPassages: true, wantsReasons: true };
      return (await index.search(query, new AbortController().signal)).results;
    },
    openSources,
    sourceCounts: () => federation?.counts ?? new Map(),
  };
}

function sourceSettings(config: Config, version: string) {
  const contact = config.searchContact ?? config.publicUrl ?? "";
  return {
    names: config.searchSources,
    endpoints: config.searchEndpoints,
    keys: {
      keenable: config.keenableApiKey,
      openalex: config.openAlexApiKey,
      stackexchange: config.stackExchangeApiKey,
      github: config.githubSearchToken,
      marginalia: config.marginaliaApiKey,
    },
    budgetMs: config.searchTimeMs,
    cacheSeconds: config.searchCacheSeconds,
    cooldownSeconds: config.searchCooldownSeconds,
    isPaced: config.searchPace,
    contact,
    // Not the name under which pages are read: sources forbid programs to look like a browser.
    userAgent: `Trawl/${version}${contact === "" ? "" : ` (+${contact})`}`,
    isCacheShared: config.sharedCache,
  };
}
