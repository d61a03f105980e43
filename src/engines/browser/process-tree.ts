// What Chromium's processes take, read from /proc: renderers are not our children, so nothing else reports it. Also ends them.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { hasEnded, isRunning, statOf } from "../../base/index.ts";

export interface BrowserProcess {
  pid: number;
  /** As Chromium names it: renderer, gpu-process, utility, zygote; "" for the browser itself and its launcher. */
  type: string;
  residentBytes: number;
}

/** How often to look whether killed processes are gone; on a busy machine it takes them a moment. */
const endLookMs = 20;
const maxEndLooks = 250;

/** Every process below one, itself included. Empty where there is no /proc. */
export function readProcessTree(root: number): BrowserProcess[] {
  const children = new Map<number, number[]>();
  for (const pid of listProcesses()) {
    const parent = parentOf(pid);
    if (parent === null) continue;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [pid]);
    else siblings.push(pid);
  }
  const found: number[] = [root];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found.flatMap((pid) => readProcess(pid) ?? []);
}

function listProcesses(): number[] {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => Number.isInteger(pid));
  } catch {
    return [];
  }
}

function parentOf(pid: number): number | null {
  const parent = Number(statOf(pid)[1]);
  return Number.isInteger(parent) ? parent : null;
}

function readProcess(pid: number): BrowserProcess | null {
  const command = readText(`/proc/${pid}/cmdline`);
  const status = readText(`/proc/${pid}/status`);
  if (command === null || status === null) return null;
  // Between fork and exec a renderer has its parent's words; Chromium separates its own by spaces or by NUL.
  const type = /--type=([a-z-]+)/.exec(command)?.[1] ?? "";
  return { pid, type, residentBytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024 };
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

export interface MemoryLimits {
  /** Resident memory of one renderer. */
  maxRendererBytes: number;
  /** Resident memory of all processes together. */
  maxTotalBytes: number;
}

/** Kills the renderers that take too much memory, else the whole group if that does; null when nothing does. */
export function killLargeProcesses(leader: number, limits: MemoryLimits, moreBytes = 0) {
  const tree = readProcessTree(leader);
  const total = tree.reduce((sum, each) => sum + each.residentBytes, 0) + moreBytes;
  const processes = tree.filter((each) => each.type !== "" && each.residentBytes > limits.maxRendererBytes);
  if (processes.length === 0 && total <= limits.maxTotalBytes) return null;
  if (processes.length === 0) killProcess(-leader);
  for (const { pid } of processes) killProcess(pid);
  return { processes, total };
}

export function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

/** Kills all of a group and waits for their end, so that none of them writes a file any more. */
export async function endProcessGroup(leader: number): Promise<void> {
  killProcess(-leader);
  for (let look = 0; look < maxEndLooks && isGroupAlive(leader); look += 1) await setTimeout(endLookMs);
}

function isGroupAlive(leader: number): boolean {
  const processes = listProcesses();
  if (processes.length === 0) return isRunning(-leader);
  return processes.some((pid) => {
    const stat = statOf(pid);
    return Number(stat[2]) === leader && !hasEnded(stat);
  });
}
