// What an operator does with a team's own index: look at it, add the pages of a sitemap, take pages out.
import { readUrl, withoutFragment } from "../../base/index.ts";
import type { SiteReader } from "../../pages/index.ts";
import type { IndexStats, Store } from "../../store/index.ts";
import type { PageIndexer } from "./page-indexer.ts";

export interface IndexUpkeepDeps {
  store: Store;
  sites: SiteReader;
  /** Null when pages are not to be searched. */
  indexer: PageIndexer | null;
}

export interface ListedPages {
  urls: string[];
  warnings: string[];
}

export type IndexUpkeep = ReturnType<typeof createIndexUpkeep>;

/** Of all files of a sitemap: as many as a batch takes. */
const mostListed = 10_000;
/** Pages of one transaction. */
const removalPortion = 500;

export function createIndexUpkeep({ store, sites, indexer }: IndexUpkeepDeps) {
  return {
    isOn: indexer !== null,

    stats: (teamId: string): Promise<IndexStats> => store.searchIndex.stats(teamId),

    /** The pages that an address stands for: those that it lists if it is a sitemap or a feed, else itself. */
    async listPages(teamId: string, url: string, signal: AbortSignal): Promise<ListedPages> {
      const request = { teamId, signal, language: "*", own: null };
      const walk = await sites.walkSitemaps({ ...request, starts: [url], ignoreCache: true });
      const urls = new Set<string>();
      for await (const { entries } of walk.files()) {
        for (const entry of entries) if (urls.size < mostListed) urls.add(withoutFragment(entry.url));
        if (urls.size >= mostListed) break;
      }
      if (urls.size === 0) return { urls: [url], warnings: [] };
      const cut = urls.size < mostListed ? [] : [`Only the first ${mostListed} pages were taken.`];
      return { urls: [...urls], warnings: [...walk.warnings(), ...cut] };
    },

    /** A page, or all pages of a host and its subdomains; says how many there were. */
    async remove(teamId: string, page: string): Promise<number> {
      const address = page.includes("/") ? readUrl(page) : null;
      if (address && "url" in address) {
        const url = withoutFragment(address.url);
        return store.transaction(({ searchIndex }) => searchIndex.removeUrl(teamId, url));
      }
      const { readHost } = await import("../../search/index.ts");
      const host = readHost(page);
      if (host === null) return 0;
      let removed = 0;
      for (;;) {
        const count = await store.transaction(({ searchIndex }) =>
          searchIndex.remove({ teamId, host, limit: removalPortion }),
        );
        removed += count;
        if (count < removalPortion) return removed;
      }
    },

    /** Writes the pages that were read, so that they can be found. */
    flush: async (): Promise<void> => indexer?.flush(),
  };
}
