// Obtains the page of a task, and says how that ended: with a document, a further try, or an error.
import type { Archives } from "../../archive/index.ts";
import { type Clock, createTrace, type ErrorCode, errorTable, ServiceError, secondMs } from "../../base/index.ts";
import { keepsNothing, type ScrapeOptions } from "../../contract/index.ts";
import type {
  ConditionalPageRequest,
  ObtainedPage,
  ObtainFailure,
  ObtainPage,
  PageRequest,
} from "../../pages/index.ts";
import type { PageConditions } from "../../reach/index.ts";
import { packFingerprint } from "../../store/index.ts";
import { endpointOf } from "../engine/job-kinds.ts";
import { failed, type TaskOf } from "../engine/task.ts";
import { maxTries } from "../engine/task-outcomes.ts";
import { createBlockingHosts } from "./blocking-hosts.ts";
import { createSiteArchives } from "./site-archives.ts";
import type {
  PageEnding,
  ReadChangedPage,
  ReadTaskPage,
  ResultDetails,
  TaskPageRequest,
  TaskPages,
  UnreadPage,
} from "./task-page.ts";

export interface TaskPageDeps {
  clock: Clock;
  archives: Pick<Archives, "open">;
  obtainPage: ObtainPage;
  /** When a host that asked for a pause wants the next request; 0: now. */
  readyAt(url: string): number;
  /** Pages of one host that are read at the same time, whatever jobs they belong to. */
  mostOfHost: number;
}

type PageTask = TaskOf<"page">;

/** Tries of a page are this far apart, unless its host says when. */
const retryMs = [secondMs, 4 * secondMs];
const longestRetryMs = 120 * secondMs;
const retriedStatuses = new Set([429, 502, 503, 504]);

