// Which Chromium a page gets, how it is started on this machine, and that it stays warm.
import { minuteMs, ServiceError } from "../../base/index.ts";
import { openSandboxNode, type SandboxNode } from "../sandbox/sandbox-node.ts";
import { type BrowserLease, createBrowserPool } from "./browser-pool.ts";
import {
  type Chromium,
  type ChromiumDeps,
  type ChromiumOptions,
  connectChromium,
  shellFlags,
  startChromium,
  tryIsolation,
} from "./chromium-process.ts";
import { findChromium, findHeadlessShell, missingChromium } from "./find-chromium.ts";
import { type Isolation, removeAbandonedFolders } from "./launch-folder.ts";

export interface BrowsersOptions {
  chromiumPath: string | null;
  searchPath: string;
  remote: { endpoint: string } | null;
  hasSandbox: boolean;
  concurrency: number;
  hiddenFolders: readonly string[];
  /** Trusted in addition to Chromium's own (PEM). */
  certificates: readonly string[];
}

export type Browsers = ReturnType<typeof createBrowsers>;

const maxRendererBytes = 1024 ** 3;
const recycle = { maxPages: 50, maxAgeMs: 10 * minuteMs };
/** Where people keep what no page should read. */
const usualSecrets = ["/home", "/root", "/srv", "/opt", "/var/lib"];
/** Without a network namespace, the user of a session could direct its browser anywhere. */
export const needsNamespaces =
  "Browser sessions need user and network namespaces, which this system forbids. See docs/sessions.md.";

const needsPolicy =
  "Chromium without namespaces does not read CA_FILE: give its certificates in a policy file (docs/self-hosting.md)";

interface Preparation {
  node: SandboxNode;
  isIsolated: boolean;
}

export function createBrowsers(deps: ChromiumDeps, options: BrowsersOptions) {
  const { chromiumPath, searchPath, remote, hasSandbox, certificates } = options;
  const pool = createBrowserPool(start, recycle);
  const shellPool = createBrowserPool(startShell, recycle);
  let preparing: Promise<Preparation> | null = null;
  let isolation: Isolation | null = null;

  const locate = () => findChromium(chromiumPath, searchPath);
  // The headless shell has no policy for certificates.
  const locateShell = () => (certificates.length > 0 ? null : findHeadlessShell(chromiumPath, searchPath));

  async function start(): Promise<Chromium> {
    if (remote !== null) return connectChromium(remote.endpoint);
    const { how, isIsolated } = await prepare();
    return startChromium(deps, how, isIsolated);
  }

  async function startShell(): Promise<Chromium> {
    const { how, isIsolated } = await prepare();
    return startChromium(deps, { ...how, path: locateShell() ?? how.path, flags: shellFlags }, isIsolated);
  }

  /** How Chromium is started here; what can be found out once is. */
  async function prepare(): Promise<{ how: ChromiumOptions; isIsolated: boolean }> {
    const path = locate();
    if (path === null) throw new ServiceError("BROWSER_NOT_AVAILABLE", missingChromium(chromiumPath));
    const given = {
      path,
      searchPath,
      hasSandbox,
      certificates,
      hidden: [...usualSecrets, ...options.hiddenFolders],
      maxRendererBytes,
      maxTotalBytes: (options.concurrency + 1) * maxRendererBytes,
    };
    preparing ??= findOut(given);
    const { node, isIsolated } = await preparing;
    return { how: { ...given, node }, isIsolated };
  }

  async function findOut(given: Omit<ChromiumOptions, "node">): Promise<Preparation> {
    removeAbandonedFolders();
    const node = await openSandboxNode();
    isolation = await tryIsolation({ ...given, node });
    logIsolation(isolation);
    return { node, isIsolated: isolation.isIsolated };
  }

  function logIsolation(found: Isolation): void {
    const { log } = deps;
    if (found.isIsolated) log.info("Chromium runs in its own namespaces: browser sessions are available");
    else {
      const { reason } = found;
      log.warn({ reason }, "Chromium cannot be isolated here: only its proxy flags control its traffic");
      log.warn({ reason }, `browser sessions are off: ${needsNamespaces}`);
      if (certificates.length > 0) log.warn(needsPolicy);
    }
    if (!hasSandbox) log.warn("BROWSER_NO_SANDBOX=1: Chromium runs without its sandbox");
  }

  return {
    /** `isOnlyRead`: nothing is done on the page, so it opens no window. */
    async take(isOnlyRead: boolean): Promise<BrowserLease> {
      if (remote !== null || !isOnlyRead || locateShell() === null) return pool.take();
      // The headless shell has no windows to draw, so a page costs it far less CPU. It is not used where only proxy flags
      // confine the browser: that proxy asks for a password, and requests of its workers would wait for one forever.
      const { isIsolated } = await prepare();
      return (isIsolated ? shellPool : pool).take();
    },
    prepare,
    locate,
    /** Null until it was tried. */
    isIsolated: () => (isolation === null ? null : isolation.isIsolated),
    async close(): Promise<void> {
      const prepared = await preparing?.catch(() => undefined);
      await Promise.all([pool.close(), shellPool.close()]);
      prepared?.node.remove();
    },
  };
}
