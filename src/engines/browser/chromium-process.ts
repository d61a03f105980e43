// One Chromium: started with no way out but net's proxy, watched while pages are open, ended as a whole.
import { createRequire } from "node:module";
import type { Browser, LaunchOptions } from "playwright-core";
import { type Logger, ServiceError, secondMs } from "../../base/index.ts";
import type { BrowserChannel, BrowserProxy, Net, Permits, Way } from "../../net/index.ts";
import type { SandboxNode } from "../sandbox/sandbox-node.ts";
import { relayPort } from "./launch-files.ts";
import { createLaunchFolder, type Isolation, type LaunchFolder, probeIsolation } from "./launch-folder.ts";
import { endProcessGroup, killLargeProcesses, killProcess, type MemoryLimits } from "./process-tree.ts";
import { settled } from "./wait-until-settled.ts";

/** A browser that pages can be opened in, wherever it runs. */
export interface Chromium {
  browser: Browser;
  /** A way out for one visit, which closes it. Null for a remote one: its traffic goes elsewhere. */
  openChannel: ((way: Way, page: string, permits?: Permits) => VisitChannel) | null;
  /** A renderer took too much memory and was ended, and when. */
  memoryKilledAt: number;
  /** Kills it immediately. */
  kill(): void;
  close(): Promise<void>;
}

/** A channel of the proxy, and how a browser context uses it. */
export interface VisitChannel {
  channel: BrowserChannel;
  proxy: ContextProxy;
}

export type ContextProxy = NonNullable<LaunchOptions["proxy"]>;

export interface ChromiumDeps {
  net: Pick<Net, "openProxy" | "openDevtoolsGateway">;
  log: Logger;
}

export interface ChromiumOptions extends MemoryLimits {
  path: string;
  /** For this program only. */
  flags?: readonly string[];
  /** PATH of the server. */
  searchPath: string;
  hasSandbox: boolean;
  /** What runs beside Chromium inside of its sandbox. */
  node: SandboxNode;
  /** Folders that pages must never see. */
  hidden: readonly string[];
  /** Trusted in addition to Chromium's own (PEM). */
  certificates: readonly string[];
}

const require = createRequire(import.meta.url);

/**
 * Loaded with the first page that needs it: 60 MB that an idle server does not have to hold. `import` would read its
 * bundle of 3 MB once more, for the names it exports.
 */
const loadPlaywright = (): typeof import("playwright-core") => require("playwright-core");

const launchMs = 30 * secondMs;
const connectAttempts = 3;
const closeMs = 5 * secondMs;
const watchMs = 1 * secondMs;
/** Most pages are read and gone by then; looking at all processes costs more than such a page can take. */
const firstWatchMs = 2 * secondMs;

/** Without this rule Chromium goes to loopback directly. */
const noBypass = "<-loopback>";

/** No traffic past the proxy, and no background traffic; Playwright adds more flags against sync and updates. */
export const quietFlags = [
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--disable-quic",
  "--no-pings",
  "--dns-prefetch-disable",
  // Names are the proxy's to resolve: a look-up here would be a packet that bypasses the guard.
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.*",
  "--disable-domain-reliability",
  "--disable-client-side-phishing-detection",
  "--disable-crash-reporter",
  "--disable-notifications",
  "--deny-permission-prompts",
  "--disable-breakpad",
];

/** The headless shell blocks no windows by itself, and shares processes between sites unless told otherwise. */
export const shellFlags = ["--block-new-web-contents", "--site-per-process"];

/** Playwright switches these protections off for tests; pages of strangers need them. */
const keptProtections = ["--disable-popup-blocking", "--disable-ipc-flooding-protection"];

/** Programs that have run in namespaces here: what the system allows does not change, so a further server does not try again. */
const isolatedHere = new Set<string>();

export async function tryIsolation(options: ChromiumOptions): Promise<Isolation> {
  const { path, searchPath, hidden, node } = options;
  const programs = JSON.stringify([path, searchPath, node.executable]);
  if (isolatedHere.has(programs)) return { isIsolated: true };
  const isolation = await probeIsolation({ chromium: path, searchPath, hidden, node });
  if (isolation.isIsolated) isolatedHere.add(programs);
  return isolation;
}

export async function startChromium(
  deps: ChromiumDeps,
  options: ChromiumOptions,
  isIsolated: boolean,
): Promise<Chromium> {
  const { path, searchPath, hidden, node, certificates } = options;
  const folder = createLaunchFolder({ chromium: path, searchPath, isIsolated, hidden, node, certificates });
  let proxy: BrowserProxy | null = null;
  try {
    proxy = await deps.net.openProxy(isIsolated ? { socketPath: folder.proxySocket } : {});
    if (isIsolated) folder.share(folder.proxySocket);
    const browser = await launch(folder, options, proxy);
    return watch(browser, folder, proxy, deps, options);
  } catch (error) {
    await endGroup(folder);
    await proxy?.close();
    await folder.remove();
    deps.log.error({ err: error }, "Chromium could not be started");
    throw notStarted(options);
  }
}

