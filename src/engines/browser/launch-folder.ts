// The folder of one Chromium process: its launcher, profile, temporary files and the proxy's socket, readable by its
// user only, removed with the process.
import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { hourMs, isRunning } from "../../base/index.ts";
import { type SandboxNode, sandboxNodePrefix } from "../sandbox/sandbox-node.ts";
import { launchScript, relayProgram } from "./launch-files.ts";
import { keptSystemFiles, otherFolders, sessionPolicy } from "./session-files.ts";

export interface LaunchFolder {
  path: string;
  launcher: string;
  /** Where net's proxy listens for a browser in a namespace. */
  proxySocket: string;
  /** Where the debugging port of a session's browser is reached from outside of its namespace. */
  devtoolsSocket: string;
  /** All that Chromium and its launcher see of the environment. */
  environment: Record<string, string>;
  /** Lets the user that Chromium runs as use what was made in the folder. */
  share(file: string): void;
  /** The leader of the process group, once it is started. */
  readPid(): number | null;
  /** Waits for those who still write into it. */
  remove(): Promise<void>;
}

export interface LaunchFolderOptions {
  chromium: string;
  searchPath: string;
  isIsolated: boolean;
  /** What the relay runs on. */
  node: Pick<SandboxNode, "executable" | "copy" | "hasLibraries">;
  /** Folders that Chromium must not see even if its user may read them. */
  hidden: readonly string[];
  /**
   * Its user drives the browser itself: it sees only the files that it needs to run, and keeps at most this many bytes of
   * files, and of temporary ones.
   */
  session?: { maxFileBytes: number };
  /** Trusted in addition to Chromium's own (PEM); without effect where it has no namespace. */
  certificates?: readonly string[];
}

const folderPrefix = "trawl-browser-";
/** Of what programs are started from. */
export const programsPrefix = "trawl-programs-";
/** The unprivileged user that Chromium and programs run as when the server runs as root. */
export const unprivileged = 65534;
/** Long enough for a busy machine: where namespaces are forbidden, the answer is immediate. */
const probeMs = 30_000;
const maxReasonLength = 500;
/** A plain user's PATH often lacks where the tools of namespaces are. */
const systemFolders = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"];

export function withTools(searchPath: string): string {
  return [searchPath, ...systemFolders].filter((folder) => folder !== "").join(":");
}

/** Lets the unprivileged user use a file or folder. */
export function shareFile(file: string): void {
  if (process.getuid?.() === 0) chownSync(file, unprivileged, unprivileged);
}

export function createLaunchFolder(options: LaunchFolderOptions): LaunchFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), folderPrefix)));
  const inside = (name: string) => join(path, name);
  for (const name of ["profile", "tmp", "downloads", "node"]) {
    mkdirSync(inside(name), { mode: 0o700 });
    shareFile(inside(name));
  }
  writeFileSync(inside("launch.sh"), launchScript, { mode: 0o755 });
  writeFileSync(inside("relay.cjs"), relayProgram, { mode: 0o644 });
  const policy = policyOf(options);
  if (policy !== null) writeSystemFiles(inside("etc"), policy);
  chmodSync(path, 0o700);
  shareFile(path);
  const proxySocket = inside("proxy.sock");
  const devtoolsSocket = inside("devtools.sock");
  const hidden = options.session ? [...options.hidden, ...otherFolders()] : options.hidden;
  return {
    path,
    launcher: inside("launch.sh"),
    proxySocket,
    devtoolsSocket,
    environment: {
      PATH: withTools(options.searchPath),
      HOME: inside("tmp"),
      TMPDIR: inside("tmp"),
      LANG: "C.UTF-8",
      CHROMIUM: options.chromium,
      ...(options.isIsolated
        ? {
            ISOLATED: "1",
            ...nodeVariables(options.node, inside("node")),
            PROXY_SOCKET: proxySocket,
            ...(policy === null ? {} : { OWN_ETC: "1" }),
            HIDE: hideable(hidden, neededFiles(options, path)).join(":"),
          }
        : {}),
      ...(options.session ? { DEVTOOLS_SOCKET: devtoolsSocket, FILE_BYTES: String(options.session.maxFileBytes) } : {}),
    },
    share: shareFile,
    readPid() {
      try {
        const pid = Number(readFileSync(inside("pid"), "utf8"));
        return Number.isInteger(pid) && pid > 1 ? pid : null;
      } catch {
        return null;
      }
    },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
  };
}

