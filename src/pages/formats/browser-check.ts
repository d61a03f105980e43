// Whether this server has the browser that a request needs, checked before anything is fetched.
import { ServiceError } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import { type BrowserEngine, browserNeeds } from "../../engines/index.ts";
import { errorWithoutBrowser, outputNeeds } from "./formats.ts";

/** Throws 501 when a browser is needed and this server has no browser. */
export type BrowserCheck = (options: ScrapeOptions) => void;

export function createBrowserCheck(browser: Pick<BrowserEngine, "status">): BrowserCheck {
  return (options) => {
    // Cached copies need no browser.
    const needs = options.lockdown ? [] : browserNeeds(options, outputNeeds(options.formats));
    if (needs.length === 0) return;
    const { available, reason } = browser.status();
    if (available) return;
    const own = errorWithoutBrowser(options.formats);
    if (own) throw new ServiceError(own.code, `The format ${own.name} needs a browser. ${reason ?? ""}`.trimEnd());
    throw new ServiceError("BROWSER_NOT_AVAILABLE", `${needs.join(", ")}: needs a browser. ${reason ?? ""}`.trimEnd());
  };
}
