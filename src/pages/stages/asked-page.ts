// A page as a feature asks for it, and as the feature gets it.
import type { ArchiveReplay, Capture } from "../../archive/index.ts";
import type { Trace, TraceStep } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import type { NotModified, PageConditions, RobotsCheck, RobotsRefusal } from "../../reach/index.ts";
import type { FlowTerms } from "../flows/prepare-flow.ts";
import type { OutputPlan } from "../formats/plan-outputs.ts";
import type { PageFailure, PageReading } from "../record/page-reading.ts";
import type { Keeping, PageRecord } from "../record/page-record.ts";
import type { PageDetails } from "../record/stored-details.ts";

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
  /** Jobs keep their documents themselves: no cached documents are used or made for them. */
  isJob?: boolean;
  /** Whether a redirect may be followed as far as the feature is concerned. */
  mayFollow?: ((url: string) => Promise<boolean>) | undefined;
  /** What a run of the flow in the options says beside. */
  flowTerms?: FlowTerms | undefined;
  /** What reopens the page in a browser, sealed. */
  replay?: string | undefined;
  /** Given: no cached copy will do, and the page may answer that it has not changed. */
  conditions?: PageConditions;
  /** What the page's exchanges are kept in, or what answers in place of its site. */
  archive?: Capture | ArchiveReplay | undefined;
}

/** A page that is wanted only if it has changed. Without conditions it is fetched again, whatever copies there are. */
export interface ConditionalPageRequest extends PageRequest {
  conditions: PageConditions;
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
  /** Absent when the page was not begun. */
  steps?: TraceStep[];
}

/** How any feature obtains a page. */
export interface ObtainPage {
  (
    request: ConditionalPageRequest,
    signal: AbortSignal,
    trace?: Trace,
  ): Promise<ObtainedPage | ObtainFailure | NotModified>;
  (request: PageRequest, signal: AbortSignal, trace?: Trace): Promise<ObtainedPage | ObtainFailure>;
}

/** Why there is no page. */
export type NoPage = ObtainFailure | NotModified;

/** A page as it enters the stages by its URL. */
export interface AskedPage {
  request: PageRequest;
  signal: AbortSignal;
  trace: Trace;
}
