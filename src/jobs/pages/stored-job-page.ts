// A page of a crawl or batch, by the id in its metadata.

import type { Clock } from "../../base/index.ts";
import { keepsNothing } from "../../contract/index.ts";
import type { Store } from "../../store/index.ts";
import { requireLiving } from "../engine/job-end.ts";
import { hasAnswer } from "../engine/job-kinds.ts";
import { shownSettings } from "../engine/job-settings.ts";
import type { ResultDetails } from "./task-page.ts";

export function createJobPages({ store, clock }: { store: Store; clock: Clock }) {
  return async (teamId: string, id: string) => {
    const result = await store.jobResults.findPage(teamId, id);
    // A page that has not changed has no document.
    if (!result || result.blobId === "") return null;
    const job = requireLiving(await store.jobs.find(teamId, result.jobId), clock.now());
    const { scrapeOptions: options } = shownSettings(job);
    // Extracts and agents keep records instead of documents, and of some pages nothing is kept but the job's own answer.
    if (hasAnswer(job.kind) || keepsNothing(options)) return null;
    return { blobId: result.blobId, details: JSON.parse(result.details) as ResultDetails, options };
  };
}
