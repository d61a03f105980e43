// What webhook events of extracts and agents carry, read when they are delivered.

import type { Job, Store } from "../../store/index.ts";
import { jobItself } from "../engine/job-events.ts";
import { hasAnswer } from "../engine/job-kinds.ts";
import { shownSettings } from "../engine/job-settings.ts";
import type { ExtractionRecords } from "./record-store.ts";

export type EventData = (teamId: string, jobId: string, seq: number) => Promise<unknown | null>;

/** `readDocument` is for the events of all other jobs. */
export function createEventData(
  { store, records }: { store: Pick<Store, "jobs">; records: ExtractionRecords },
  readDocument: EventData,
): EventData {
  return async (teamId, jobId, seq) => {
    const job = await store.jobs.find(teamId, jobId);
    if (!job || !hasAnswer(job.kind)) return readDocument(teamId, jobId, seq);
    if (seq === jobItself) return { creditsUsed: job.credits };
    const record = await records.readOne(job, seq);
    if (record === null) return null;
    if (record.kind === "page") {
      return { creditsUsed: record.credits, action: "scrape", input: { url: record.sourceUrl } };
    }
    if (record.kind === "action") return { creditsUsed: record.credits, action: record.tool, input: record.input };
    if (record.kind !== "answer") return {};
    const { data, sources, pages } = record;
    if (job.kind === "agent") {
      const { message } = record;
      return { creditsUsed: job.credits, ...(message === undefined ? { data } : { message }) };
    }
    const shown = showsSources(job) ? { sources } : {};
    return { success: true, data, extractId: job.id, llmUsage: record.tokens ?? 0, totalUrlsScraped: pages, ...shown };
  };
}

function showsSources(job: Job): boolean {
  const settings = shownSettings(job);
  return settings.kind === "extract" && settings.extraction.showSources;
}
