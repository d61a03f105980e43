// The browser as configured. Nothing starts before the first page that needs it.
import { fileURLToPath } from "node:url";
import type { Logger } from "../base/index.ts";
import type { Config } from "../config.ts";
import { type BrowserEngine, createBrowserEngine } from "../engines/index.ts";
import type { Net } from "../net/index.ts";

/** The folder of this program itself. */
export const ownCode = fileURLToPath(new URL("../..", import.meta.url));

export function openBrowser(config: Config, deps: { net: Net; log: Logger; userAgent: string }): BrowserEngine {
  const { browserWsEndpoint: endpoint, egressProxyUrl: egressProxy } = config;
  return createBrowserEngine(deps, {
    chromiumPath: config.chromiumPath,
    searchPath: config.searchPath,
    remote: endpoint === null || egressProxy === null ? null : { endpoint, egressProxy },
    hasSandbox: !config.browserNoSandbox,
    concurrency: config.browserConcurrency,
    blockLists: config.blockLists,
    userAgent: deps.userAgent,
    isItself: config.identity === "browser",
    hiddenFolders: [config.dataDir, ownCode],
    maxBodyBytes: config.maxPageDecodedBytes,
  });
}
