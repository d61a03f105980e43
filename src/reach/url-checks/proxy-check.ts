// Whether a caller may bring a proxy, checked before any work begins.
import { refusedField } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import type { Net } from "../../net/index.ts";
import { requireAllowedUrl } from "./url-check.ts";

/** Throws 400 where the operator does not permit it, and 403 for a proxy whose host may not be reached. */
export type CallerProxyCheck = (options: Pick<ScrapeOptions, "proxyUrl">) => void;

export function createCallerProxyCheck(
  { checkProxy }: Pick<Net, "checkProxy">,
  isPermitted: boolean,
): CallerProxyCheck {
  return ({ proxyUrl }) => {
    if (proxyUrl === undefined) return;
    if (!isPermitted) {
      const message = "The operator of this server does not permit proxies of callers (ALLOW_CALLER_PROXY=1)";
      throw refusedField(["proxyUrl"], message);
    }
    requireAllowedUrl(checkProxy, proxyUrl, ["proxyUrl"]);
  };
}
