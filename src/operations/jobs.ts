// What crawls and batches answer alike: how far they are, what went wrong, that they are over; and their live stream.
import type { Caller } from "../accounts/index.ts";
import { type Clock, dayMs, isoTime, ServiceError } from "../base/index.ts";
import type { Document, OperationInput, OperationOutput } from "../contract/index.ts";
import { resultAgeMs } from "../jobs/index.ts";
import type { Job, JobError, JobResult, Store } from "../store/index.ts";
import type { JobChanges } from "./job-changes.ts";
import { shownSettings } from "./job-settings.ts";
import { assembleDocument } from "./page-record.ts";

type JobAnswer = OperationOutput<"readCrawl">;
type JobInput = OperationInput<"readCrawl">;

export interface JobDeps {
  store: Store;
  clock: Clock;
  changes: JobChanges;
  /** Gives up the pages of a job that are in work here. */
  cancelWork(jobId: string): void;
}

/** API.md 4.4: a page of documents ends here, but never without one. */
const pageDocuments = 100;
const pageBytes = 10 * 1024 * 1024;
const maxErrors = 10_000;
const paths = { crawl: "/v2/crawl", batch: "/v2/batch/scrape" } as const;

export function createJobOperations({ store, clock, changes, cancelWork }: JobDeps) {
  async function find(id: string, { teamId }: Caller): Promise<Job> {
    const job = await store.jobs.find(teamId, id, clock.now());
    if (!job) throw new ServiceError("JOB_NOT_FOUND");
    return job;
  }

  async function readDocument(teamId: string, { blobId, details }: JobResult): Promise<Document | null> {
    const bytes = await store.blobs.get(teamId, blobId, clock.now());
    return bytes && assembleDocument(JSON.parse(Buffer.from(bytes).toString("utf8")), JSON.parse(details));
  }

  /** The documents from a place on, as many as one answer carries. */
  async function readDocuments(job: Job, from: number, limit: number): Promise<Document[]> {
    const results = await store.jobResults.list(job.id, from, Math.min(limit, pageDocuments));
    const documents: Document[] = [];
    let bytes = 0;
    for (const result of results) {
      bytes += result.sizeBytes;
      if (documents.length > 0 && bytes > pageBytes) break;
      const document = await readDocument(job.teamId, result);
      if (document) documents.push(document);
    }
    return documents;
  }

  async function answer(job: Job, { skip, limit }: Pick<JobInput, "skip" | "limit">, caller: Caller) {
    const now = clock.now();
    const data = await readDocuments(job, skip, limit ?? pageDocuments);
    const isRunning = job.status === "scraping";
    const hasMore = job.completed > skip + data.length;
    const next = data.length > 0 && (hasMore || isRunning);
    const query = new URLSearchParams({ skip: String(skip + data.length), ...(limit ? { limit: String(limit) } : {}) });
    const warning = job.warning ?? (await whyEmpty(job));
    return {
      success: true,
      ...progressOf(job),
      createdAt: isoTime(job.createdAt),
      ...(job.finishedAt === null ? {} : { completedAt: isoTime(job.finishedAt) }),
      duration: ((job.finishedAt ?? now) - job.createdAt) / 1000,
      expiresAt: isoTime(job.expiresAt ?? job.createdAt + dayMs),
      ...(next ? { next: `${caller.baseUrl}${paths[job.kind]}/${job.id}?${query}` } : {}),
      data,
      ...(warning ? { warning } : {}),
      ...(job.error === null ? {} : { error: job.error }),
    } satisfies JobAnswer;
  }

  /** No success that hides an empty result. */
  async function whyEmpty(job: Job): Promise<string | null> {
    if (job.status !== "completed" || job.completed > 0) return null;
    const [first] = await store.jobResults.listErrors(job.id, 1);
    return first ? `No page could be read: ${first.message}` : "No page was found.";
  }

  async function readJob(input: JobInput, caller: Caller): Promise<JobAnswer> {
    return answer(await find(input.id, caller), input, caller);
  }

  async function cancelJob({ id }: { id: string }, { teamId }: Caller): Promise<OperationOutput<"cancelCrawl">> {
    const now = clock.now();
    await store.transaction(async (statements) => {
      const job = await statements.jobs.lock(id);
      if (job?.teamId !== teamId || (job.expiresAt !== null && job.expiresAt <= now)) {
        throw new ServiceError("JOB_NOT_FOUND");
      }
      if (job.status === "cancelled") return;
      if (job.status !== "scraping") throw new ServiceError("JOB_ALREADY_ENDED");
      const end = { status: "cancelled", finishedAt: now, expiresAt: now + resultAgeMs, secrets: null } as const;
      await statements.jobs.change(id, { set: end });
      await statements.activity.setOutcome({ teamId, createdAt: job.createdAt, rowId: job.activityRowId }, "failed");
    });
    cancelWork(id);
    changes.tell(id);
    return { success: true, status: "cancelled" };
  }

  async function listJobErrors({ id }: { id: string }, caller: Caller): Promise<OperationOutput<"listCrawlErrors">> {
    const job = await find(id, caller);
    const errors = await store.jobResults.listErrors(job.id, maxErrors);
    const isBlocked = ({ code }: JobError) => code === "ROBOTS_BLOCKED";
    return {
      success: true,
      errors: errors
        .filter((error) => !isBlocked(error))
        .map(({ id: pageId, at, url, code, message }) => ({
          id: pageId,
          timestamp: isoTime(at),
          url,
          code,
          error: message,
        })),
      robotsBlocked: errors.filter(isBlocked).map(({ url }) => url),
    };
  }

  async function* watchJob(
    { id }: { id: string },
    caller: Caller,
    signal: AbortSignal,
  ): AsyncGenerator<OperationOutput<"watchCrawl">> {
    let job = await find(id, caller);
    const first = await answer(job, { skip: 0, limit: undefined }, caller);
    const { next: _, ...catchup } = first;
    yield { type: "catchup", data: catchup };
    let sent = first.data.length;
    while (!signal.aborted) {
      while (sent < job.completed && !signal.aborted) {
        const documents = await readDocuments(job, sent, pageDocuments);
        for (const data of documents) yield { type: "document", data };
        // A document that cannot be read any more holds nobody up.
        sent += Math.max(documents.length, 1);
      }
      if (job.status !== "scraping") break;
      await changes.next(id, signal);
      job = await find(id, caller);
    }
    yield { type: "done", data: progressOf(job) };
  }

  const operations = {
    readCrawl: readJob,
    readBatch: readJob,
    cancelCrawl: cancelJob,
    cancelBatch: cancelJob,
    listCrawlErrors: listJobErrors,
    listBatchErrors: listJobErrors,
    watchCrawl: watchJob,
    watchBatch: watchJob,

    async listActiveCrawls(_input: object, { teamId }: Caller): Promise<OperationOutput<"listActiveCrawls">> {
      const jobs = await store.jobs.listOfTeam(teamId, "crawl");
      return {
        success: true,
        crawls: jobs.map((job) => {
          const { url, crawl, scrapeOptions } = shownSettings(job);
          const options = { ...crawl, scrapeOptions: shownScrapeOptions(scrapeOptions) };
          return { id: job.id, teamId, url, created_at: isoTime(job.createdAt), options };
        }),
      };
    },
  };

  return {
    operations,
    /** Of a finished page, by its place; null when it is gone. */
    async readDocument(teamId: string, jobId: string, seq: number): Promise<Document | null> {
      const [result] = await store.jobResults.list(jobId, seq, 1);
      return result?.seq === seq ? readDocument(teamId, result) : null;
    },
  };
}

function progressOf(job: Job) {
  const { status, completed, credits: creditsUsed } = job;
  const total = Math.min(job.pageLimit, job.started + (status === "scraping" ? job.waiting : 0));
  return { status, total: Math.max(total, completed), completed, creditsUsed };
}

/** D6: a format without options as its string. */
function shownScrapeOptions({ formats, ...options }: ReturnType<typeof shownSettings>["scrapeOptions"]) {
  return {
    ...options,
    formats: formats.map((format) => (Object.keys(format).length === 1 ? format.type : format)),
  };
}
