// What the elected server does for the sources of local indexes: it starts the jobs that read those that are due, and notes how they
// ended. A page belongs to its source as soon as it is in the index; a source is ready when all of them are.

import type { Caller } from "../../accounts/index.ts";
import { logFailure, type Repetition, repeat, ServiceError, secondMs } from "../../base/index.ts";
import type { IndexTerms, OperationInput, Operations } from "../../contract/index.ts";
import type { IndexedSource, IndexedSourceChanges, Job } from "../../store/index.ts";
import { callerOf, isBusy, startedBefore } from "../parts/caller-of.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { openReading, readAgainAt } from "./source-reading.ts";

/** What reads the pages of a source. */
export interface SourceJobs {
  startCrawl(
    input: OperationInput<"startCrawl"> & IndexTerms,
    caller: Caller,
    signal: AbortSignal,
  ): ReturnType<Operations<Caller>["startCrawl"]>;
  startBatch(
    input: OperationInput<"startBatch"> & IndexTerms,
    caller: Caller,
  ): ReturnType<Operations<Caller>["startBatch"]>;
}

const lookMs = secondMs;
const dueAtOnce = 100;
/** Other servers write the pages that they have read within this time. */
const othersMs = 2 * secondMs;
const dropBatch = 500;
/** Pages that could not be read again stay; with more of them, everything that was not read stays. */
const mostKept = 1000;

export function createSourceUpkeep({ store, clock, log, indexer }: OperationParts, jobs: SourceJobs) {
  async function startDue(signal: AbortSignal): Promise<void> {
    for (const source of await store.indexedSources.listDue(clock.now(), dueAtOnce)) {
      if (signal.aborted) return;
      try {
        const jobId = await startJob(source, signal);
        await changeHeld(source, () => ({ jobId, status: "queued", error: null }));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (!isBusy(error)) await end(source, { status: "failed", error: error.message });
      }
    }
  }

  /** Once for each time that it is due, however often this is tried. */
  async function startJob(source: IndexedSource, signal: AbortSignal): Promise<string> {
    const reading = openReading(source);
    const caller = callerOf(source, `index source ${source.id} ${source.dueAt}`);
    const terms = { sourceId: source.id };
    try {
      if (reading?.type === "site") return idOf(await jobs.startCrawl({ ...reading.crawl, ...terms }, caller, signal));
      if (reading?.type === "pages") return idOf(await jobs.startBatch({ ...reading.batch, ...terms }, caller));
    } catch (error) {
      const id = startedBefore(error);
      if (id === null) throw error;
      return id;
    }
    throw new ServiceError("INTERNAL_ERROR");
  }

  async function noteEnds(): Promise<void> {
    for (const source of await store.indexedSources.listRead()) {
      const job = source.jobId === null ? null : await store.jobs.read(source.jobId);
      if (job?.status !== "scraping") await finish(source, job);
      else if (source.status === "queued" && job.started + job.completed > 0)
        await changeHeld(source, () => ({ status: "indexing" }));
    }
  }

  async function finish(source: IndexedSource, job: Job | null): Promise<void> {
    if (!job) return end(source, { status: "failed", error: "The job that read it is no longer stored." });
    const finishedAt = job.finishedAt ?? clock.now();
    if (store.notifier !== null && clock.now() < finishedAt + othersMs) return;
    await indexer?.flush();
    const found = await store.indexedSources.countPages([source.id], job.createdAt);
    if (job.status !== "completed" || !found.get(source.id)) {
      const [first] = await store.jobResults.listErrors(job.id, 1);
      const why = job.error ?? first?.message ?? "None of its pages has text that can be searched.";
      return end(source, { status: "failed", error: job.status === "cancelled" ? "Its reading was cancelled." : why });
    }
    await dropOld(source, job);
    await end(source, { status: "ready", error: null, lastIndexedAt: finishedAt });
  }

  /** Pages that are no longer there. */
  async function dropOld(source: IndexedSource, job: Job): Promise<void> {
    if (source.lastIndexedAt === null) return;
    const errors = await store.jobResults.listErrors(job.id, mostKept + 1);
    if (errors.length > mostKept) return;
    const dropped = { before: job.createdAt, keptUrls: errors.map(({ url }) => url), limit: dropBatch };
    const drop = () => store.transaction(({ indexedSources }) => indexedSources.dropPages(source, dropped));
    while ((await drop()) === dropBatch);
  }

  function end(source: IndexedSource, changes: Pick<IndexedSource, "status" | "error"> & IndexedSourceChanges) {
    return changeHeld(source, (held) => {
      // A reading that failed is tried again in its turn, not at once.
      const dueAt = readAgainAt({ ...held, ...changes, lastIndexedAt: clock.now() }, clock.now());
      return { ...changes, jobId: null, dueAt };
    });
  }

  /** Unless it was changed meanwhile: then the next look decides. */
  async function changeHeld(
    source: IndexedSource,
    changesOf: (held: IndexedSource) => IndexedSourceChanges,
  ): Promise<void> {
    await store.transaction(async ({ indexedSources }) => {
      const held = (await indexedSources.lock([source.id])).get(source.id);
      if (!held || held.jobId !== source.jobId || (held.jobId === null && held.dueAt !== source.dueAt)) return;
      await indexedSources.change(source.id, { ...changesOf(held), updatedAt: clock.now() });
    });
  }

  let duty: Repetition | null = null;
  return {
    /** `isElected`: whether this is the one process that does it. */
    start(isElected: () => boolean): void {
      const look = async (signal: AbortSignal) => {
        if (!isElected()) return;
        await noteEnds();
        await startDue(signal);
      };
      duty = repeat(lookMs, look, logFailure(log, "reading the sources of local indexes"));
    },
    stop: async (): Promise<void> => duty?.stop(),
  };
}

function idOf(started: object): string {
  const { id } = started as { id?: string };
  if (id === undefined) throw new ServiceError("INTERNAL_ERROR");
  return id;
}
