// What an operator does with a team's local index: look at it, add the pages of a sitemap, remove pages.
import { readUrl, withoutFragment } from "../../base/index.ts";
import type { IndexStats } from "../../store/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";

export interface ListedPages {
  urls: string[];
  warnings: string[];
}

/** Of all files of a sitemap: as many as a batch takes. */
const maxListed = 10_000;
/** Pages of one transaction. */
const removalBatch = 500;

export function createIndexUpkeep({ store, sites, indexer }: OperationParts) {
  async function removeAll(pages: { teamId: string; host?: string; start?: string }): Promise<number> {
    let removed = 0;
    for (;;) {
      const count = await store.transaction(({ searchIndex }) => searchIndex.remove({ ...pages, limit: removalBatch }));
      removed += count;
      if (count < removalBatch) return removed;
    }
  }

  return {
    isOn: indexer !== null,

    stats: (teamId: string): Promise<IndexStats> => store.searchIndex.stats(teamId),

    /** The pages that a URL stands for: those that it lists if it is a sitemap or a feed, otherwise itself. */
    async listPages(teamId: string, url: string, signal: AbortSignal): Promise<ListedPages> {
      const request = { teamId, signal, language: "*", own: null };
      const walk = await sites.walkSitemaps({ ...request, starts: [url], ignoreCache: true });
      const urls = new Set<string>();
      for await (const { entries } of walk.files()) {
        for (const entry of entries) if (urls.size < maxListed) urls.add(withoutFragment(entry.url));
        if (urls.size >= maxListed) break;
      }
      if (urls.size === 0) return { urls: [url], warnings: [] };
      const cut =
        urls.size < maxListed ? [] : [`The sitemap lists more pages; only the first ${maxListed} were added.`];
      return { urls: [...urls], warnings: [...walk.warnings(), ...cut] };
    },

    /** Removes a page, a file, all files of a folder, or all pages of a host and its subdomains; answers how many there were. */
    async remove(teamId: string, page: string): Promise<number> {
      const reading = page.includes("/") ? readUrl(page) : null;
      const named = reading && "url" in reading ? withoutFragment(reading.url) : null;
      const file = /^file:\/\//i.test(page) && URL.canParse(page) ? new URL(page).href.replace(/\/$/, "") : null;
      const url = named ?? file;
      const removed =
        url === null ? 0 : await store.transaction(({ searchIndex }) => searchIndex.removeUrl(teamId, url));
      if (removed > 0 || named !== null) return removed;
      if (file !== null) return removeAll({ teamId, start: `${file}/` });
      // The room is loaded with its first use: an idle server does without it.
      const { readHost } = await import("../../search/index.ts");
      const host = readHost(page);
      return host === null ? 0 : removeAll({ teamId, host });
    },

    /** Writes the pages that were read, so that they can be found. */
    flush: async (): Promise<void> => indexer?.flush(),
  };
}
