// Which engine reads a page: plain HTTP first, the browser where it was asked for or where the answer is filled in by
// scripts. Pure rules; what they decide is shown in the trace.
import type { ScrapeOptions } from "../contract/index.ts";
import type { EngineName, Page } from "./page.ts";
import { looksUnfilled } from "./unfilled-page.ts";

/** Outputs and options that only a browser has. */
type BrowserNeed = "actions" | "screenshot" | "profile" | "waitFor";

export interface EngineChoice {
  engine: EngineName;
  /** In a few words, for the trace. */
  reason: string;
}

type ChoosingOptions = Pick<ScrapeOptions, "formats" | "actions" | "profile" | "waitFor" | "mobile" | "fastMode">;

/** What of a request cannot be had without a browser. */
export function browserNeeds(options: ChoosingOptions): BrowserNeed[] {
  return [
    ...(options.actions.length > 0 ? (["actions"] as const) : []),
    ...(options.formats.some(({ type }) => type === "screenshot") ? (["screenshot"] as const) : []),
    ...(options.profile === undefined ? [] : (["profile"] as const)),
    // Without a browser nothing happens on the page while it is waited for, so whoever is in a hurry waits for nothing.
    ...(options.waitFor > 0 && !options.fastMode ? (["waitFor"] as const) : []),
  ];
}

/** Which engine is asked first. Whether there is a browser is only asked where HTTP would do, too. */
export function chooseEngine(options: ChoosingOptions, hasBrowser: () => boolean): EngineChoice {
  const needs = browserNeeds(options);
  if (needs.length > 0) return { engine: "browser", reason: `asked for: ${needs.join(", ")}` };
  if (options.fastMode) return { engine: "http", reason: "fastMode" };
  if (options.formats.some(({ type }) => type === "rawBase64")) return { engine: "http", reason: "bytes as received" };
  if (options.mobile && hasBrowser()) return { engine: "browser", reason: "asked for: mobile" };
  return { engine: "http", reason: "HTTP first" };
}

/** Why a page that came over HTTP should be rendered; null when it is fine as it is. */
export function whyRender({ status, contentType, body }: Pick<Page, "status" | "contentType" | "body">): string | null {
  if (status >= 400 || !/^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(contentType)) return null;
  return looksUnfilled(body);
}
