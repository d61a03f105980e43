// The steps of a request that was made with trace, for a day after it.
import { ServiceError, type TraceStep } from "../../base/index.ts";
import { type ResultDetails, requireLiving, shownSettings } from "../../jobs/index.ts";
import { type StoredDetails, withTraceLinks } from "../../pages/index.ts";
import type { Job } from "../../store/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";
import { findStoredPage } from "../parts/stored-page.ts";

/** Of a crawl or batch; further pages tell their steps themselves. */
const shownPages = 100;

export function createTraceOperations(parts: OperationParts) {
  const { store, clock, jobs } = parts;

  async function findSteps(id: string, teamId: string): Promise<TraceStep[] | undefined> {
    const now = clock.now();
    const record = await store.scrapes.find(teamId, id, now);
    if (record) return (JSON.parse(record.details) as StoredDetails).trace;
    const found = await store.jobs.find(teamId, id);
    const page = found ? null : await findStoredPage(parts, teamId, id);
    if (page) return page.details.trace;
    const job = requireLiving(found, now);
    const settings = shownSettings(job);
    if (!("extraction" in settings)) return findStepsOfPages(job);
    if (!settings.extraction.trace) return undefined;
    return (await jobs.records.readAll(job)).flatMap(({ kind, steps }) => (kind === "answer" ? [] : steps));
  }

  async function findStepsOfPages(job: Job): Promise<TraceStep[] | undefined> {
    if (!shownSettings(job).scrapeOptions.trace) return undefined;
    const results = await store.jobResults.list(job.id, 0, shownPages);
    return results.flatMap(({ details }) => (JSON.parse(details) as ResultDetails).trace ?? []);
  }

  return {
    async readTrace({ id }, { teamId, baseUrl }) {
      const trace = await findSteps(id, teamId);
      if (!trace) throw new ServiceError("JOB_NOT_FOUND", "This job was not started with trace.");
      return { success: true, trace: withTraceLinks(trace, baseUrl) };
    },
  } satisfies ServedOperations;
}