async function launch(folder: LaunchFolder, options: ChromiumOptions, proxy: BrowserProxy): Promise<Browser> {
  const { chromium } = loadPlaywright();
  const { address } = proxy;
  const way: ContextProxy =
    address === null
      ? { server: `http://127.0.0.1:${relayPort}` }
      : { server: address.url, username: address.username, password: address.password };
  return chromium.launch({
    executablePath: folder.launcher,
    chromiumSandbox: options.hasSandbox,
    headless: true,
    args: [...quietFlags, ...(options.flags ?? [])],
    ignoreDefaultArgs: keptProtections,
    env: folder.environment,
    proxy: { ...way, bypass: noBypass },
    downloadsPath: `${folder.path}/downloads`,
    artifactsDir: `${folder.path}/downloads`,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    timeout: launchMs,
  });
}

function watch(
  browser: Browser,
  folder: LaunchFolder,
  proxy: BrowserProxy,
  { log }: ChromiumDeps,
  options: ChromiumOptions,
): Chromium {
  let ending: Promise<void> | null = null;
  const cleanUp = async () => {
    clearInterval(timer);
    await endGroup(folder);
    await proxy.close();
    await folder.remove();
  };
  /** A second caller waits for the same end. */
  const end = () => {
    ending ??= cleanUp();
    return ending;
  };
  const chromium: Chromium = {
    browser,
    openChannel: (way, page, permits) => openChannel(proxy, way, page, permits),
    memoryKilledAt: Number.NEGATIVE_INFINITY,
    kill: () => killGroup(folder),
    async close() {
      await settled(browser.close(), closeMs);
      await end();
    },
  };
  browser.once("disconnected", () => {
    end().catch((error: unknown) => log.error({ err: error }, "cleaning up after Chromium failed"));
  });
  let busySince = 0;
  const timer = setInterval(() => {
    if (browser.contexts().length === 0) busySince = performance.now();
    if (performance.now() - busySince < firstWatchMs) return;
    const killed = killLargeProcesses(folder.readPid() ?? -1, options);
    if (killed === null) return;
    chromium.memoryKilledAt = performance.now();
    log.warn(killed, "a page used too much memory");
  }, watchMs);
  timer.unref();
  return chromium;
}

function openChannel(proxy: BrowserProxy, way: Way, page: string, permits?: Permits): VisitChannel {
  const channel = proxy.openChannel(way, page, permits);
  const { address } = channel;
  if ("host" in address) {
    return { channel, proxy: { server: `http://${address.host}:${relayPort}`, bypass: noBypass } };
  }
  const { url: server = "", password = "" } = proxy.address ?? {};
  return { channel, proxy: { server, username: address.username, password, bypass: noBypass } };
}

/** For a remote browser, whose processes are not ours. */
export async function connectChromium(endpoint: string): Promise<Chromium> {
  const browser = await connect(endpoint, connectAttempts).catch((error: unknown) => {
    throw new ServiceError("BROWSER_NOT_AVAILABLE", "The browser of BROWSER_WS_ENDPOINT cannot be reached.", {
      cause: error,
    });
  });
  const close = async () => {
    await settled(browser.close(), closeMs);
  };
  return { browser, openChannel: null, memoryKilledAt: Number.NEGATIVE_INFINITY, kill: () => void close(), close };
}

/** On a busy machine one was seen to wait until its time was over, while the next one was answered. */
async function connect(endpoint: string, attempts: number): Promise<Browser> {
  const { chromium, errors } = loadPlaywright();
  try {
    return await chromium.connectOverCDP(endpoint, { timeout: launchMs / connectAttempts });
  } catch (error) {
    if (attempts > 1 && error instanceof errors.TimeoutError) return connect(endpoint, attempts - 1);
    throw error;
  }
}

function notStarted({ hasSandbox }: ChromiumOptions): ServiceError {
  const hint = hasSandbox
    ? " Where the system forbids its sandbox, BROWSER_NO_SANDBOX=1 starts it without; the server's log says more."
    : " The server's log says more.";
  return new ServiceError("BROWSER_NOT_AVAILABLE", `Chromium could not be started.${hint}`);
}

function killGroup(folder: LaunchFolder): void {
  const pid = folder.readPid();
  if (pid !== null) killProcess(-pid);
}

async function endGroup(folder: LaunchFolder): Promise<void> {
  const pid = folder.readPid();
  if (pid !== null) await endProcessGroup(pid);
}
