// One Chromium that a user drives: a separate process in its own namespaces, whose only way out is net's proxy and whose
// only way in is net's gateway to its debugging port. Never started where namespaces are not available.
import { type ChildProcess, spawn } from "node:child_process";
import { statfsSync } from "node:fs";
import { join } from "node:path";
import { secondMs } from "../../base/index.ts";
import type { BrowserProxy, DevtoolsClient, DevtoolsGateway } from "../../net/index.ts";
import { type ChromiumDeps, type ChromiumOptions, quietFlags } from "./chromium-process.ts";
import { devtoolsPort, relayPort } from "./launch-files.ts";
import { createLaunchFolder, type LaunchFolder } from "./launch-folder.ts";
import { endProcessGroup, killLargeProcesses } from "./process-tree.ts";
import { guardPages } from "./session-guard.ts";
import { recordNetwork, type SessionNetwork } from "./session-network.ts";
import { type SessionRecorder, startRecorder } from "./session-recorder.ts";
import { openSessionStorage, type StorageState } from "./session-storage.ts";

export interface SessionRequest {
  /** For the log. */
  id: string;
  /** What earlier sessions left behind. */
  storageState?: StorageState | undefined;
  /** Whether `readStorage` will be called. */
  wantsStorageState?: boolean | undefined;
  /** Whether what people and programs do in it is recorded. */
  isRecorded?: boolean | undefined;
  /** Told whenever something passes the gateway, in either direction. */
  onTraffic?: (() => void) | undefined;
  /** Whether its pages may request a URL; any may unless given. */
  permits?: ((url: string) => Promise<boolean>) | undefined;
  /** Told when the last client has gone. */
  onClientsGone?: (() => void) | undefined;
  /** Whether what pages ask servers for is recorded. */
  recordsNetwork?: boolean | undefined;
  /** Aborted when the caller no longer waits for the session. */
  signal: AbortSignal;
}

export interface BrowserSession {
  /** A unix socket for this user only that speaks Chromium's debugging protocol: GET /json/version, WebSocket on / */
  devtoolsSocket: string;
  /** The debugging protocol for ourselves: it counts as no traffic. The caller closes it. */
  connect(): Promise<DevtoolsClient>;
  /** From now on `page` gives the target whose dialogs a person sees and can answer; null: none. */
  attend(page: () => string | null): void;
  /** What happened in it; null: it is not recorded. */
  recorder: SessionRecorder | null;
  /** Cookies and local storage as they are now; undefined unless requested. */
  readStorage(): Promise<StorageState | undefined>;
  /** What its pages asked servers for until now; null where that is not recorded. */
  readNetwork(): SessionNetwork | null;
  /** Resolves when Chromium is gone, to its exit code; null when it was killed. */
  exited: Promise<number | null>;
  close(): Promise<void>;
}

export interface SessionProcessOptions extends ChromiumOptions {
  /** All that it keeps as files, and again of temporary ones: both are in memory and count as such. */
  maxFileBytes: number;
  /** Of one body in what is recorded of its network. */
  networkBodyBytes: number;
}

export type SessionOutcome =
  | { ok: true; session: BrowserSession }
  | { ok: false; code: "BROWSER_NOT_AVAILABLE" | "SESSIONS_NOT_AVAILABLE"; message: string };

const launchMs = 30 * secondMs;
const watchMs = 2 * secondMs;
const maxErrorBytes = 4096;

const sessionFlags = [
  ...quietFlags,
  "--headless",
  "--no-first-run",
  "--no-default-browser-check",
  // Playwright gets no event for a page restored from there, and would wait for it.
  "--disable-back-forward-cache",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-component-extensions-with-background-pages",
  "--disable-default-apps",
  "--disable-extensions",
  "--disable-sync",
  "--disable-field-trial-config",
  "--disable-features=Translate,MediaRouter,OptimizationHints,DialMediaRouteProvider,HttpsUpgrades",
  "--disable-dev-shm-usage",
  "--password-store=basic",
  "--metrics-recording-only",
  "--mute-audio",
  "--disk-cache-size=67108864",
  "--window-size=1280,800",
  `--proxy-server=http://127.0.0.1:${relayPort}`,
  "--proxy-bypass-list=<-loopback>",
  `--remote-debugging-port=${devtoolsPort}`,
];