export function createTaskPages({ clock, archives, obtainPage, readyAt, mostOfHost }: TaskPageDeps): TaskPages {
  const { siteArchive, keepSite } = createSiteArchives(archives);
  const blockingHosts = createBlockingHosts({ clock, mostOfHost });
  /** No longer than a pause is remembered. */
  function pausedUntil(url: string): number {
    return Math.max(Math.min(readyAt(url), clock.now() + longestRetryMs), blockingHosts.readyAt(url));
  }

  /** The ending of a page that cannot be shown, null for one that can. */
  function endingOfUnusable(task: PageTask, outcome: ObtainedPage | ObtainFailure): PageEnding | null {
    if (!outcome.ok) {
      const { code, refusal } = outcome;
      const { message } = new ServiceError(code, outcome.message);
      // What an archive does not have is no page of the job.
      if (code === "SCRAPE_REPLAY_MISS") {
        const missed = { id: task.id, at: clock.now(), url: task.url, code, message };
        return { kind: "nothing", found: [], refused: [missed] };
      }
      if (refusal?.rules) return failed(code, message);
      // The team's other pages took all its time, or its profile: that is no fault of this page.
      if (code === "CONCURRENCY_QUEUE_TIMEOUT" || code === "PROFILE_BUSY")
        return { kind: "released", notBefore: clock.now() + secondMs };
      return errorTable[code].retry ? tryAgain(task, code, message, outcome.asks) : failed(code, message);
    }
    const status = outcome.reading.document.metadata.statusCode ?? 200;
    // What still refuses at the last try is shown as it is: a target's answer is a success.
    const isReplayed = outcome.details.facts?.replayed === true;
    if (isReplayed || !retriedStatuses.has(status) || isLastTry(task)) return null;
    return tryAgain(task, "SCRAPE_SITE_ERROR", `The page's server answered ${status}.`);
  }

  function tryAgain(task: PageTask, code: ErrorCode, message: string, asks = 1): PageEnding {
    if (isLastTry(task, asks)) return failed(code, message);
    const notBefore = Math.max(clock.now() + (retryMs[task.tries] ?? longestRetryMs), pausedUntil(task.url));
    return { kind: "retry", notBefore, code, message };
  }

  function requestOf({ task, context, ...request }: TaskPageRequest): PageRequest {
    const { job, settings, plan } = context;
    const { scrapeOptions, credentials } = settings;
    const { id: jobId, teamId, keyId } = job;
    return {
      id: task.id,
      // The page's own id: however often it is fetched, it is charged once.
      payer: { teamId, keyId, jobId, endpoint: endpointOf(job.kind), chargeId: task.id },
      url: task.url,
      options: withHeaders(scrapeOptions, request.sendsHeaders, credentials[task.key]),
      plan: request.outlinks ? { ...plan, formats: { ...plan.formats, outlinks: true } } : plan,
      robots: request.robots,
      isJob: true,
      archive: archives.open({ ...settings, archiveId: jobId, teamId, options: scrapeOptions }),
      mayFollow: request.mayFollow,
    };
  }

  function conditionalRequestOf(request: TaskPageRequest, conditions: PageConditions): ConditionalPageRequest {
    return Object.assign(requestOf(request), { conditions });
  }

  function usableOr(
    { task, signal }: TaskPageRequest,
    outcome: ObtainedPage | ObtainFailure,
  ): ObtainedPage | UnreadPage {
    const wasBlocked = outcome.ok ? outcome.reading.wasBlocked : outcome.code === "SCRAPE_SITE_BLOCKED";
    if (wasBlocked) blockingHosts.note(task.url);
    if (signal.aborted) return { ok: false, ending: { kind: "released" }, refusal: null };
    const ending = endingOfUnusable(task, outcome);
    if (ending) return { ok: false, ending, refusal: outcome.ok ? null : (outcome.refusal ?? null) };
    if (!outcome.ok) throw new ServiceError(outcome.code, outcome.message);
    return outcome;
  }

  const read: ReadTaskPage = async (request) => {
    const { signal, trace = createTrace() } = request;
    const leave = blockingHosts.enter(request.task.url);
    try {
      await keepSite(request.context);
      return usableOr(request, await obtainPage(requestOf(request), signal, trace));
    } finally {
      leave();
    }
  };

  const readChanged: ReadChangedPage = async (request) => {
    const { signal, trace = createTrace(), conditions } = request;
    const leave = blockingHosts.enter(request.task.url);
    try {
      const outcome = await obtainPage(conditionalRequestOf(request, conditions), signal, trace);
      return !outcome.ok && outcome.code === "NOT_MODIFIED" ? outcome : usableOr(request, outcome);
    } finally {
      leave();
    }
  };

  return {
    pausedUntil,
    siteArchive,
    keepSite,
    read,
    readChanged,
    async end({ settings }, { page, endKey, findings, notes, bytes, fingerprint }) {
      const traces = keepsNothing(settings.scrapeOptions) ? "none" : "all";
      const { rows, document } = await page.record({ document: "own", traces, ...(bytes ? { bytes } : {}) });
      if (document === null) throw new ServiceError("INTERNAL_ERROR");
      const { sourceId } = settings;
      if (sourceId !== undefined) rows.searchable = rows.searchable.map((each) => ({ ...each, sourceId }));
      if (fingerprint && traces === "all") rows.fingerprints.push(await packFingerprint(fingerprint));
      const details = JSON.stringify({ ...page.details, ...notes } satisfies ResultDetails);
      const kept = { blobId: document.blobId, sizeBytes: document.sizeBytes, details };
      const { receivedBytes } = page.reading;
      return { kind: "document", document: kept, rows, credits: page.credits, endKey, receivedBytes, ...findings };
    },
  };
}

/** The job's own options where nothing is different about a page. */
function withHeaders(options: ScrapeOptions, sendsHeaders: boolean, authorization: string | undefined): ScrapeOptions {
  if (authorization === undefined && (sendsHeaders || Object.keys(options.headers).length === 0)) return options;
  const own = sendsHeaders ? options.headers : {};
  return { ...options, headers: authorization === undefined ? own : { authorization, ...own } };
}

/** Every attempt of a page asks the site. */
function isLastTry({ tries }: PageTask, asks = 1): boolean {
  return (tries + 1) * asks >= maxTries;
}
