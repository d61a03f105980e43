// The browser as configured. Nothing starts before the first page that needs it.
import { fileURLToPath } from "node:url";
import { type Logger, logFailure } from "../base/index.ts";
import type { Config } from "../config.ts";
import { type BrowserEngine, createBrowserEngine } from "../engines/index.ts";
import type { Net } from "../net/index.ts";

/** The folder of this program itself. */
export const ownCode = fileURLToPath(new URL("../..", import.meta.url));

interface BrowserDeps {
  net: Net;
  log: Logger;
  userAgent: string;
  permits(teamId: string, url: string): Promise<boolean>;
}

export function openBrowser(config: Config, deps: BrowserDeps): BrowserEngine {
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
    certificates: config.certificates,
    maxBodyBytes: config.maxPageDecodedBytes,
    networkBodyBytes: config.networkBodyBytes,
  });
}

/** What operators are told about a browser. */
export interface BrowserHealth {
  /** Public, so it holds no paths. */
  status(): { available: boolean; sandbox: boolean; isolated: boolean | null; sessions: boolean | null };
  /** Finds out how Chromium can be sandboxed here, so that `status` and the log say it before the first use. */
  probe(): Promise<void>;
  /** Why this server has no browser; null when it has one. */
  whyAbsent(): string | null;
}

/** `browser`: what features use; `own`: that of this server. */
export function createBrowserHealth(
  own: BrowserEngine,
  browser: BrowserEngine,
  { maxSessions, log }: { maxSessions: number; log: Logger },
): BrowserHealth {
  return {
    status() {
      const { available, sandbox, isolated } = browser.status();
      return { available, sandbox, isolated, sessions: available && maxSessions > 0 ? isolated : false };
    },
    whyAbsent: () => own.status().reason ?? null,
    probe: async () => void (await browser.probe().catch(logFailure(log, "trying out namespaces"))),
  };
}
