// What the fetch strategy is asked for, and what it comes back with.
import type { ErrorCode, Trace } from "../../base/index.ts";
import type { ActionFailure, Page, RenderedPage } from "../../engines/index.ts";
import type { PageState, PageVerdict } from "../../safety/index.ts";
import type { WantedPage } from "../fetching/make-attempt.ts";

export interface ReachRequest extends WantedPage {
  /** The response may be private to this caller. */
  isPersonal: boolean;
  /** Pages of jobs wait for their turn before they ask a host again. */
  isJob?: boolean | undefined;
}

export interface ReachWork {
  request: ReachRequest;
  signal: AbortSignal;
  /** When the signal will end it, by performance.now(). */
  endsAt: number;
  trace: Trace;
}

/** Reads what an attempt brought. `wantsBetter`: another attempt may bring more than a consent page or an empty shell. */
export type ReadAttempt<Made> = (page: Page | RenderedPage, wantsBetter: boolean) => Promise<AttemptReading<Made>>;

/** What the strategy must know of a page that was read. */
export interface AttemptReading<Made> {
  isRead: boolean;
  /** Of a page that was read, or that came in its place. */
  state: PageState | undefined;
  /** Present when a block page came instead of the page. */
  verdict?: PageVerdict | undefined;
  /** Scripts would have filled it in, and none ran. */
  lacksText: boolean;
  /** For whoever asked. */
  made: Made;
}

export interface ReachedPage<Made> {
  ok: true;
  page: Page | RenderedPage;
  made: Made;
  warnings: string[];
  /** Scripts would have filled it in, and none ran: good enough to answer with, not to keep. */
  isUnfilled: boolean;
  /** The host blocked an attempt, and a later one got past it. */
  wasBlocked: boolean;
}

/** A page that came and could not be read: `made` says why. */
export interface UnreadableAttempt<Made> {
  ok: false;
  code: "UNREADABLE";
  made: Made;
}

export interface ReachFailure {
  ok: false;
  code: ErrorCode;
  message?: string | undefined;
  /** The browser step that failed. */
  action?: ActionFailure | undefined;
  /** More for the caller to know. */
  details?: unknown;
  /** How often the site was asked in vain; once unless given. */
  asks?: number;
}

/** The page's answer to conditions that came with the request. */
export interface NotModified {
  ok: false;
  code: "NOT_MODIFIED";
  /** Where redirects led. */
  url: string;
  receivedBytes: number;
}

export type Reached<Made> = ReachedPage<Made> | UnreadableAttempt<Made> | ReachFailure | NotModified;
