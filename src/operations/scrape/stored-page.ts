// A page that was read before, by the id in its metadata: the answer of a scrape, or a page of a crawl or batch.
import type { Clock } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import { hasAnswer } from "../../jobs/index.ts";
import type { Store } from "../../store/index.ts";
import { requireLiving } from "../jobs/job-end.ts";
import { shownSettings } from "../jobs/job-settings.ts";
import { keepsNothing } from "./page-record.ts";
import type { StoredDetails } from "./scrape-page.ts";

export interface StoredPage {
  /** The document; null for a scrape that failed. */
  blobId: string | null;
  details: StoredDetails;
  /** How a page of a job was read; what a scrape remembers of that lies sealed in its details. */
  options: ScrapeOptions | null;
}

/** Null when the team has no such page, or may not read it any more. */
export async function findStoredPage(
  { store, clock }: { store: Store; clock: Clock },
  teamId: string,
  id: string,
): Promise<StoredPage | null> {
  const scrape = await store.scrapes.find(teamId, id, clock.now());
  if (scrape) {
    const details: StoredDetails = JSON.parse(scrape.details);
    return details.isSearch ? null : { blobId: scrape.blobId, details, options: null };
  }
  const result = await store.jobResults.findPage(teamId, id);
  if (!result) return null;
  const job = requireLiving(await store.jobs.find(teamId, result.jobId), clock.now());
  const { scrapeOptions: options } = shownSettings(job);
  // What extracts and agents read is no document, and of some pages nothing is kept but the job's own answer.
  if (hasAnswer(job.kind) || keepsNothing(options)) return null;
  return { blobId: result.blobId, details: JSON.parse(result.details), options };
}
