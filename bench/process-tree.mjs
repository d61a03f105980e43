// CPU time and memory of a process and all its descendants.
import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100;

export function listTree(root) {
  const rows = new Map();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = stat
        .slice(stat.lastIndexOf(")") + 2)
        .split(" ")
        .map(Number);
      rows.set(Number(name), {
        pid: Number(name),
        parent: fields[1],
        ticks: fields[11] + fields[12] + fields[13] + fields[14],
      });
    } catch {
      // It has ended meanwhile.
    }
  }
  const isBelow = (row) => row !== undefined && (row.pid === root || isBelow(rows.get(row.parent)));
  return [...rows.values()].filter(isBelow);
}

/** Processes that have ended count towards the parent that waited for them. */
export function treeCpuMs(root) {
  return (listTree(root).reduce((sum, row) => sum + row.ticks, 0) * 1000) / ticksPerSecond;
}

/** Private memory only: shared pages would change with whatever else runs on the machine. */
export function treeMemoryMb(root) {
  let kilobytes = 0;
  for (const { pid } of listTree(root)) {
    try {
      kilobytes += Number(/^Private_Dirty:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
    } catch {
      // It has ended meanwhile.
    }
  }
  return kilobytes / 1024;
}
