// What all programs of a server share: their files, a Node for the sandbox, and whether the system can sandbox them.
import { existsSync } from "node:fs";
import { type Logger, secondMs } from "../../base/index.ts";
import { removeAbandonedFolders } from "../browser/launch-folder.ts";
import { openSandboxNode, type SandboxNode } from "../sandbox/sandbox-node.ts";
import type { ProgramWork } from "./inside/work.ts";
import { createKit, type Kit, type ProgramPlace } from "./kit.ts";
import { runProcess } from "./program-process.ts";
import { type ProgramCommand, sandboxed, unsandboxed } from "./sandbox.ts";

export const memoryBytes = 512 * 1024 * 1024;
const maxProcesses = 64;
/** What starting and connecting may take beside the program's own time. */
export const startMs = 30 * secondMs;
/** Tried once for the life of a server: that the machine was busy then must not count. */
const probeMs = startMs;

export interface ProgramRuntime {
  kit: Kit;
  node: SandboxNode;
  isolation: "sandboxed" | "unsandboxed" | "none";
}

export interface RuntimeOptions {
  /** Where the system cannot sandbox programs, run them all the same. */
  mayRunUnsandboxed: boolean;
  /** PATH of the server. */
  searchPath: string;
  hiddenFolders: readonly string[];
}

export function createRuntimes(options: RuntimeOptions, log: Logger) {
  let opening: Promise<ProgramRuntime> | null = null;

  async function openRuntime(): Promise<ProgramRuntime> {
    removeAbandonedFolders();
    const kit = createKit();
    const node = await openSandboxNode();
    const isSandboxed = process.platform === "linux" && (await probe(kit, node));
    const isolation = isSandboxed ? "sandboxed" : options.mayRunUnsandboxed ? "unsandboxed" : "none";
    if (isolation === "unsandboxed") log.warn("EXECUTE_UNSANDBOXED=1: programs of callers run without a sandbox");
    if (isolation === "none") log.warn("programs of callers cannot be sandboxed here: execute answers 501");
    return { kit, node, isolation };
  }

  /** Made again when that failed, or when its folder was removed. */
  async function open(): Promise<ProgramRuntime> {
    opening ??= openRuntime();
    const current = opening;
    const runtime = await current.catch((error: unknown) => {
      if (opening === current) opening = null;
      throw error;
    });
    if (existsSync(runtime.kit.launcher)) return runtime;
    if (opening === current) opening = null;
    return open();
  }

  async function probe(kit: Kit, node: SandboxNode): Promise<boolean> {
    const place = kit.createPlace();
    try {
      const command = commandFor({ kit, node, isolation: "sandboxed" }, place, { kind: "probe" }, probeMs);
      const input = { work: { kind: "probe" as const }, memory: {}, devtoolsSocket: "", timeoutMs: probeMs };
      const bounds = { startMs: probeMs, timeoutMs: probeMs, memoryBytes };
      const end = await runProcess(command, input, bounds, new AbortController().signal);
      if (end.answer?.result !== "ready")
        log.warn({ reason: end.stderr.trim() }, "the sandbox for programs does not work here");
      return end.answer?.result === "ready";
    } catch {
      return false;
    } finally {
      place.remove();
    }
  }

  function commandFor(
    runtime: ProgramRuntime,
    place: ProgramPlace,
    work: ProgramWork,
    timeoutMs: number,
  ): ProgramCommand {
    const limits = { memoryBytes, processes: maxProcesses, cpuSeconds: Math.ceil((timeoutMs + startMs) / secondMs) };
    if (runtime.isolation === "unsandboxed")
      return unsandboxed({ kit: runtime.kit, place, node: runtime.node, limits });
    return sandboxed({
      kit: runtime.kit,
      place,
      node: runtime.node,
      limits,
      searchPath: options.searchPath,
      needsSystem: work.kind === "interpreter",
      hidden: options.hiddenFolders,
    });
  }

  return {
    open,
    commandFor,
    close() {
      opening
        ?.then(({ kit, node }) => {
          kit.remove();
          node.remove();
        })
        .catch(() => undefined);
    },
  };
}
