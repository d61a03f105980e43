// Who holds a lease: one run of one process on one machine. What a crashed process held, the next one on its machine takes
// back immediately, because it can see that the process is gone; that of other machines it takes when the lease has run out.
import { isRunning, newId } from "../../base/index.ts";

export interface Owner {
  name: string;
  /** Names of all owners on this machine begin with it. */
  prefix: string;
  /** Whether an owner on this machine has ended. */
  isGone(name: string): boolean;
}

/** Owners of this very process: none of them is gone before the process is. */
const own = new Set<string>();

/** `machine`: different for each machine, and for each folder of data on it. */
export function createOwner(machine: string): Owner {
  const prefix = `${machine}/`;
  const name = `${prefix}${process.pid}/${newId()}`;
  own.add(name);
  return {
    name,
    prefix,
    isGone(other) {
      const pid = Number(other.slice(prefix.length).split("/")[0]);
      if (!other.startsWith(prefix) || !(pid > 0)) return false;
      // In a container every run has the same number.
      return pid === process.pid ? !own.has(other) : !isRunning(pid);
    },
  };
}
