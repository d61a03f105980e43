// One target of a check: what it is read with, and how its reading ends.
import type { Caller } from "../../accounts/index.ts";
import type { ChangeRules, Operations } from "../../contract/index.ts";
import type { CheckRun } from "./check-pages.ts";
import type { Comparison } from "./compare-document.ts";
import type { WatchedTarget } from "./watched-targets.ts";

/** What reads the pages of a target. */
export type TargetJobs = Pick<Operations<Caller>, "startBatch" | "startCrawl" | "cancelBatch" | "cancelCrawl">;

export interface TargetRun extends CheckRun {
  comparison: Comparison;
  rules: ChangeRules | null;
  baseUrl: string;
  signal: AbortSignal;
}

export type TargetEnd =
  | { kind: "done"; error: string | null }
  /** Its job goes on. */
  | { kind: "waits"; until: number }
  /** The check is over, or this process stops. */
  | { kind: "stopped" };

export type PageTarget = Extract<WatchedTarget, { type: "scrape" | "crawl" }>;

/** Documents that are compared and written together. */
export const pagesAtOnce = 20;
