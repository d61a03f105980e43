// One page for one caller: the document as the caller gets it, and the rows that it leaves behind. Nothing is written here:
// scrape and search write these rows in one transaction with their own.
import {
  bareUrl,
  type Clock,
  createDeadline,
  createTrace,
  type ErrorCode,
  isTimeout,
  newId,
  type TraceStep,
} from "../base/index.ts";
import type { Document, ScrapeOptions } from "../contract/index.ts";
import { acceptLanguage } from "../engines/index.ts";
import type { ScrapeRecord } from "../store/index.ts";
import { resultAgeMs } from "./cache/page-cache.ts";
import type { Remake } from "./document/page-document.ts";
import type { OutputPlan } from "./formats/plan-outputs.ts";
import type { PageFailure, PageReader, PageRequest } from "./reading/read-page.ts";
import {
  assembleDocument,
  keepsNothing,
  type PageFacts,
  type PageRecorder,
  type PageRows,
  pagePrice,
} from "./record/page-record.ts";
import { createRedirectRule } from "./redirect-rule.ts";
import type { SiteReader } from "./site/site-reader.ts";

export interface PageScraperDeps {
  clock: Clock;
  recorder: PageRecorder;
  readPage: PageReader;
  /** Where the operator wants even pages that a caller names to be allowed by robots.txt. */
  robots: Robots | null;
}

type Robots = Pick<SiteReader, "readRobots">;

export interface PageJob {
  /** Under which the page can be read again. */
  id: string;
  /** Of the request that pays for it, which may have several pages. */
  jobId: string;
  endpoint: "scrape" | "search";
  teamId: string;
  keyId: string | null;
  /** May hold credentials; what is kept or answered does not. */
  url: string;
  options: ScrapeOptions;
  plan: OutputPlan;
  /** What brings the page back in a browser, sealed. */
  replay?: string | undefined;
}

/** What a stored answer adds to its document, or the failure it ended with. */
export interface StoredDetails extends PageFacts {
  trace?: TraceStep[];
  /** Where the blob holds the page: what makes the document of it. */
  remake?: Remake;
  failure?: { code: ErrorCode; message: string };
  /** A search: its document is a list of results, and no page. */
  isSearch?: true;
  /** What brings the page back in a browser, sealed; absent where its address is enough. */
  replay?: string;
}

export interface ScrapedPage {
  ok: true;
  document: Document;
  /** Empty unless the options ask for them. */
  steps: TraceStep[];
  credits: number;
  rows: PageRows;
  /** For its later reading; empty when nothing may be kept. */
  scrapes: ScrapeRecord[];
}

const ledToForbidden = "The page redirects to an address that the site's robots.txt forbids.";

export type PageScraper = (
  job: PageJob,
  signal: AbortSignal,
) => Promise<ScrapedPage | (PageFailure & { steps?: TraceStep[] })>;

export function createPageScraper({ clock, recorder, readPage, robots: rules }: PageScraperDeps): PageScraper {
  return (job, callerSignal) => {
    const { lockdown, minAge, timeout } = job.options;
    // Whoever wants stored copies only asks the site for nothing, its robots.txt included.
    const robots = lockdown || minAge !== undefined ? null : rules;
    if (!robots) return scrapePage(job, null, callerSignal);
    const { signal, clear } = createDeadline(callerSignal, timeout);
    return scrapePage(job, robots, signal).finally(clear);
  };

  async function scrapePage(job: PageJob, robots: Robots | null, signal: AbortSignal): ReturnType<PageScraper> {
    const { teamId, keyId, url, options, plan } = job;
    const forSearch = recorder.isSearched(options);
    const request: PageRequest = { teamId, keyId, url, options, plan, forSearch, mayFollow: undefined };
    const refusal = robots && (await robotsRefusal(robots, request, signal));
    if (refusal) return refusal;
    const trace = createTrace();
    const redirects = robots && createRedirectRule((next) => robotsRefusal(robots, { ...request, url: next }, signal));
    request.mayFollow = redirects?.mayFollow;
    const outcome = await readPage(request, signal, trace);
    if (!outcome.ok) {
      // An engine only knows that it was not to follow; a browser calls that an address that is not allowed.
      const { code, message = ledToForbidden } = redirects?.refusal() ?? outcome;
      const failure = redirects?.refusal() ? { ...outcome, code, message } : outcome;
      return options.trace ? { ...failure, steps: trace.steps } : failure;
    }
    const credits = pagePrice(options);
    const steps = options.trace ? trace.steps : [];
    const facts = { ...outcome.facts, sourceURL: bareUrl(url), scrapeId: job.id, creditsUsed: credits };
    const details: StoredDetails = { facts, warnings: outcome.warnings };
    if (options.trace) details.trace = steps;
    if (job.replay !== undefined) details.replay = job.replay;
    const now = clock.now();
    const bill = { teamId, keyId, chargeId: newId(now), jobId: job.jobId, endpoint: job.endpoint, credits };
    const isKept = !keepsNothing(options);
    const { rows, document } = await recorder.record(bill, outcome, {
      document: isKept ? "shared" : null,
      traces: isKept,
    });
    const stored = document?.remake ? { ...details, remake: document.remake } : details;
    const scrapes = document === null ? [] : [scrapeRecord(job, document.blobId, stored, now)];
    return { ok: true, document: assembleDocument(outcome.document, details), steps, credits, rows, scrapes };
  }
}

/** The row by which an answer can be read again for a day. */
export function scrapeRecord(
  { id, teamId }: Pick<PageJob, "id" | "teamId">,
  blobId: string | null,
  details: StoredDetails,
  now: number,
): ScrapeRecord {
  return { id, teamId, createdAt: now, expiresAt: now + resultAgeMs, blobId, details: JSON.stringify(details) };
}

/** The failure of a page that its site's robots.txt forbids, or keeps waiting; null when it may be read. */
export async function robotsRefusal(
  robots: Robots,
  { url, teamId, options }: Pick<PageRequest, "url" | "teamId" | "options">,
  signal: AbortSignal,
): Promise<{ ok: false; code: ErrorCode; message?: string | undefined } | null> {
  const request = { teamId, signal, language: acceptLanguage(options.location), own: null };
  const rules = await robots.readRobots(new URL(url), request).catch((error: unknown) => {
    if (!isTimeout(signal)) throw error;
    return null;
  });
  if (!rules) return { ok: false, code: "SCRAPE_TIMEOUT", message: "The site's robots.txt did not come in time." };
  return rules.allows(url) ? null : { ok: false, code: rules.failure ?? "ROBOTS_BLOCKED", message: rules.reason };
}
