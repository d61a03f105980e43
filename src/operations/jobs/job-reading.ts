// Reads one page of a job as a scrape does, and says how that ended: with a document, a further try, or an error.
import {
  bareUrl,
  type Clock,
  createTrace,
  type ErrorCode,
  errorTable,
  ServiceError,
  secondMs,
  type Trace,
  type TraceStep,
} from "../../base/index.ts";
import { type Ending, type FoundPage, maxTries, type Task } from "../../jobs/index.ts";
import type { PageOutcome, PageReader, PageReading } from "../../pages/index.ts";
import { keepsNothing, type PageFacts, type PageRecorder, type PageRows, pagePrice } from "../../pages/index.ts";
import type { JobContext } from "./job-context.ts";
import { jobEndpoints } from "./job-kinds.ts";

export interface JobReaderDeps {
  clock: Clock;
  recorder: PageRecorder;
  readPage: PageReader;
  /** When a host that asked for a pause wants the next request; 0: now. */
  readyAt(url: string): number;
}

export type PageEnding = Ending<PageRows>;

/** A page that can be shown, with its steps where they are wanted. */
type JobReading = PageReading & { steps?: TraceStep[] };

/** What a page led to. */
export interface Findings {
  found: FoundPage[];
  refused: { id: string; at: number; url: string; code: string; message: string }[];
}

/** What is kept of a result beside its document. */
export interface ResultDetails extends PageFacts {
  /** Where the options ask for it. */
  trace?: TraceStep[];
  /** The only page that its crawl found links to pages of its host which lie outside of the start's path. */
  leadsOutside?: true;
}

export interface ReadingOptions {
  outlinks: boolean;
  /** Whether the job's headers may go there: they may hold secrets. */
  sendsHeaders: boolean;
  /** Whether a redirect may be followed to an address. */
  mayFollow?: (url: string) => Promise<boolean>;
}

/** Tries of a page are so far apart, unless its host says when. */
const retryMs = [secondMs, 4 * secondMs];
const longestRetryMs = 120 * secondMs;
const retriedStatuses = new Set([429, 502, 503, 504]);

export type JobReader = ReturnType<typeof createJobReader>;

export function createJobReader({ clock, recorder, readPage, readyAt }: JobReaderDeps) {
  /** Until when the page's host wants no request, but no longer than that is remembered; 0: it may be asked now. */
  function pausedUntil(url: string): number {
    return Math.min(readyAt(url), clock.now() + longestRetryMs);
  }

  /** The ending of a page that cannot be shown, null for one that can. */
  function endingOfUnusable(task: Task, outcome: PageOutcome): PageEnding | null {
    if (!outcome.ok) {
      const { code } = outcome;
      const { message } = new ServiceError(code, outcome.message);
      // The team's other pages took all its time, or its profile: that is no fault of this one.
      if (code === "CONCURRENCY_QUEUE_TIMEOUT" || code === "PROFILE_BUSY")
        return { kind: "released", notBefore: clock.now() + secondMs };
      return errorTable[code].retry ? tryAgain(task, code, message) : failed(code, message);
    }
    const status = outcome.document.metadata.statusCode ?? 200;
    // What still refuses at the last try is shown as it is: a target's answer is a success.
    if (!retriedStatuses.has(status) || isLastTry(task)) return null;
    return tryAgain(task, "SCRAPE_SITE_ERROR", `The page's server answered ${status}.`);
  }

  function tryAgain(task: Task, code: ErrorCode, message: string): PageEnding {
    if (isLastTry(task)) return failed(code, message);
    const notBefore = Math.max(clock.now() + (retryMs[task.tries] ?? longestRetryMs), pausedUntil(task.url));
    return { kind: "retry", notBefore, code, message };
  }

  return {
    pausedUntil,

    async read(
      task: Task,
      { job, settings, plan }: JobContext,
      { outlinks, sendsHeaders, mayFollow }: ReadingOptions,
      signal: AbortSignal,
      trace: Trace = createTrace(),
    ): Promise<JobReading | PageEnding> {
      const { scrapeOptions, credentials } = settings;
      const authorization = credentials[task.key];
      const headers = {
        ...(authorization === undefined ? {} : { authorization }),
        ...(sendsHeaders ? scrapeOptions.headers : {}),
      };
      const formats = { ...plan.formats, outlinks };
      const outcome = await readPage(
        {
          teamId: job.teamId,
          keyId: job.keyId,
          url: task.url,
          options: { ...scrapeOptions, headers },
          plan: { ...plan, formats },
          isJob: true,
          forSearch: recorder.isSearched(scrapeOptions),
          mayFollow,
        },
        signal,
        trace,
      );
      if (signal.aborted) return { kind: "released" };
      const reading = outcome as JobReading;
      if (scrapeOptions.trace) reading.steps = trace.steps;
      return endingOfUnusable(task, outcome) ?? reading;
    },

    async document(
      task: Task,
      { job, settings }: JobContext,
      reading: JobReading,
      endKey: string,
      findings: Findings,
      notes: Pick<ResultDetails, "leadsOutside"> = {},
    ): Promise<PageEnding> {
      const { scrapeOptions } = settings;
      const credits = pagePrice(scrapeOptions);
      const endpoint = jobEndpoints[job.kind];
      // The page's own id: however often it is fetched, it is charged once.
      const bill = { teamId: job.teamId, keyId: job.keyId, chargeId: task.id, jobId: job.id, endpoint, credits };
      const isForgotten = keepsNothing(scrapeOptions);
      const { rows, document } = await recorder.record(bill, reading, { document: "own", traces: !isForgotten });
      if (document === null) throw new ServiceError("INTERNAL_ERROR");
      const facts = { ...reading.facts, sourceURL: bareUrl(task.url), scrapeId: task.id, creditsUsed: credits };
      const kept: ResultDetails = { facts, warnings: reading.warnings, ...notes };
      if (reading.steps) kept.trace = reading.steps;
      const details = JSON.stringify(kept);
      return { kind: "document", document: { ...document, details }, rows, credits, endKey, ...findings };
    },
  };
}

export function failed(code: string, message: string): PageEnding & { kind: "failed" } {
  return { kind: "failed", code, message, found: [], refused: [] };
}

function isLastTry({ tries }: Task): boolean {
  return tries + 1 >= maxTries;
}
