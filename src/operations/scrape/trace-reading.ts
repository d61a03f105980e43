// The steps of a request that was made with trace, for a day after it.
import type { Caller } from "../../accounts/index.ts";
import { type Clock, ServiceError } from "../../base/index.ts";
import type { OperationInput, OperationOutput } from "../../contract/index.ts";
import type { Store } from "../../store/index.ts";
import type { ExtractionRecords } from "../extract/extraction-records.ts";
import { requireLiving } from "../jobs/job-end.ts";
import { hasAnswer } from "../jobs/job-kinds.ts";
import { shownSettings } from "../jobs/job-settings.ts";
import type { TraceStep } from "../trace.ts";
import { withTraceLinks } from "./media.ts";
import type { StoredDetails } from "./scrape-page.ts";

export interface TraceReadingDeps {
  store: Store;
  clock: Clock;
  records: ExtractionRecords;
}

export function createTraceOperations({ store, clock, records }: TraceReadingDeps) {
  async function findSteps(id: string, teamId: string): Promise<TraceStep[] | undefined> {
    const now = clock.now();
    const record = await store.scrapes.find(teamId, id, now);
    if (record) return (JSON.parse(record.details) as StoredDetails).trace;
    const job = requireLiving(await store.jobs.find(teamId, id), now);
    if (!hasAnswer(job.kind)) throw new ServiceError("JOB_NOT_FOUND");
    if (!shownSettings(job).extraction?.trace) return undefined;
    return (await records.readAll(job)).flatMap(({ kind, steps }) => (kind === "answer" ? [] : steps));
  }

  return {
    async readTrace(
      { id }: OperationInput<"readTrace">,
      { teamId, baseUrl }: Caller,
    ): Promise<OperationOutput<"readTrace">> {
      const trace = await findSteps(id, teamId);
      if (!trace) throw new ServiceError("JOB_NOT_FOUND", "This job was not started with trace.");
      return { success: true, trace: withTraceLinks(trace, baseUrl) };
    },
  };
}
