// What jobs whose results are documents answer alike: how far they are, what went wrong, that they are over; and their live
// stream.
import { setImmediate as turn } from "node:timers/promises";
import type { Caller } from "../../accounts/index.ts";
import { type Clock, isoTime, ServiceError } from "../../base/index.ts";
import type { Document, OperationInput, OperationOutput } from "../../contract/index.ts";
import type { Job, JobError, JobResult, Store } from "../../store/index.ts";
import { cancelRunning, requireLiving } from "../engine/job-end.ts";
import { statusPathOf } from "../engine/job-kinds.ts";
import { shownSettings } from "../engine/job-settings.ts";
import type { JobSignals } from "../engine/job-signals.ts";
import { explainFewPages } from "./few-pages.ts";
import { showDocument } from "./show-document.ts";

type JobAnswer = OperationOutput<"readCrawl">;
type JobInput = OperationInput<"readCrawl">;

export interface DocumentJobDeps {
  store: Store;
  clock: Clock;
  signals: Pick<JobSignals, "next" | "publishCancelled">;
}

/** A page of documents ends here, but never without one. */
const pageDocuments = 100;
const pageBytes = 10 * 1024 * 1024;
/** Rows that an export reads at once. */
const batch = 32;
/** Errors that an answer lists. */
export const maxErrors = 10_000;

export type DocumentJobs = ReturnType<typeof createDocumentJobs>;

export function createDocumentJobs(deps: DocumentJobDeps) {
  const { store, clock } = deps;
  const documents = createDocumentReader(deps);

  async function find(id: string, { teamId }: Caller): Promise<Job> {
    return requireLiving(documentJob(await store.jobs.find(teamId, id)), clock.now());
  }

  async function answer(job: Job, { skip, limit }: Pick<JobInput, "skip" | "limit">, { baseUrl }: Caller) {
    const now = clock.now();
    const { data, to } = await documents.list(job, skip, limit ?? pageDocuments, baseUrl);
    const hasNext = data.length > 0 && (job.completed > to || job.status === "scraping");
    const query = new URLSearchParams({ skip: String(to), ...(limit ? { limit: String(limit) } : {}) });
    const warning = [job.warning, await explainFewPages(store, job, data)].filter(Boolean).join(" ");
    const body = {
      success: true,
      ...jobProgressOf(job),
      createdAt: isoTime(job.createdAt),
      ...(job.finishedAt === null ? {} : { completedAt: isoTime(job.finishedAt) }),
      duration: ((job.finishedAt ?? now) - job.createdAt) / 1000,
      expiresAt: isoTime(job.expiresAt ?? now + job.retentionMs),
      ...(hasNext ? { next: `${baseUrl}${statusPathOf(job.kind)}/${job.id}?${query}` } : {}),
      data,
      ...(warning ? { warning } : {}),
      ...(job.error === null ? {} : { error: job.error }),
      ...steeringOf(job),
      ...(await removedBy(job)),
    } satisfies JobAnswer;
    return { body, to };
  }

  /** Pages that are gone since an earlier crawl, of a crawl that looks for changes. */
  async function removedBy(job: Job): Promise<{ removed?: string[] }> {
    const settings = shownSettings(job);
    if (settings.kind !== "crawl" || settings.crawl?.changedSince === undefined) return {};
    return { removed: await store.jobResults.listRemoved(job.id, maxErrors) };
  }

  async function* watch(
    { id }: { id: string },
    caller: Caller,
    signal: AbortSignal,
  ): AsyncGenerator<OperationOutput<"watchCrawl">> {
    let job = await find(id, caller);
    const first = await answer(job, { skip: 0, limit: undefined }, caller);
    const { next: _, ...catchup } = first.body;
    yield { type: "catchup", data: catchup };
    let sent = first.to;
    while (!signal.aborted) {
      while (sent < job.completed && !signal.aborted) {
        const { data: found, to } = await documents.list(job, sent, pageDocuments, caller.baseUrl);
        for (const data of found) yield { type: "document", data };
        // A missing document does not hold up the others.
        sent = Math.max(to, sent + 1);
      }
      if (job.status !== "scraping") break;
      await deps.signals.next(id, signal);
      job = await find(id, caller);
    }
    yield { type: "done", data: jobProgressOf(job) };
  }

  return {
    async read(input: JobInput, caller: Caller): Promise<JobAnswer> {
      return (await answer(await find(input.id, caller), input, caller)).body;
    },

    async cancel({ id }: { id: string }, { teamId }: Caller): Promise<OperationOutput<"cancelCrawl">> {
      const now = clock.now();
      await store.transaction(async (statements) => {
        const found = await statements.jobs.lock(id);
        const job = requireLiving(documentJob(found?.teamId === teamId ? found : null), now);
        if (job.status === "cancelled") return;
        if (job.status !== "scraping") throw new ServiceError("JOB_ALREADY_ENDED");
        await cancelRunning(statements, job, now);
      });
      deps.signals.publishCancelled(id);
      return { success: true, status: "cancelled" };
    },

    async listErrors({ id }: { id: string }, caller: Caller): Promise<OperationOutput<"listCrawlErrors">> {
      const job = await find(id, caller);
      return shownErrors(await store.jobResults.listErrors(job.id, maxErrors + 1));
    },

    watch,
    readDocument: documents.readOne,

    /** All documents of a job that has ended, in the order in which they were finished. */
    async open({ id }: { id: string }, caller: Caller): Promise<{ job: Job; documents: AsyncGenerator<Document> }> {
      const job = await find(id, caller);
      if (job.status === "scraping") throw new ServiceError("JOB_STILL_RUNNING");
      return { job, documents: documents.all(job, caller.baseUrl) };
    },
  };
}