/** Throws what went wrong; nothing is left behind then. */
export async function startSession(
  deps: ChromiumDeps,
  options: SessionProcessOptions,
  request: SessionRequest,
): Promise<BrowserSession> {
  const { path, searchPath, hidden, node, certificates, maxFileBytes, networkBodyBytes } = options;
  const how = { isIsolated: true, session: { maxFileBytes }, certificates };
  const folder = createLaunchFolder({ chromium: path, searchPath, hidden, node, ...how });
  let proxy: BrowserProxy | null = null;
  let gateway: DevtoolsGateway | null = null;
  let child: ChildProcess | null = null;
  let ending: Promise<void> | null = null;
  const end = async () => {
    if (child?.pid !== undefined) await endProcessGroup(child.pid);
    await gateway?.close();
    await proxy?.close();
    await folder.remove();
  };
  const close = () => {
    ending ??= end();
    return ending;
  };
  const starting = new AbortController();
  const scripting = watchScripts();
  const giveUp = (reason: string) => starting.abort(new Error(reason));
  const late = setTimeout(() => giveUp("Chromium did not answer in time"), launchMs);
  const hangUp = () => giveUp("its caller has gone");
  request.signal.addEventListener("abort", hangUp, { once: true });
  try {
    request.signal.throwIfAborted();
    proxy = await deps.net.openProxy({ socketPath: folder.proxySocket, permits: request.permits });
    folder.share(folder.proxySocket);
    const started = launch(folder, options);
    child = started.child;
    const exited = started.exited.then(async (code) => {
      giveUp(`Chromium ended: ${started.readErrors()}`);
      await close().catch((error: unknown) => deps.log.error({ err: error }, "cleaning up after a session failed"));
      return code;
    });
    const devtoolsSocket = join(folder.path, "cdp.sock");
    gateway = await deps.net.openDevtoolsGateway({
      socketPath: devtoolsSocket,
      browserSocket: folder.devtoolsSocket,
      onTraffic: request.onTraffic ?? (() => undefined),
      onClientsGone: request.onClientsGone,
      onCommand: scripting.note,
      signal: starting.signal,
    });
    watchMemory(started.child, deps, options, { id: request.id, folder: folder.path });
    const { connectInside: connect, countClients } = gateway;
    const storage = await unlessStopped(openStorage(gateway, request), starting.signal);
    const recorder = request.isRecorded ? await unlessStopped(openRecorder(connect, scripting), starting.signal) : null;
    let attended: () => string | null = () => null;
    const answerers = { isDriven: () => countClients() > 0, attended: () => attended() };
    const guarding = connect().then((client) => guardPages(client, answerers));
    await unlessStopped(guarding, starting.signal);
    const recording = request.recordsNetwork
      ? connect().then((client) => recordNetwork(client, networkBodyBytes))
      : null;
    const network = recording && (await unlessStopped(recording, starting.signal));
    const attend = (page: () => string | null) => {
      attended = page;
    };
    const readStorage = async () => {
      recorder?.close();
      return storage?.read();
    };
    const readNetwork = () => network?.() ?? null;
    return { devtoolsSocket, connect, attend, recorder, readStorage, readNetwork, exited, close };
  } catch (error) {
    await close();
    throw error;
  } finally {
    clearTimeout(late);
    request.signal.removeEventListener("abort", hangUp);
  }
}

const scriptMethods = new Set(["Runtime.callFunctionOn", "Runtime.evaluate"]);
/** A script that a program has sent is done by then, or waits for something. */
const scriptMs = 300;

/** Drivers change some fields by a script of theirs and not by input: choices, dates, files. */
function watchScripts() {
  let latest = Number.NEGATIVE_INFINITY;
  return {
    note(method: string): void {
      if (scriptMethods.has(method)) latest = performance.now();
    },
    isScripting: () => performance.now() - latest < scriptMs,
  };
}

async function openRecorder(connect: BrowserSession["connect"], scripting: ReturnType<typeof watchScripts>) {
  const client = await connect();
  return startRecorder(client, scripting);
}

async function unlessStopped<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const stopped = new Promise<never>((_done, fail) => {
    signal.addEventListener("abort", () => fail(signal.reason), { once: true });
  });
  // Whichever comes second is ignored.
  for (const promise of [work, stopped]) promise.catch(() => undefined);
  return Promise.race([work, stopped]);
}

async function openStorage(gateway: DevtoolsGateway, { storageState, wantsStorageState }: SessionRequest) {
  if (storageState === undefined && !wantsStorageState) return null;
  const client = await gateway.connectInside();
  const storage = await openSessionStorage(client);
  if (storageState !== undefined) await storage.write(storageState);
  if (wantsStorageState) return storage;
  client.close();
  return null;
}

function launch(folder: LaunchFolder, options: ChromiumOptions) {
  const flags = [
    ...sessionFlags,
    ...(options.hasSandbox ? [] : ["--no-sandbox"]),
    `--user-data-dir=${join(folder.path, "profile")}`,
    "about:blank",
  ];
  // Its own group, so that it ends as a whole; its input is how it notices that this process is gone.
  const child = spawn(folder.launcher, flags, {
    env: folder.environment,
    stdio: ["pipe", "ignore", "pipe"],
    detached: true,
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    errors = (errors + piece).slice(-maxErrorBytes);
  });
  child.stdin.on("error", () => undefined);
  const exited = new Promise<number | null>((done) => {
    child.once("exit", done);
    child.once("error", (error) => {
      errors = error.message;
      done(null);
    });
  });
  return { child, exited, readErrors: () => errors };
}

/** A page that takes too much memory ends; a browser that does, ends as a whole. */
function watchMemory(
  child: ChildProcess,
  { log }: ChromiumDeps,
  options: ChromiumOptions,
  { id, folder }: { id: string; folder: string },
): void {
  const pid = child.pid ?? -1;
  const timer = setInterval(() => {
    const killed = killLargeProcesses(pid, options, keptBytes(pid, folder));
    if (killed !== null) log.warn({ session: id, ...killed }, "a browser session used too much memory");
  }, watchMs).unref();
  child.once("exit", () => clearInterval(timer));
}

/** Of the profile, which is in memory; temporary files are memory that its processes share, and counted with them. */
function keptBytes(pid: number, folder: string): number {
  try {
    const { blocks, bfree, bsize } = statfsSync(join(`/proc/${pid}/root`, folder, "profile"));
    return (blocks - bfree) * bsize;
  } catch {
    return 0; // It is just ending.
  }
}
