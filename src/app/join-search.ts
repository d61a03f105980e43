// Search as configured: services, open sources and the local index. Loaded with the first search, so that a server without
// searches stays small.
import { type Clock, createLazy, type Logger, ServiceError, type TimeSlicer } from "../base/index.ts";
import type { Config } from "../config.ts";
import type { Net } from "../net/index.ts";
import { createPageIndexer } from "../operations/index.ts";
import type { Federation, FindResults, IndexResult, SourceReport } from "../search/index.ts";
import type { Store } from "../store/index.ts";
import { homepage } from "./open-platform.ts";

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
  /** Why the latest search had no answer from any service; null when it had one, undefined before the first. */
  latestFault(): string | null | undefined;
}

export function joinIndexer(deps: { store: Store; clock: Clock; log: Logger; slicer: TimeSlicer }) {
  // Loaded with the first page: an idle server stays small.
  return createPageIndexer(async () => (await import("../search/index.ts")).createIndexWriter(deps));
}

export function joinSearch(config: Config, deps: SearchPartDeps): SearchPart {
  const { net, store, clock } = deps;
  // All of it is loaded with the first search.
  const index = createLazy(async () =>
    config.ownIndex ? (await import("../search/index.ts")).createLocalIndex({ store }) : null,
  );
  let counts: SearchPart["sourceCounts"] = () => new Map();
  const federation = createLazy(async (): Promise<Federation | null> => {
    if (config.searchSources.length === 0) return null;
    // See above.
    const { createFederation } = await import("../search/index.ts");
    const opened = createFederation(deps, sourceSettings(config, deps.version));
    counts = () => opened.counts;
    return opened;
  });
  const finder = createLazy(async (): Promise<FindResults> => {
    // The first search needs both; an idle server needs neither.
    const [search, { pageKey }] = await Promise.all([import("../search/index.ts"), import("../discovery/index.ts")]);
    const sources = await federation.open();
    return search.createResultFinder({
      clock,
      providers: search.createProviders(config, { net, clock }),
      open: sources && { federation: sources, timeoutMs: 5 * config.searchTimeMs },
      localIndex: await index.open(),
      isMerged: config.searchMerge,
      isAllowed: (url) => "url" in net.checkUrl(url),
      pageKeyOf: pageKey,
    });
  });

  let latestFault: string | null | undefined;

  return {
    async findResults(request, context) {
      try {
        const found = await (await finder.open())(request, context);
        latestFault = null;
        return found;
      } catch (error) {
        if (error instanceof ServiceError && error.code === "SEARCH_UNAVAILABLE") latestFault = error.message;
        throw error;
      }
    },
    latestFault: () => latestFault,
    async askIndex(teamId, text, limit) {
      const localIndex = await index.open();
      if (!localIndex) return null;
      // Loaded with it.
      const { parseQuery } = await import("../search/index.ts");
      const query = { teamId, query: parseQuery(text), limit, wantsPassages: true, wantsReasons: true };
      return (await localIndex.search(query, new AbortController().signal)).results;
    },
    openSources: federation.open,
    sourceCounts: () => counts(),
  };
}

const contactHint = "set SEARCH_CONTACT to a URL or email address of yours";

/** What open sources see as the contact of this server; null where none is asked. */
export function describeContact({ searchSources, searchContact, publicUrl }: Config) {
  if (searchSources.length === 0) return null;
  const own = searchContact ?? publicUrl;
  if (own !== null) return { isOwn: true, sentence: `Search sources see ${own} as the contact.` };
  const sentence = `Search sources see ${homepage}, this project, as the contact: ${contactHint}.`;
  return { isOwn: false, sentence };
}

function sourceSettings(config: Config, version: string) {
  const own = config.searchContact ?? config.publicUrl;
  const contact = own ?? homepage;
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
    contactHint: own === null ? contactHint : null,
    // Not the name under which pages are read: sources forbid programs to look like a browser.
    userAgent: `Trawl/${version} (+${contact})`,
    isCacheShared: config.sharedCache,
  };
}
