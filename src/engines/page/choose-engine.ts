// Which engine reads a page: plain HTTP first, the browser where the request needs it or where the response is filled by
// scripts. Pure rules; what they decide is shown in the trace.
import type { ScrapeOptions } from "../../contract/index.ts";
import type { EngineName, Page } from "./fetched-page.ts";
import { looksUnfilled } from "./unfilled-page.ts";

/** What the outputs of a request need of an engine. */
export interface OutputNeeds {
  /** Names of outputs that only a browser makes. */
  browser: readonly string[];
  /** Whether the page's bytes are wanted as the server sent them. */
  isRaw: boolean;
}

export interface EngineChoice {
  engine: EngineName;
  /** In a few words, for the trace. */
  reason: string;
}

type ChoosingOptions = Pick<ScrapeOptions, "actions" | "flow" | "profile" | "waitFor" | "mobile" | "fastMode">;

/** The parts of a request that need a browser. */
export function browserNeeds(options: ChoosingOptions, outputs: OutputNeeds): string[] {
  return [
    ...(options.actions.length > 0 ? ["actions"] : []),
    ...(options.flow === undefined ? [] : ["flow"]),
    ...outputs.browser,
    ...(options.profile === undefined ? [] : ["profile"]),
    // Over plain HTTP nothing happens on a page while it is waited for, so fastMode does not wait.
    ...(options.waitFor > 0 && !options.fastMode ? ["waitFor"] : []),
  ];
}

/** Which engine comes first. Whether there is a browser is only checked where HTTP would do, too. */
export function chooseEngine(options: ChoosingOptions, outputs: OutputNeeds, hasBrowser: () => boolean): EngineChoice {
  const needs = browserNeeds(options, outputs);
  if (needs.length > 0) return { engine: "browser", reason: `asked for: ${needs.join(", ")}` };
  if (options.fastMode) return { engine: "http", reason: "fastMode" };
  if (outputs.isRaw) return { engine: "http", reason: "bytes as received" };
  if (options.mobile && hasBrowser()) return { engine: "browser", reason: "asked for: mobile" };
  return { engine: "http", reason: "HTTP first" };
}

/** Why a page that came over HTTP should be rendered; null when it is fine as it is. */
export function whyRender({ status, contentType, body }: Pick<Page, "status" | "contentType" | "body">): string | null {
  if (status >= 400 || !/^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(contentType)) return null;
  return looksUnfilled(body);
}