function createDocumentReader({ store, clock }: Pick<DocumentJobDeps, "store" | "clock">) {
  async function show({ teamId }: Job, { blobId, details }: JobResult, baseUrl: string): Promise<Document | null> {
    // A page that has not changed has no document.
    if (blobId === "") return showDocument(null, details, baseUrl);
    const bytes = await store.blobs.get(teamId, blobId, clock.now());
    return bytes && showDocument(bytes, details, baseUrl);
  }

  return {
    /** The documents from a place on, as many as one answer carries, and the place behind them. */
    async list(job: Job, from: number, limit: number, baseUrl: string) {
      const data: Document[] = [];
      // The job may have gone on since its row was read; an answer shows one moment.
      const count = Math.min(limit, pageDocuments, job.completed - from);
      const results = count > 0 ? await store.jobResults.list(job.id, from, count) : [];
      let to = from;
      let bytes = 0;
      for (const result of results) {
        bytes += result.sizeBytes;
        if (to > from && bytes > pageBytes) break;
        to = result.seq + 1;
        const document = await show(job, result, baseUrl);
        if (document) data.push(document);
      }
      return { data, to };
    },

    /** A few at a time are in memory. Throws when one is gone meanwhile: an export is whole or broken off. */
    async *all(job: Job, baseUrl: string): AsyncGenerator<Document> {
      for (let from = 0; from < job.completed; ) {
        // Where everything is ready at once, nothing else would have its turn: other requests, and what frees memory.
        await turn();
        const results = await store.jobResults.list(job.id, from, batch);
        if (results.length === 0) throw new ServiceError("JOB_NOT_FOUND", "Job expired");
        for (const result of results) {
          const document = await show(job, result, baseUrl);
          if (document === null) throw new ServiceError("JOB_NOT_FOUND", "Job expired");
          yield document;
        }
        from += results.length;
      }
    },

    /** Of a finished page, by its place; null when it is gone. */
    async readOne(teamId: string, jobId: string, seq: number): Promise<Document | null> {
      const [result] = await store.jobResults.list(jobId, seq, 1);
      const job = result?.seq === seq ? await store.jobs.find(teamId, jobId) : null;
      return job && result ? show(job, result, shownSettings(job).baseUrl) : null;
    },
  };
}

/** Null for a job whose results are no documents: it is read elsewhere. */
function documentJob(job: Job | null): Job | null {
  return job && statusPathOf(job.kind) !== null ? job : null;
}

/** How the job is steered: told only where it is. */
export function steeringOf({ status, pausedAt, stopReason }: Job): { paused?: true; stopReason?: string } {
  return {
    ...(status === "scraping" && pausedAt !== null ? { paused: true } : {}),
    ...(stopReason === null ? {} : { stopReason }),
  };
}

export function jobProgressOf({ status, completed, credits: creditsUsed, started, known, pageLimit }: Job) {
  // A job that came to its end knows which of its pages were duplicates or not for it; a cancelled one never will.
  const total = status === "scraping" || status === "cancelled" ? Math.min(pageLimit, known) : started;
  return { status, total, completed, creditsUsed };
}

function shownErrors(found: readonly JobError[]): OperationOutput<"listCrawlErrors"> {
  const errors = found.slice(0, maxErrors);
  const isBlocked = ({ code }: JobError) => code === "ROBOTS_BLOCKED";
  return {
    success: true,
    errors: errors
      .filter((error) => !isBlocked(error))
      .map(({ id, at, url, code, message }) => ({ id, timestamp: isoTime(at), url, code, error: message })),
    robotsBlocked: errors.filter(isBlocked).map(({ url }) => url),
    ...(found.length > maxErrors ? { warning: `Only the first ${maxErrors} errors of the job are listed.` } : {}),
  };
}
