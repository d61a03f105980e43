// A page that was read before, by the id in its metadata: the answer of a scrape, or a page of a crawl or batch.
import type { ScrapeOptions } from "../../contract/index.ts";
import type { StoredDetails } from "../../pages/index.ts";
import type { OperationParts } from "./operation-parts.ts";

export interface StoredPage {
  /** The document; null for a scrape that failed. */
  blobId: string | null;
  details: StoredDetails;
  /** How a page of a job was read; for a scrape that is sealed in its details. */
  options: ScrapeOptions | null;
}

/** Null when the team has no such page, or may no longer read it. */
export async function findStoredPage(
  { store, clock, jobs }: Pick<OperationParts, "store" | "clock" | "jobs">,
  teamId: string,
  id: string,
): Promise<StoredPage | null> {
  const scrape = await store.scrapes.find(teamId, id, clock.now());
  if (!scrape) return jobs.findPage(teamId, id);
  const details: StoredDetails = JSON.parse(scrape.details);
  return details.isSearch ? null : { blobId: scrape.blobId, details, options: null };
}
