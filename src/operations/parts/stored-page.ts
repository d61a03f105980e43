// A page that was read before, by the id in its metadata: the answer of a scrape, or a page of a crawl or batch.
import type { ErrorCode } from "../../base/index.ts";
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

/** A page whose job has not read it, or could not. */
async function unreadPage(store: OperationParts["store"], jobId: string, id: string): Promise<StoredPage | null> {
  const error = await store.jobResults.findError(jobId, id);
  if (error) {
    const failure = { code: error.code as ErrorCode, message: error.message };
    return { blobId: null, details: { failure }, options: null };
  }
  const job = await store.jobs.read(jobId);
  return job?.status === "scraping" ? { blobId: null, details: { jobId }, options: null } : null;
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
  if (details.jobId !== undefined) return (await jobs.findPage(teamId, id)) ?? unreadPage(store, details.jobId, id);
  return details.isSearch ? null : { blobId: scrape.blobId, details, options: null };
}
