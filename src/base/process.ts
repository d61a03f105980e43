// Processes of this machine: whether one is still running, and the name under which this one holds leases.
import { readFileSync } from "node:fs";
import { newId } from "./ids.ts";

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

/**
 * Who holds a lease: one run of one process on one machine. What a crashed process held, the next one on its machine takes back
 * immediately, because it can see that the process is gone; that of other machines it takes when the lease has run out.
 */
export interface Owner {
  name: string;
  /** Names of all owners on this machine begin with it. */
  prefix: string;
  /** Whether an owner on this machine has ended. */
  isGone(name: string): boolean;
}

/** In a container every run has the same process id, but none the same start. */
const startedAt = String(Math.round(performance.timeOrigin));

/** `machine`: different for each machine, and for each folder of data on it. */
export function createOwner(machine: string): Owner {
  const prefix = `${machine}/`;
  return {
    name: `${prefix}${process.pid}/${startedAt}/${newId()}`,
    prefix,
    isGone(other) {
      const [pid, start] = other.slice(prefix.length).split("/");
      if (!other.startsWith(prefix) || !(Number(pid) > 0)) return false;
      return Number(pid) === process.pid ? start !== startedAt : !isRunning(Number(pid));
    },
  };
}
