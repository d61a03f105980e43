// The pages of a target are read by their own job: a batch for named pages, a crawl for a site. The check starts it once,
// compares its documents as they come, and looks at what is missing when it is over.

import type { Caller } from "../../accounts/index.ts";
import { type Clock, ServiceError, secondMs, withoutFragment } from "../../base/index.ts";
import type { ChangeRules, Document, OperationInput, OperationOutput } from "../../contract/index.ts";
import { urlKey } from "../../jobs/index.ts";
import type { CheckTarget, Job, JobError, Store } from "../../store/index.ts";
import type { CheckRun, FoundPage, SaveFoundPages } from "./check-pages.ts";
import { type Comparison, compareDocument, keyOfDocument } from "./compare-document.ts";
import { callerOf, type WatchedTarget, watchedOptions } from "./watched-targets.ts";

export interface TargetPageDeps {
  store: Store;
  clock: Clock;
  save: SaveFoundPages;
  startBatch(input: OperationInput<"startBatch">, caller: Caller): Promise<OperationOutput<"startBatch">>;
  startCrawl(
    input: OperationInput<"startCrawl">,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<OperationOutput<"startCrawl">>;
  readDocument(teamId: string, jobId: string, seq: number): Promise<Document | null>;
}

export interface TargetRun extends CheckRun {
  comparison: Comparison;
  rules: ChangeRules | null;
  baseUrl: string;
  signal: AbortSignal;
}

export type TargetEnd =
  | { kind: "done"; error: string | null }
  /** Its job goes on. */
  | { kind: "waits"; until: number }
  /** The check is over, or this process stops. */
  | { kind: "stopped" };

type PageTarget = Extract<WatchedTarget, { type: "scrape" | "crawl" }>;

/** Documents that are compared and written together. */
const batch = 20;
/** A job is looked at again after a quarter of the time that it has taken, within these bounds. */
const shortestWaitMs = 200;
const longestWaitMs = 2 * secondMs;
/** The queue is full, or the server has too little memory. */
const busyMs = 15 * secondMs;
const mostErrors = 10_000;
const mostMissed = 10_000;

export function createTargetPages({ store, clock, save, startBatch, startCrawl, readDocument }: TargetPageDeps) {
  /** The job that reads the target, started once however often this is tried. */
  async function openJob(run: TargetRun, target: PageTarget): Promise<string> {
    const caller = callerOf({ ...run.job, baseUrl: run.baseUrl }, `monitor check ${run.job.id} ${target.id}`);
    const scrapeOptions = watchedOptions(target.scrapeOptions, run.rules ?? {});
    const shared = { scrapeOptions, webhook: undefined, origin: "monitor", integration: undefined };
    try {
      if (target.type === "scrape") {
        const batch = { maxConcurrency: undefined, appendToId: undefined, ignoreInvalidURLs: true };
        return idOf(await startBatch({ ...shared, ...batch, urls: target.urls }, caller));
      }
      const { crawlOptions, url } = target;
      const own = {
        dryRun: false,
        changedSince: undefined,
        zeroDataRetention: false,
        given: Object.keys(crawlOptions),
      };
      return idOf(await startCrawl({ ...shared, ...crawlOptions, ...own, url }, caller, run.signal));
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
    for (let seq = from; seq < job.completed && !signal.aborted; seq += batch) {
      const results = await store.jobResults.list(job.id, seq, Math.min(batch, job.completed - seq));
      const documents: { document: Document; depth: number }[] = [];
      for (const result of results) {
        const document = await readDocument(check.teamId, job.id, result.seq);
        if (document) documents.push({ document, depth: depths.get(result.pageId) ?? 0 });
      }
      const keys = documents.map(({ document }) => keyOfDocument(document));
      const known = await store.versions.find(monitorId, target.id, keys);
      const pages: FoundPage[] = [];
      const warnings = new Set<string>();
      for (const each of documents) {
        const { page, warning } = await compareDocument(run.comparison, { ...each, at: clock.now() }, known);
        pages.push(page);
        if (warning) warnings.add(warning);
      }
      // A judgment that was cut short does not count.
      if (signal.aborted) return true;
      const said = warnings.size > 0 ? { warning: [...warnings].join(" ") } : {};
      if (!(await save(run, { pages, compared: seq + results.length, ...said }))) return false;
    }
    return true;
  }

  /** What was not read, and what is gone. */
  async function finish(run: TargetRun, target: PageTarget, job: Job, depths: Map<string, number>): Promise<TargetEnd> {
    const listed = await store.jobResults.listErrors(job.id, mostErrors);
    const isOfPage = ({ id }: JobError) => target.type === "scrape" || depths.has(id);
    const errors = listed.filter(isOfPage);
    const unread = target.type === "scrape" ? await unreadPages(run, target, job, errors) : [];
    const failures = [...errors.map(({ url, message }) => ({ url, message })), ...unread];
    const keys = failures.map(({ url }) => urlKey(url));
    const known = await store.versions.find(run.monitorId, target.id, keys);
    const pages = failures.map(({ url, message }) =>
      failedPage(url, message, known.get(urlKey(url))?.scrapeId ?? null),
    );
    if (!(await save(run, { pages }))) return { kind: "stopped" };
    if (target.type === "crawl" && !(await saveRemoved(run, target, job, errors, depths))) return { kind: "stopped" };
    const isLost = job.status !== "completed" && job.completed === 0;
    return { kind: "done", error: isLost ? (job.error ?? "The pages of this target were not read.") : null };
  }

  /** Named pages of which nothing is known: refused, or not begun before the credits were used up. */
  async function unreadPages(
    { job: check }: TargetRun,
    target: Extract<PageTarget, { type: "scrape" }>,
    { warning }: Job,
    errors: readonly JobError[],
  ) {
    const known = await store.checkPages.known(check.id, target.id);
    for (const { url } of errors) known.add(urlKey(url));
    const message = warning ?? "The page was not read: its URL is not allowed.";
    return target.urls.filter((url) => !known.has(urlKey(url))).map((url) => ({ url, message }));
  }

  /** Pages that a whole crawl did not find again. One that was cut short, or that a broken page hid, removes nothing. */
  async function saveRemoved(
    run: TargetRun,
    target: Extract<PageTarget, { type: "crawl" }>,
    job: Job,
    errors: readonly JobError[],
    depths: Map<string, number>,
  ): Promise<boolean> {
    const isWhole = job.status === "completed" && job.completed > 0 && job.started < job.pageLimit && job.waiting === 0;
    if (!isWhole) return true;
    const broken = await store.checkPages.list(run.job.id, { skip: 0, limit: mostErrors, statuses: ["error"] });
    const own = broken.filter(({ targetId }) => targetId === target.id);
    const start = urlKey(target.url);
    if (own.some(({ key }) => key === start)) return true;
    const reach = Math.min(...errors.map(({ id }) => depths.get(id) ?? 0), ...(await brokenDepths(run, own)));
    const missed = await store.versions.listMissed(run.monitorId, target.id, run.job.id, mostMissed);
    const gone = missed.filter(({ depth }) => depth <= reach);
    for (let from = 0; from < gone.length; from += batch) {
      const pages = gone.slice(from, from + batch).map(
        ({ key, url, scrapeId }): FoundPage => ({
          ...failedPage(url, null, scrapeId),
          key,
          status: "removed",
          facts: { metadata: {}, isMeaningful: true },
        }),
      );
      if (!(await save(run, { pages }))) return false;
    }
    return true;
  }

  /** Of pages whose server answered with an error: they led nowhere this time. */
  async function brokenDepths({ monitorId, target }: TargetRun, pages: readonly { key: string }[]): Promise<number[]> {
    const known = await store.versions.find(
      monitorId,
      target.id,
      pages.map(({ key }) => key),
    );
    return pages.map(({ key }) => known.get(key)?.depth ?? Number.POSITIVE_INFINITY);
  }

  return read;
}

function waitFor(takenMs: number): number {
  return Math.min(longestWaitMs, Math.max(shortestWaitMs, Math.round(takenMs / 4)));
}

function failedPage(url: string, error: string | null, previousScrapeId: string | null): FoundPage {
  return {
    key: urlKey(url),
    url: withoutFragment(url),
    status: "error",
    previousScrapeId,
    currentScrapeId: null,
    statusCode: null,
    error,
    facts: { metadata: {}, isMeaningful: false },
    version: null,
    isJudged: false,
  };
}

function idOf(started: object): string {
  const { id } = started as { id?: string };
  if (id === undefined) throw new ServiceError("INTERNAL_ERROR");
  return id;
}

/** The job that an earlier try had started. */
function startedBefore(error: unknown): string | null {
  if (!(error instanceof ServiceError) || error.code !== "IDEMPOTENCY_KEY_USED") return null;
  return (error.details as { id: string }).id;
}

function isBusy({ code }: ServiceError): boolean {
  return code === "QUEUE_FULL" || code === "OVERLOADED" || code === "STORE_UNAVAILABLE";
}
