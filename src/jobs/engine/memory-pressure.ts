// How much of this server's memory is in use, measured against the limit of its container, not of its host.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface MemoryUse {
  usedBytes: number;
  limitBytes: number;
}

/** Null when nothing limits it. */
export type ReadMemory = () => MemoryUse | null;

/** `limitMegabytes` 0: the container's limit. */
export function createMemoryReader(limitMegabytes: number): ReadMemory {
  if (limitMegabytes === 0) return () => readContainerMemory("/");
  return () => ({ usedBytes: process.memoryUsage.rss(), limitBytes: limitMegabytes * 1024 * 1024 });
}

/** `root` holds the `proc` and `sys` of the machine. Null where no control group limits the memory of this process. */
export function readContainerMemory(root: string): MemoryUse | null {
  const lines = readText(join(root, "proc/self/cgroup")).split("\n");
  const newPath = lines.find((line) => line.startsWith("0::"))?.slice("0::".length);
  const oldPath = lines.map((line) => line.split(":")).find(([, names]) => names?.split(",").includes("memory"))?.[2];
  const folder = join(root, "sys/fs/cgroup");
  return (
    (newPath === undefined ? null : readGroup(folder, newPath, newNames)) ??
    (oldPath === undefined ? null : readGroup(join(folder, "memory"), oldPath, oldNames))
  );
}

interface Names {
  limit: string;
  used: string;
  /** In memory.stat: pages of files that the kernel gives back when memory is short. */
  reclaimable: string;
}

const newNames: Names = { limit: "memory.max", used: "memory.current", reclaimable: "inactive_file" };
const oldNames: Names = {
  limit: "memory.limit_in_bytes",
  used: "memory.usage_in_bytes",
  reclaimable: "total_inactive_file",
};
/** The old interface says "no limit" with its largest number. */
const noLimitBytes = 2 ** 60;

/** The group's own path is visible only outside its container; inside, the folder itself is the group. */
function readGroup(folder: string, path: string, names: Names): MemoryUse | null {
  for (const group of new Set([join(folder, path), folder])) {
    const limitBytes = Number.parseInt(readText(join(group, names.limit)), 10);
    const used = Number.parseInt(readText(join(group, names.used)), 10);
    if (!(limitBytes > 0 && limitBytes < noLimitBytes) || Number.isNaN(used)) continue;
    const reclaimable = new RegExp(`^${names.reclaimable} (\\d+)$`, "m").exec(
      readText(join(group, "memory.stat")),
    )?.[1];
    return { usedBytes: used - Number(reclaimable ?? 0), limitBytes };
  }
  return null;
}

/** "" for a missing file. */
function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
