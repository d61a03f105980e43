// Obtains one page of a job, and says how that ended: with a document, a further try, or an error.
import {
  type Clock,
  createTrace,
  type ErrorCode,
  errorTable,
  ServiceError,
  secondMs,
  type Trace,
} from "../../base/index.ts";
import { type Ending, type FoundPage, maxTries, type Task } from "../../jobs/index.ts";
import {
  keepsNothing,
  type ObtainedPage,
  type ObtainFailure,
  type ObtainPage,
  type PageDetails,
  type PageReading,
  type PageRows,
} from "../../pages/index.ts";
import type { JobContext } from "./job-context.ts";
import { jobEndpoints } from "./job-kinds.ts";

export interface JobReaderDeps {
  clock: Clock;
  obtainPage: ObtainPage;
  /** When a host that asked for a pause wants the next request; 0: now. */
  readyAt(url: string): number;
}

export type PageEnding = Ending<PageRows>;

/** A page that can be shown. */
interface JobReading extends PageReading {
  obtained: ObtainedPage;
  /** Kept in the place of the document. */
  bytes?: Uint8Array;
}

/** What a page led to. */
export interface Findings {
  found: FoundPage[];
  refused: { id: string; at: number; url: string; code: string; message: string }[];
}

/** What is kept of a result besides its document. */
export interface ResultDetails extends PageDetails {
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

export function createJobReader({ clock, obtainPage, readyAt }: JobReaderDeps) {
  /** Until when the page's host wants no request, but no longer than that is remembered; 0: it may be asked now. */
  function pausedUntil(url: string): number {
    return Math.min(readyAt(url), clock.now() + longestRetryMs);
  }

  /** The ending of a page that cannot be shown, null for one that can. */
  function endingOfUnusable(task: Task, outcome: ObtainedPage | ObtainFailure): PageEnding | null {
    if (!outcome.ok) {
      const { code } = outcome;
      const { message } = new ServiceError(code, outcome.message);
      // The team's other pages took all its time, or its profile: that is no fault of this one.
      if (code === "CONCURRENCY_QUEUE_TIMEOUT" || code === "PROFILE_BUSY")
        return { kind: "released", notBefore: clock.now() + secondMs };
      return errorTable[code].retry ? tryAgain(task, code, message) : failed(code, message);
    }
    const status = outcome.reading.document.metadata.statusCode ?? 200;
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
      const { teamId, keyId } = job;
      // The page's own id: however often it is fetched, it is charged once.
      const payer = { teamId, keyId, jobId: job.id, endpoint: jobEndpoints[job.kind], chargeId: task.id };
      const outcome = await obtainPage(
        {
          id: task.id,
          payer,
          url: task.url,
          options: { ...scrapeOptions, headers },
          plan: { ...plan, formats },
          robots: null,
          isJob: true,
          mayFollow,
        },
        signal,
        trace,
      );
      if (signal.aborted) return { kind: "released" };
      const ending = endingOfUnusable(task, outcome);
      if (ending || !outcome.ok) return ending ?? failed("INTERNAL_ERROR", "");
      return { ...outcome.reading, obtained: outcome };
    },

    async document(
      task: Task,
      { settings }: JobContext,
      reading: JobReading,
      endKey: string,
      findings: Findings,
      notes: Pick<ResultDetails, "leadsOutside"> = {},
    ): Promise<PageEnding> {
      const isForgotten = keepsNothing(settings.scrapeOptions);
      const { credits, details: own, record } = reading.obtained;
      const keeping = { document: "own" as const, traces: isForgotten ? ("none" as const) : ("all" as const) };
      const { rows, document } = await record(reading.bytes ? { ...keeping, bytes: reading.bytes } : keeping);
      if (document === null) throw new ServiceError("INTERNAL_ERROR");
      const details = JSON.stringify({ ...own, ...notes } satisfies ResultDetails);
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
