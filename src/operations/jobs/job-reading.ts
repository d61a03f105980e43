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
import { type Ending, endpointOf, failed, maxTries, type NewTask, type Task } from "../../jobs/index.ts";
import {
  keepsNothing,
  type ObtainedPage,
  type ObtainFailure,
  type ObtainPage,
  type PageDetails,
  type PageRequest,
  type PageRows,
  type RobotsRefusal,
} from "../../pages/index.ts";
import type { JobContext } from "./job-context.ts";

export interface JobReaderDeps {
  clock: Clock;
  obtainPage: ObtainPage;
  /** When a host that asked for a pause wants the next request; 0: now. */
  readyAt(url: string): number;
}

export type PageEnding = Ending<PageRows>;

/** A page that cannot be shown now, or at all. */
export interface UnreadPage {
  ok: false;
  ending: PageEnding;
  /** Where robots.txt is the reason. */
  refusal: RobotsRefusal | null;
}

/** What a page led to. */
export interface Findings {
  found: NewTask[];
  refused: { id: string; at: number; url: string; code: string; message: string }[];
}

/** What is kept of a result besides its document. */
export interface ResultDetails extends PageDetails {
  /** The only page that its crawl found links to pages of its host which lie outside of the start's path. */
  leadsOutside?: true;
}

export interface ReadingOptions extends Pick<PageRequest, "robots" | "mayFollow"> {
  outlinks: boolean;
  /** Whether the job's headers may go there: they may hold secrets. */
  sendsHeaders: boolean;
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
      const { code, refusal } = outcome;
      const { message } = new ServiceError(code, outcome.message);
      if (refusal?.rules) return failed(code, message);
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
      { outlinks, sendsHeaders, robots, mayFollow }: ReadingOptions,
      signal: AbortSignal,
      trace: Trace = createTrace(),
    ): Promise<ObtainedPage | UnreadPage> {
      const { scrapeOptions, credentials } = settings;
      const authorization = credentials[task.key];
      const headers = {
        ...(authorization === undefined ? {} : { authorization }),
        ...(sendsHeaders ? scrapeOptions.headers : {}),
      };
      const { teamId, keyId } = job;
      const outcome = await obtainPage(
        {
          id: task.id,
          // The page's own id: however often it is fetched, it is charged once.
          payer: { teamId, keyId, jobId: job.id, endpoint: endpointOf(job.kind), chargeId: task.id },
          url: task.url,
          options: { ...scrapeOptions, headers },
          plan: { ...plan, formats: { ...plan.formats, outlinks } },
          robots,
          isJob: true,
          mayFollow,
        },
        signal,
        trace,
      );
      if (signal.aborted) return { ok: false, ending: { kind: "released" }, refusal: null };
      const ending = endingOfUnusable(task, outcome);
      if (ending) return { ok: false, ending, refusal: outcome.ok ? null : (outcome.refusal ?? null) };
      if (!outcome.ok) throw new ServiceError(outcome.code, outcome.message);
      return outcome;
    },

    /** The ending of a page that was read. `bytes` are kept in the place of its document. */
    async document(
      { settings }: JobContext,
      page: ObtainedPage,
      endKey: string,
      findings: Findings,
      { bytes, ...notes }: Pick<ResultDetails, "leadsOutside"> & { bytes?: Uint8Array } = {},
    ): Promise<PageEnding> {
      const traces = keepsNothing(settings.scrapeOptions) ? "none" : "all";
      const { rows, document } = await page.record({ document: "own", traces, ...(bytes ? { bytes } : {}) });
      if (document === null) throw new ServiceError("INTERNAL_ERROR");
      const details = JSON.stringify({ ...page.details, ...notes } satisfies ResultDetails);
      return { kind: "document", document: { ...document, details }, rows, credits: page.credits, endKey, ...findings };
    },
  };
}

function isLastTry({ tries }: Task): boolean {
  return tries + 1 >= maxTries;
}
