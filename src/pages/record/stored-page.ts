// A page that was read before, by the id in its metadata: the answer of a scrape, or a page of a crawl or batch.
import type { Clock } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import type { Store } from "../../store/index.ts";
import type { StoredDetails } from "./stored-details.ts";

export interface StoredPage {
  /** The document; null for a scrape that failed. */
  blobId: string | null;
  details: StoredDetails;
  /** How a page of a job was read; for a scrape that is sealed in its details. */
  options: ScrapeOptions | null;
}

/** Null when the team has no such page, or may no longer read it. */
export type FindStoredPage = (teamId: string, id: string) => Promise<StoredPage | null>;

export interface StoredPageDeps {
  store: Pick<Store, "scrapes">;
  clock: Clock;
  /** Jobs know their own pages. */
  findJobPage: FindStoredPage;
}

export function createStoredPages({ store, clock, findJobPage }: StoredPageDeps): FindStoredPage {
  return async (teamId, id) => {
    const scrape = await store.scrapes.find(teamId, id, clock.now());
    if (!scrape) return findJobPage(teamId, id);
    const details: StoredDetails = JSON.parse(scrape.details);
    return details.isSearch ? null : { blobId: scrape.blobId, details, options: null };
  };
}
