// How any feature obtains a page: one robots check, one reading, one bill, one record, one trace. Nothing is written here: the
// feature writes the page's rows in one transaction with its own.
import { bareUrl, createDeadline, createTrace, type Trace, type TraceStep } from "../base/index.ts";
import type { Document, ScrapeOptions } from "../contract/index.ts";
import type { PageConditions } from "./fetching/fetch-page.ts";
import type { OutputPlan } from "./formats/plan-outputs.ts";
import type { NotModified, PageFailure, PageReading } from "./reading/page-reading.ts";
import type { ReadUrl } from "./reading/read-page.ts";
import { pagePrice } from "./record/page-price.ts";
import type { Keeping, PageRecord, PageRecorder } from "./record/page-record.ts";
import type { PageDetails } from "./record/stored-details.ts";
import type { RobotsCheck, RobotsChecks, RobotsRefusal } from "./robots/robots-check.ts";

export interface PageRequest {
  /** Under which the page can be read again: `metadata.scrapeId`. */
  id: string;
  payer: Payer;
  /** May hold credentials; what is kept or answered does not. */
  url: string;
  options: ScrapeOptions;
  plan: OutputPlan;
  /**
   * "named": the caller named the page, so robots.txt binds only where the operator wants that. "found": it always does. Or a
   * check that the feature has opened; null: robots.txt is not asked.
   */
  robots: "named" | "found" | RobotsCheck | null;
  /** Jobs keep their documents themselves. */
  isJob?: boolean;
  /** Whether a redirect may be followed as far as the feature is concerned. */
  mayFollow?: ((url: string) => Promise<boolean>) | undefined;
  /** What reopens the page in a browser, sealed. */
  replay?: string | undefined;
}

/** A page that is wanted only if it has changed. Without conditions it is fetched again, whatever copies there are. */
export interface ConditionalPageRequest extends PageRequest {
  conditions: PageConditions;
}

/** Who pays for a page, and for what. */
export interface Payer {
  teamId: string;
  keyId: string | null;
  /** Of the request that pays, which may have several pages. */
  jobId: string;
  endpoint: string;
  /** The ledger counts a charge's id once, however often it is written. Null: the page is free. */
  chargeId: string | null;
}

export interface ObtainedPage {
  ok: true;
  reading: PageReading;
  /** What is kept of the page besides its document. */
  details: PageDetails;
  credits: number;
  /** Empty unless the options ask for a trace. */
  steps: TraceStep[];
  /** The bill, and the rows of what may be kept. */
  record(keeping: Keeping): Promise<PageRecord>;
}

export interface ObtainFailure extends PageFailure {
  /** Present when robots.txt is the reason. */
  refusal?: RobotsRefusal;
  /** Present when the options ask for a trace. */
  steps?: TraceStep[];
}

export interface PageObtainerDeps {
  recorder: PageRecorder;
  readPage: ReadUrl;
  robots: RobotsChecks;
}

export interface ObtainPage {
  (
    request: ConditionalPageRequest,
    signal: AbortSignal,
    trace?: Trace,
  ): Promise<ObtainedPage | ObtainFailure | NotModified>;
  (request: PageRequest, signal: AbortSignal, trace?: Trace): Promise<ObtainedPage | ObtainFailure>;
}

const declinedMessage = "The page redirects to a URL that the site's robots.txt disallows.";

export function createPageObtainer({ recorder, readPage, robots: checks }: PageObtainerDeps): ObtainPage {
  return ((request: PageRequest | ConditionalPageRequest, signal: AbortSignal, trace = createTrace()) => {
    const { robots, options, payer } = request;
    if (robots !== "named" && robots !== "found") return obtain(request, robots, signal, trace);
    const asked = { teamId: payer.teamId, options, isNamed: robots === "named" };
    if (checks.isOpen(asked)) return obtain(request, null, signal, trace);
    // robots.txt and the page share the request's time.
    const deadline = createDeadline(signal, options.timeout);
    const check = checks.open({ ...asked, signal: deadline.signal });
    return obtain(request, check, deadline.signal, trace).finally(deadline.clear);
  }) as ObtainPage;

  async function obtain(
    request: PageRequest | ConditionalPageRequest,
    check: RobotsCheck | null,
    signal: AbortSignal,
    trace: Trace,
  ): Promise<ObtainedPage | ObtainFailure | NotModified> {
    const { payer, url, options, plan, isJob = false, mayFollow } = request;
    const refusal = check && (await check.refusalOf(url));
    if (refusal) return { ...asFailure(refusal), refusal };
    const { teamId, keyId } = payer;
    const keepWith = isJob ? payer.jobId : undefined;
    const forSearch = recorder.isSearched(options);
    const follows = check || mayFollow ? follower(check, mayFollow) : undefined;
    const conditions = "conditions" in request ? request.conditions : undefined;
    const outcome = await readPage(
      { teamId, keyId, url, options, plan, isJob, keepWith, forSearch, mayFollow: follows, conditions },
      signal,
      trace,
    );
    if (!outcome.ok && outcome.code === "NOT_MODIFIED") return outcome;
    const traced = options.trace ? { steps: trace.steps } : {};
    const declined = check?.declined();
    if (!outcome.ok && declined)
      return { ...outcome, ...asFailure(declined, declinedMessage), refusal: declined, ...traced };
    if (!outcome.ok) return { ...outcome, ...traced };
    const credits = payer.chargeId === null ? 0 : pagePrice(options, outcome.document);
    const details = detailsOf(request, outcome, credits);
    if (options.trace) details.trace = trace.steps;
    return {
      ok: true,
      reading: outcome,
      details,
      credits,
      steps: options.trace ? trace.steps : [],
      record: (keeping) => recorder.record({ credits, ...payer }, outcome, keeping),
    };
  }
}

function asFailure({ code, message }: RobotsRefusal, otherwise?: string): PageFailure {
  return { ok: false, code, message: message ?? otherwise };
}

function follower(check: RobotsCheck | null, mayFollow: PageRequest["mayFollow"]) {
  return async (url: string) => (!mayFollow || (await mayFollow(url))) && (!check || (await check.mayFollow(url)));
}

function detailsOf({ id, url, replay }: PageRequest, { facts, warnings }: PageReading, credits: number): PageDetails {
  const own = { sourceURL: bareUrl(url), scrapeId: id, creditsUsed: credits };
  const all: Document["metadata"] = Object.assign({}, facts, own);
  return replay === undefined ? { facts: all, warnings } : { facts: all, warnings, replay };
}
