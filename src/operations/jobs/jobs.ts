// What crawls and batches answer alike: how far they are, what went wrong, that they are over; and their live stream.
import type { Caller } from "../../accounts/index.ts";
import { type Clock, isoTime, ServiceError } from "../../base/index.ts";
import type { Document, OperationInput, OperationOutput } from "../../contract/index.ts";
import { resultAgeMs } from "../../jobs/index.ts";
import { assembleDocument, withMediaLinks, withTraceLinks } from "../../pages/index.ts";
import type { Job, JobError, JobResult, Store } from "../../store/index.ts";
import type { JobChanges } from "./job-changes.ts";
import { cancelRunning, requireLiving } from "./job-end.ts";
import type { ResultDetails } from "./job-reading.ts";
import { shownSettings } from "./job-settings.ts";

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
export const maxErrors = 10_000;
const paths = { crawl: "/v2/crawl", batch: "/v2/batch/scrape" } as const;

export function createJobOperations({ store, clock, changes, cancelWork }: JobDeps) {
  async function find(id: string, { teamId }: Caller): Promise<DocumentJob> {
    return requireLiving(documentJob(await store.jobs.find(teamId, id)), clock.now());
  }

  async function readDocument(
    { teamId }: Job,
    { blobId, details }: JobResult,
    baseUrl: string,
  ): Promise<Document | null> {
    const bytes = await store.blobs.get(teamId, blobId, clock.now());
    if (!bytes) return null;
    const added: ResultDetails = JSON.parse(details);
    const whole = assembleDocument(JSON.parse(Buffer.from(bytes).toString("utf8")), added);
    const document = withMediaLinks(whole, baseUrl);
    return added.trace ? { ...document, trace: withTraceLinks(added.trace, baseUrl) } : document;
  }

  /** The documents from a place on, as many as one answer carries, and the place behind them. */
  async function readDocuments(job: Job, from: number, limit: number, { baseUrl }: Caller) {
    const data: Document[] = [];
    // The job may have gone on since its row was read; an answer tells of one moment.
    const count = Math.min(limit, pageDocuments, job.completed - from);
    const results = count > 0 ? await store.jobResults.list(job.id, from, count) : [];
    let to = from;
    let bytes = 0;
    for (const result of results) {
      bytes += result.sizeBytes;
      if (to > from && bytes > pageBytes) break;
      to = result.seq + 1;
      const document = await readDocument(job, result, baseUrl);
      if (document) data.push(document);
    }
    return { data, to };
  }

  async function answer(job: DocumentJob, { skip, limit }: Pick<JobInput, "skip" | "limit">, caller: Caller) {
    const now = clock.now();
    const { data, to } = await readDocuments(job, skip, limit ?? pageDocuments, caller);
    const hasNext = data.length > 0 && (job.completed > to || job.status === "scraping");
    const query = new URLSearchParams({ skip: String(to), ...(limit ? { limit: String(limit) } : {}) });
    const warning = [job.warning, await whySoFew(job, data)].filter(Boolean).join(" ");
    const body = {
      success: true,
      ...progressOf(job),
      createdAt: isoTime(job.createdAt),
      ...(job.finishedAt === null ? {} : { completedAt: isoTime(job.finishedAt) }),
      duration: ((job.finishedAt ?? now) - job.createdAt) / 1000,
      expiresAt: isoTime(job.expiresAt ?? now + resultAgeMs),
      ...(hasNext ? { next: `${caller.baseUrl}${paths[job.kind]}/${job.id}?${query}` } : {}),
      data,
      ...(warning ? { warning } : {}),
      ...(job.error === null ? {} : { error: job.error }),
    } satisfies JobAnswer;
    return { body, to };
  }

  /** No success that hides an empty result, or one that a single option would change. */
  async function whySoFew(job: Job, [only]: readonly Document[]): Promise<string | null> {
    if (job.status !== "completed" || job.completed > 1) return null;
    const { crawl } = shownSettings(job);
    if (job.completed === 0) {
      const [first] = await store.jobResults.listErrors(job.id, 1);
      if (first) return `No page could be read: ${first.message}`;
      const isNarrowed = crawl !== null && crawl.includePaths.length + crawl.excludePaths.length > 0;
      return isNarrowed ? "No page was found that includePaths and excludePaths allow." : "No page was found.";
    }
    if (crawl === null) return null;
    const { statusCode = 200 } = only?.metadata ?? {};
    if (statusCode >= 400) return `The only page that was found answered ${statusCode}.`;
    if (job.pageLimit === 1) return null;
    const [result] = await store.jobResults.list(job.id, 0, 1);
    const { leadsOutside = false } = JSON.parse(result?.details ?? "{}") as Partial<ResultDetails>;
    return leadsOutside
      ? "Only one page was found: it links to pages outside the start's path, which need crawlEntireDomain."
      : null;
  }

  async function readJob(input: JobInput, caller: Caller): Promise<JobAnswer> {
    return (await answer(await find(input.id, caller), input, caller)).body;
  }

  async function cancelJob({ id }: { id: string }, { teamId }: Caller): Promise<OperationOutput<"cancelCrawl">> {
    const now = clock.now();
    await store.transaction(async (statements) => {
      const found = await statements.jobs.lock(id);
      const job = requireLiving(documentJob(found?.teamId === teamId ? found : null), now);
      if (job.status === "cancelled") return;
      if (job.status !== "scraping") throw new ServiceError("JOB_ALREADY_ENDED");
      await cancelRunning(statements, job, now);
    });
    cancelWork(id);
    changes.tell(id);
    return { success: true, status: "cancelled" };
  }

  async function listJobErrors({ id }: { id: string }, caller: Caller): Promise<OperationOutput<"listCrawlErrors">> {
    const job = await find(id, caller);
    const found = await store.jobResults.listErrors(job.id, maxErrors + 1);
    const errors = found.slice(0, maxErrors);
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
      ...(found.length > maxErrors ? { warning: `Only the first ${maxErrors} of the job's errors are listed.` } : {}),
    };
  }

  async function* watchJob(
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
        const { data: documents, to } = await readDocuments(job, sent, pageDocuments, caller);
        for (const data of documents) yield { type: "document", data };
        // What is gone holds nobody up.
        sent = Math.max(to, sent + 1);
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
      const job = result?.seq === seq ? await store.jobs.find(teamId, jobId) : null;
      return job && result ? readDocument(job, result, shownSettings(job).baseUrl) : null;
    },
  };
}

/** A job whose results are documents: extracts and agents are read elsewhere. */
type DocumentJob = Job & { kind: keyof typeof paths };

function documentJob(job: Job | null): DocumentJob | null {
  return job && job.kind in paths ? (job as DocumentJob) : null;
}

function progressOf({ status, completed, credits: creditsUsed, started, known, pageLimit }: Job) {
  // A job that came to its end knows which of its pages were others' duplicates or not for it; a cancelled one never will.
  const total = status === "scraping" || status === "cancelled" ? Math.min(pageLimit, known) : started;
  return { status, total, completed, creditsUsed };
}

/** D6: a format or parser without options as its string. */
function shownScrapeOptions({ formats, parsers, ...options }: ReturnType<typeof shownSettings>["scrapeOptions"]) {
  const isPlain = ({ type: _, ...own }: { type: string }) =>
    Object.values(own).every((value) => !value || value === "auto");
  const shown = <Item extends { type: string }>(item: Item) => (isPlain(item) ? item.type : item);
  return { ...options, formats: formats.map(shown), parsers: parsers.map(shown) };
}
