// What Chromium's processes take, read from /proc: renderers are not our children, so nobody else tells.
import { readdirSync, readFileSync } from "node:fs";

export interface BrowserProcess {
  pid: number;
  /** As Chromium names it: renderer, gpu-process, utility, zygote; "" for the browser itself and its launcher. */
  type: string;
  residentBytes: number;
}

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
  const stat = readText(`/proc/${pid}/stat`);
  const parent = Number(stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
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
