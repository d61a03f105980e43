// Requests to the browser engine and their results.
import type { Action, ScrapeOptions } from "../../contract/index.ts";
import type { ArchiveUse, FetchFailureCode } from "../../net/index.ts";
import type { Page } from "../page/fetched-page.ts";
import type { WayRequest } from "../visitor/proxy-way.ts";
import type { Identity } from "../visitor/user-agents.ts";
import type { FlowWork } from "./flow-work.ts";
import type { NetworkLook } from "./network-kinds.ts";
import type { SessionOutcome, SessionRequest } from "./session-process.ts";
import type { StorageState } from "./session-storage.ts";
import type { NetworkRecord } from "./watch-network.ts";

export interface ScreenshotLook {
  /** The whole page, not only what the window shows. */
  fullPage: boolean;
  /** JPEG of this quality instead of PNG. */
  quality?: number | undefined;
  /** Size of the window for this picture. */
  viewport?: { width: number; height: number } | undefined;
}

export interface RenderRequest extends WayRequest {
  url: string;
  options: Pick<
    ScrapeOptions,
    "headers" | "mobile" | "skipTlsVerification" | "blockAds" | "waitFor" | "actions" | "timeout"
  > &
    WayRequest["options"];
  /** Pictures of the finished page, after the actions. */
  screenshots: readonly ScreenshotLook[];
  /** By name functions that read the finished page, after the actions, each as its source. */
  scripts?: Readonly<Record<string, string>> | undefined;
  /** The exchanges with servers to keep. */
  network?: NetworkLook | undefined;
  /** Steps that are done on the page, or before it is opened. */
  flow?: FlowWork | undefined;
  /** What earlier visits left behind. */
  storageState?: StorageState | undefined;
  /** Whether the answer should hold what this visit leaves behind. */
  wantsStorageState?: boolean | undefined;
  /** Asked before a redirect, or a script, takes the page to another URL; without it, anywhere is fine. */
  mayFollow?: ((url: string) => Promise<boolean>) | undefined;
  /** The deadline of the whole scrape; also aborted when the caller is gone. */
  signal: AbortSignal;
  /** When the signal will end it, by performance.now(): a failing step is reported before that. */
  endsAt?: number | undefined;
  /** Until when a host that asks for a pause is waited for, by performance.now(). */
  patientUntil?: number | undefined;
  /** What its exchanges are kept in, or what answers in place of the web. */
  archive?: ArchiveUse | undefined;
  /** For the log only. */
  teamId?: string | undefined;
}

export interface ActionResults {
  screenshots: Buffer[];
  scrapes: { url: string; html: string }[];
  /** `type` as typeof says it; a value that JSON cannot hold is its text. */
  javascriptReturns: { type: string; value: unknown }[];
  pdfs: Buffer[];
}

/** The body is the page's tree as UTF-8 HTML: scripts have run, frames and open shadow roots are in it. */
export interface RenderedPage extends Page {
  engine: "browser";
  screenshots: Buffer[];
  actions: ActionResults;
  /** What the scripts of the request gave; without those that failed. */
  scripts: Readonly<Record<string, unknown>>;
  /** Where it was asked for. */
  network?: NetworkRecord;
  storageState?: StorageState;
  /** Of a page out of an archive: requests for which it has no response. */
  missing?: number;
}

export type RenderFailureCode =
  | FetchFailureCode
  | "SCRAPE_ACTION_ERROR"
  | "FLOW_STEP_NOT_FOUND"
  | "FLOW_STEP_AMBIGUOUS"
  | "FLOW_STEP_FAILED"
  | "FLOW_TIMEOUT"
  | "SECRET_HOST_MISMATCH"
  | "SCRAPE_UNSUPPORTED_FILE_ERROR"
  | "CONCURRENCY_QUEUE_TIMEOUT"
  | "QUEUE_FULL"
  | "BROWSER_NOT_AVAILABLE";

/** Which action failed, and what the page looked like at that moment (JPEG). */
export interface ActionFailure {
  index: number;
  type: Action["type"];
  selector?: string;
  screenshot?: Buffer;
}

export interface RenderFailure {
  ok: false;
  code: RenderFailureCode;
  /** A sentence for the caller; it never holds a resolved IP address. */
  message: string;
  /** Only with SCRAPE_ACTION_ERROR. */
  action?: ActionFailure;
  /** More for the caller to know. */
  details?: unknown;
}

export type RenderOutcome = { ok: true; page: RenderedPage } | RenderFailure;

export interface BrowserStatus {
  available: boolean;
  /** Chromium's own sandbox is on. */
  sandbox: boolean;
  /** Chromium runs in a network namespace whose only way out is the judging proxy. Null until that was tried. */
  isolated: boolean | null;
  /** Where Chromium is: a file, or the URL of a remote one without its credentials. */
  path?: string;
  /** Why it was not found, with the command that installs it. */
  reason?: string;
}

export interface BrowserEngine {
  /** Renders one page; a refused or broken page is a value, as with the HTTP engine. */
  render(request: RenderRequest): Promise<RenderOutcome>;
  /** A separate browser for a user to drive; the caller closes it. */
  openSession(request: SessionRequest): Promise<SessionOutcome>;
  /** As this Chromium identifies itself; throws when it was not found. */
  findIdentity(): Promise<Identity>;
  /** Finds out how Chromium can be isolated on this system, for `status` and the log. No browser is started for it. */
  probe(): Promise<void>;
  /** Cheap; starts nothing. */
  status(): BrowserStatus;
  /** Pages being rendered, and those that wait for a slot. */
  load(): { active: number; waiting: number };
  close(): Promise<void>;
}

/** Only the tree of the page is needed. */
export function isUnseen({ screenshots, scripts = {}, network, flow, options, ...more }: RenderRequest): boolean {
  const isShown = network?.types.some((type) => ["image", "font", "media", "all"].includes(type)) === true;
  const isLookedAt = isShown || screenshots.length > 0 || Object.keys(scripts).length > 0;
  return !isLookedAt && flow === undefined && options.actions.length === 0 && more.wantsStorageState !== true;
}