/** A copy of Node is mounted into the folder itself: everything around it may be hidden. */
function nodeVariables(node: LaunchFolderOptions["node"], mounted: string): Record<string, string> {
  if (node.copy === null) return { NODE: node.executable };
  const libraries = node.hasLibraries ? { LD_LIBRARY_PATH: join(mounted, "lib") } : {};
  return { NODE: join(mounted, "bin/node"), NODE_COPY: node.copy, ...libraries };
}

function neededFiles({ chromium, node }: LaunchFolderOptions, folder: string): string[] {
  return [chromium, folder, ...(node.copy === null ? [node.executable] : [])];
}

/** What only the files of an administrator can tell Chromium; null: nothing. */
function policyOf({ isIsolated, session, certificates = [] }: LaunchFolderOptions): object | null {
  if (!isIsolated || (!session && certificates.length === 0)) return null;
  return {
    ...(session ? sessionPolicy : {}),
    ...(certificates.length > 0 ? { CACertificates: certificates.map(base64Of) } : {}),
  };
}

function base64Of(pem: string): string {
  return pem.replace(/-----[^-]+-----|\s/g, "");
}

/** The folder that replaces /etc: places for the few files that are mounted there, and the policy. */
function writeSystemFiles(folder: string, policy: object): void {
  mkdirSync(folder, { mode: 0o755 });
  for (const name of keptSystemFiles.filter((each) => existsSync(join("/etc", each)))) {
    if (statSync(join("/etc", name)).isDirectory()) mkdirSync(join(folder, name), { mode: 0o755 });
    else writeFileSync(join(folder, name), "", { mode: 0o644 });
  }
  for (const place of ["chromium", "opt/chrome"]) {
    const managed = join(folder, place, "policies/managed");
    mkdirSync(managed, { recursive: true, mode: 0o755 });
    writeFileSync(join(managed, "trawl.json"), JSON.stringify(policy), { mode: 0o644 });
  }
}

/** A server that was killed leaves the folders of its browsers, its programs and its Node behind. */
export function removeAbandonedFolders(): void {
  const prefixes = [folderPrefix, programsPrefix, sandboxNodePrefix];
  const isOurs = (name: string) => prefixes.some((prefix) => name.startsWith(prefix));
  for (const name of readdirSync(tmpdir()).filter(isOurs)) {
    try {
      const folder = join(tmpdir(), name);
      if (isAbandoned(folder)) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Somebody else's, or just removed.
    }
  }
}

/** One without a pid is just being made, or its removal was interrupted: its age decides. */
function isAbandoned(folder: string): boolean {
  const file = join(folder, "pid");
  if (!existsSync(file)) return statSync(folder).mtimeMs < Date.now() - hourMs;
  const pid = Number(readFileSync(file, "utf8"));
  return pid > 1 && !isRunning(pid);
}

export type Isolation = { isIsolated: true } | { isIsolated: false; reason: string };

/** Whether this system lets Chromium run in its own namespaces: tried, not guessed. */
export async function probeIsolation(options: Omit<LaunchFolderOptions, "isIsolated">): Promise<Isolation> {
  if (process.platform !== "linux") return { isIsolated: false, reason: "namespaces exist on Linux only" };
  const folder = createLaunchFolder({ ...options, isIsolated: true });
  try {
    return await new Promise((done) => {
      const child = spawn(folder.launcher, [], {
        env: { ...folder.environment, PROBE: "1" },
        stdio: ["ignore", "ignore", "pipe"],
        timeout: probeMs,
        killSignal: "SIGKILL",
      });
      let errors = "";
      child.stderr.setEncoding("utf8").on("data", (piece: string) => {
        errors = (errors + piece).slice(-maxReasonLength);
      });
      child.once("error", (error) => done({ isIsolated: false, reason: error.message }));
      child.once("close", (code) => {
        const reason = errors.trim() || `the launcher ended with ${code ?? "a signal"}`;
        done(code === 0 ? { isIsolated: true } : { isIsolated: false, reason });
      });
    });
  } finally {
    await folder.remove();
  }
}

/** A folder that holds what must be started cannot be hidden. */
function hideable(folders: readonly string[], needed: readonly string[]): string[] {
  const places = needed.flatMap((file) => [file, realPath(file)]);
  return folders
    .map(realPath)
    .filter((folder) => folder !== sep && !folder.includes(":"))
    .filter((folder) => !places.some((place) => place === folder || place.startsWith(folder + sep)));
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
