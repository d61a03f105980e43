// How a program's process is started: sandboxed where the system allows it; without a sandbox only if the operator wants that.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { unprivileged, withTools } from "../browser/launch-folder.ts";
import type { SandboxNode } from "../sandbox/sandbox-node.ts";
import type { Kit, ProgramPlace } from "./kit.ts";

export interface ProgramLimits {
  /** Of one process; all together are watched. */
  memoryBytes: number;
  processes: number;
  cpuSeconds: number;
}

export interface ProgramCommand {
  file: string;
  words: string[];
  environment: Record<string, string>;
  /** Set where the launcher does not change the user itself. */
  uid?: number;
  /** The session's socket as the process sees it. */
  devtoolsSocket: string;
}

const megabyte = 1024 * 1024;
const maxFileBytes = 32 * megabyte;
const maxOpenFiles = 256;
/** Of the memory; the rest is for what V8 does not count. */
const heapShare = 0.5;
/** From V8 13 (Node 24) on, it reserves this much for code on x64 before it runs any; the system counts it as data. */
const reservedBytes = process.arch === "x64" && Number.parseInt(process.versions.v8, 10) >= 13 ? 512 * megabyte : 0;
/** Where interpreters are and what they are made of. */
const systemFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];

export interface SandboxOptions {
  kit: Kit;
  place: ProgramPlace;
  node: SandboxNode;
  limits: ProgramLimits;
  searchPath: string;
  /** Whether interpreters of the system are needed. */
  needsSystem: boolean;
  /** Folders that even those must not see. */
  hidden: readonly string[];
}

export function sandboxed({ kit, place, node, limits, ...options }: SandboxOptions): ProgramCommand {
  const nodeFiles = node.copy === null ? node.files : node.files.filter((file) => !file.startsWith(`${node.copy}/`));
  const shown = options.needsSystem
    ? [...systemFolders.filter((folder) => existsSync(folder)), ...nodeFiles]
    : nodeFiles;
  return {
    file: kit.launcher,
    words: [...heapWords(limits), `/kit/${kit.main}`],
    environment: {
      PATH: withTools(options.searchPath),
      ROOT: place.root,
      KIT: kit.path,
      SOCKET: existsSync(place.socket) ? place.socket : "",
      NODE: node.copy === null ? node.executable : "/node/bin/node",
      NODE_COPY: node.copy ?? "",
      LIBRARIES: node.hasLibraries ? "/node/lib" : "",
      SHOW: shown.join(":"),
      HIDE: options.needsSystem ? options.hidden.join(":") : "",
      LIMITS: limitWords(limits).join(":"),
    },
    devtoolsSocket: "/devtools.sock",
  };
}

/** EXECUTE_UNSANDBOXED: only the limits of node itself, an empty environment and, for root, another user. */
export function unsandboxed({
  kit,
  place,
  node,
  limits,
}: Pick<SandboxOptions, "kit" | "place" | "node" | "limits">): ProgramCommand {
  return {
    file: node.executable,
    words: [...heapWords(limits), join(kit.path, kit.main)],
    environment: {
      HOME: place.root,
      ...(node.copy !== null && node.hasLibraries ? { LD_LIBRARY_PATH: join(node.copy, "lib") } : {}),
    },
    ...(process.getuid?.() === 0 ? { uid: unprivileged } : {}),
    devtoolsSocket: place.socket,
  };
}

function heapWords({ memoryBytes }: ProgramLimits): string[] {
  return [`--max-old-space-size=${Math.floor((memoryBytes * heapShare) / megabyte)}`];
}

function limitWords({ memoryBytes, processes, cpuSeconds }: ProgramLimits): string[] {
  return [
    `--data=${memoryBytes + reservedBytes}`,
    `--nproc=${processes}`,
    `--cpu=${cpuSeconds}`,
    `--fsize=${maxFileBytes}`,
    `--nofile=${maxOpenFiles}`,
    "--core=0",
  ];
}
