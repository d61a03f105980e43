// The pages of a target are read by their own job: a batch for named pages, a crawl for a site. The check starts it once,
// compares its documents as they come, and looks at what is missing when it is over.

import { ServiceError, secondMs } from "../../base/index.ts";
import type { Document } from "../../contract/index.ts";
import type { CheckTarget, Job } from "../../store/index.ts";
import { callerOf, isBusy, startedBefore } from "../parts/caller-of.ts";
import { type OperationParts, warningOf } from "../parts/operation-parts.ts";
import type { FoundPage, SaveFoundPages } from "./check-pages.ts";
import { compareDocument, keyOfDocument } from "./compare-document.ts";
import { createTargetEnds } from "./target-end.ts";
import { type PageTarget, pagesAtOnce, type TargetEnd, type TargetJobs, type TargetRun } from "./target-run.ts";
import { watchedOptions } from "./watched-targets.ts";

/** A job is looked at again after a quarter of the time that it has taken, within these bounds. */
const shortestWaitMs = 200;
const longestWaitMs = 2 * secondMs;
/** The queue is full, or the server has too little memory. */
const busyMs = 15 * secondMs;

export function createTargetPages(parts: OperationParts, save: SaveFoundPages, jobs: TargetJobs) {
  const { store, clock } = parts;
  const { readDocument } = parts.jobs.documents;
  const finish = createTargetEnds(store, save);

  /** The job that reads the target, started once however often this is tried. */
  async function openJob(run: TargetRun, target: PageTarget): Promise<string> {
    const caller = callerOf({ ...run.job, baseUrl: run.baseUrl }, `monitor check ${run.job.id} ${target.id}`);
    const scrapeOptions = watchedOptions(target.scrapeOptions, run.rules ?? {});
    const shared = { scrapeOptions, webhook: undefined, origin: "monitor", integration: undefined };
    try {
      if (target.type === "scrape") {
        const batch = { maxConcurrency: undefined, appendToId: undefined, ignoreInvalidURLs: true };
        return idOf(await jobs.startBatch({ ...shared, ...batch, urls: target.urls }, caller));
      }
      const { crawlOptions, url } = target;
      const own = {
        dryRun: false,
        changedSince: undefined,
        zeroDataRetention: false,
        given: Object.keys(crawlOptions),
      };
      return idOf(await jobs.startCrawl({ ...shared, ...crawlOptions, ...own, url }, caller, run.signal));
    } catch (error) {
      const id = startedBefore(error);
      if (id === null) throw error;
      return id;
    }
  }

  async function read(run: TargetRun, target: PageTarget, progress: CheckTarget): Promise<TargetEnd> {
    const { job: check, signal } = run;
    let { jobId } = progress;
    if (jobId === null) {
      try {
        jobId = await openJob(run, target);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (isBusy(error)) return { kind: "waits", until: clock.now() + busyMs };
        return { kind: "done", error: error.message };
      }
      await store.checks.changeTarget({ checkId: check.id, targetId: target.id }, { jobId });
    }
    // Before its documents: what it ends with is known to be all.
    const job = await store.jobs.read(jobId);
    if (!job) return { kind: "done", error: "The pages of this target are no longer stored." };
    const depths = target.type === "crawl" ? await store.jobPages.listDepths(jobId) : new Map<string, number>();
    if (!(await compareAll(run, job, progress.compared, depths))) return { kind: "stopped" };
    if (signal.aborted) return { kind: "stopped" };
    if (job.status === "scraping") return { kind: "waits", until: clock.now() + waitFor(clock.now() - job.createdAt) };
    return finish(run, target, job, depths);
  }

  /** False when the check is over. */
  async function compareAll(run: TargetRun, job: Job, from: number, depths: Map<string, number>): Promise<boolean> {
    const { job: check, monitorId, target, signal } = run;
    for (let seq = from; seq < job.completed && !signal.aborted; seq += pagesAtOnce) {
      const results = await store.jobResults.list(job.id, seq, Math.min(pagesAtOnce, job.completed - seq));
      const documents: { document: Document; depth: number }[] = [];
      for (const result of results) {
        const document = await readDocument(check.teamId, job.id, result.seq);
        if (document) documents.push({ document, depth: depths.get(result.pageId) ?? 0 });
      }
      const keys = documents.map(({ document }) => keyOfDocument(document));
      const known = await store.versions.find(monitorId, target.id, keys);
      const pages: FoundPage[] = [];
      const warnings: (string | null | undefined)[] = [];
      for (const each of documents) {
        const { page, warning } = await compareDocument(run.comparison, { ...each, at: clock.now() }, known);
        pages.push(page);
        warnings.push(warning);
      }
      // A judgment that was cut short does not count.
      if (signal.aborted) return true;
      if (!(await save(run, { pages, compared: seq + results.length, ...warningOf(warnings) }))) return false;
    }
    return true;
  }

  return read;
}

function waitFor(takenMs: number): number {
  return Math.min(longestWaitMs, Math.max(shortestWaitMs, Math.round(takenMs / 4)));
}

function idOf(started: object): string {
  const { id } = started as { id?: string };
  if (id === undefined) throw new ServiceError("INTERNAL_ERROR");
  return id;
}
