// Whether a process of this machine is still running.
import { readFileSync } from "node:fs";

/** State, parent, group and so on; empty for a process that is gone, or without /proc. */
export function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

/**
 * A zombie counts as gone: the init process of a container, or of a small virtual machine,
 * reaps late or never.
 */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return !hasEnded(statOf(pid));
}

export const hasEnded = ([state]: readonly string[]) => state === "Z" || state === "X";
