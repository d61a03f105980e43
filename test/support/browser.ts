// A real Chromium behind the real net, for tests of rendered pages.
import { chmodSync, existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createLog } from "../../src/base/index.ts";
import { scrapeOptions } from "../../src/contract/index.ts";
import {
  type BrowserEngine,
  type BrowserEngineOptions,
  createBrowserEngine,
  type RenderedPage,
  type RenderFailure,
  type RenderOutcome,
  type RenderRequest,
} from "../../src/engines/index.ts";
import type { Net, NetOptions } from "../../src/net/index.ts";
import { removeFolder } from "./cleanup.ts";
import { openNet } from "./site-server.ts";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome-stable"];
export const chromiumPath = places.find((file) => existsSync(file)) ?? null;

/** For the person in front of the live view: whatever shows pages for the least CPU. */
export const viewerPath = ["/usr/bin/chromium-headless-shell", ...places].find((file) => existsSync(file)) ?? "";

/**
 * Settings of a server whose only browser is that one, as an operator may choose it: it starts for a seventh of Chromium's CPU.
 * For tests of what is around a browser (programs, bills, leases, clients). What Chromium itself does is shown with Chromium:
 * by test/browser, and for sessions by test/e2e/sessions.test.ts.
 */
export const quickBrowser: Record<string, string> = {
  PATH: process.env.PATH ?? "",
  ...(viewerPath ? { CHROMIUM_PATH: viewerPath } : {}),
};

/** Without Chromium these tests are skipped where one sees it; in CI they fail. */
export const lacksChromium = chromiumPath === null && process.env.CI !== "true";

export interface TestBrowser extends BrowserEngine {
  net: Net;
  logLines: string[];
  /** With the defaults of a scrape; fails after `timeout`, which no page that works reaches on any machine. */
  open(url: string, options?: Record<string, unknown>, more?: Partial<RenderRequest>): Promise<RenderOutcome>;
  /** The same for a page that must work. */
  read(url: string, options?: Record<string, unknown>, more?: Partial<RenderRequest>): Promise<RenderedPage>;
  /** The same for one that must not. */
  fail(url: string, options?: Record<string, unknown>, more?: Partial<RenderRequest>): Promise<RenderFailure>;
}

export interface TestBrowserOptions extends Partial<BrowserEngineOptions> {
  /** ALLOWED_PRIVATE_HOSTS. */
  allow?: string;
  netOptions?: Partial<NetOptions>;
}

export function openTestBrowser({ allow = "", netOptions = {}, ...options }: TestBrowserOptions = {}): TestBrowser {
  const logLines: string[] = [];
  const log = createLog("debug", { write: (line) => void logLines.push(line) });
  const net = openNet({ allow, log, ...netOptions });
  const engine = createBrowserEngine(
    { net, log },
    {
      chromiumPath: null,
      searchPath: process.env.PATH ?? "",
      remote: null,
      hasSandbox: true,
      concurrency: 2,
      blockLists: [],
      userAgent: "Mozilla/5.0 (compatible; TrawlBot/test)",
      hiddenFolders: [tmpdir()],
      certificates: [],
      maxBodyBytes: 100 * 1024 * 1024,
      ...options,
    },
  );
  const open: TestBrowser["open"] = (url, given = {}, more = {}) => {
    // A caller's proxy is an option of one endpoint only, which checks it by itself.
    const { timeout, proxyUrl, ...rest } = { timeout: 240_000, proxyUrl: undefined, ...given };
    const resolved = { ...scrapeOptions.parse({ timeout, ...rest }), proxyUrl };
    const signal = AbortSignal.timeout(resolved.timeout);
    return engine.render({ url, options: resolved, screenshots: [], signal, ...more });
  };
  return {
    ...engine,
    net,
    logLines,
    open,
    async read(url, given, more) {
      const outcome = await open(url, given, more);
      if (outcome.ok) return outcome.page;
      throw new Error(`${outcome.code}: ${outcome.message}`);
    },
    async fail(url, given, more) {
      const outcome = await open(url, given, more);
      if (!outcome.ok) return outcome;
      throw new Error(`it worked: ${outcome.page.body.toString().slice(0, 500)}`);
    },
    async close() {
      await engine.close();
      await net.close();
    },
  };
}

/**
 * A folder with an `unshare` of its own. Without a kind it refuses, as where namespaces are forbidden altogether. With one it
 * first lets the system forbid namespaces of that kind, so that it is the kernel that refuses; "mounting" lets all of them be
 * and refuses only to mount, as some security modules do.
 */
export function withoutNamespaces(kind?: NamespaceKind | "mounting"): { searchPath: string; remove(): Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), "trawl-no-unshare-"));
  const write = (name: string, program: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  if (kind === "mounting") write("mount", "exit 32");
  else if (kind === undefined) write("unshare", "exit 1");
  else {
    const forbid = `echo 0 > /proc/sys/user/max_${kind}_namespaces; exec /usr/bin/unshare "$@"`;
    write("unshare", `exec /usr/bin/unshare --user --map-root-user sh -ec '${forbid}' sh "$@"`);
  }
  chmodSync(folder, 0o755);
  return {
    searchPath: [folder, process.env.PATH ?? ""].join(delimiter),
    remove: () => removeFolder(folder),
  };
}

/** As the kernel names them; none of ours needs "ipc" or "cgroup" for a browser. */
export type NamespaceKind = "user" | "net" | "mnt" | "pid" | "cgroup";
