// A page of a crawl or batch, by the id in its metadata.
import type { Clock } from "../../base/index.ts";
import { type FindStoredPage, keepsNothing } from "../../pages/index.ts";
import type { Store } from "../../store/index.ts";
import { hasAnswer } from "../engine/job-kinds.ts";
import { shownSettings } from "../engine/job-settings.ts";
import { requireLiving } from "../engine/living-job.ts";

export function createJobPages({ store, clock }: { store: Store; clock: Clock }): FindStoredPage {
  return async (teamId, id) => {
    const result = await store.jobResults.findPage(teamId, id);
    // A page that has not changed has no document.
    if (!result || result.blobId === "") return null;
    const job = requireLiving(await store.jobs.find(teamId, result.jobId), clock.now());
    const { scrapeOptions: options } = shownSettings(job);
    // Extracts and agents keep records instead of documents, and of some pages nothing is kept but the job's own answer.
    if (hasAnswer(job.kind) || keepsNothing(options)) return null;
    return { blobId: result.blobId, details: JSON.parse(result.details), options };
  };
}
