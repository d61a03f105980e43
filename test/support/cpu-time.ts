// How much CPU processes took, from Linux itself: Node tells a process of its own time only, never of its children's.
import { readdirSync, readFileSync } from "node:fs";

/** Linux counts in hundredths of a second for every program, whatever its own tick is. */
const ticksPerSecond = 100;

interface ProcessTimes {
  parent: number;
  name: string;
  ownSeconds: number;
  /** Of children that have ended, of theirs, and so on. */
  endedSeconds: number;
}

/** null where there is no such process, or no Linux. */
function readTimes(pid: number | "self"): ProcessTimes | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return null;
  }
  // The name stands in brackets and may hold any character.
  const end = stat.lastIndexOf(")");
  const fields = stat.slice(end + 2).split(" ");
  const seconds = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) / ticksPerSecond;
  return {
    parent: Number(fields[1]),
    name: stat.slice(stat.indexOf("(") + 1, end),
    ownSeconds: seconds(11),
    endedSeconds: seconds(13),
  };
}

/** Of the processes that this one started and that have ended; 0 where the system does not tell. */
export function endedChildrenSeconds(): number {
  return readTimes("self")?.endedSeconds ?? 0;
}

/** Since this process began, the seconds its main thread ran and those it waited for a core; null where the system does not tell. */
export function mainThreadSeconds(): { running: number; queued: number } | null {
  try {
    const [running = 0, queued = 0] = readFileSync("/proc/self/schedstat", "utf8").split(" ").map(Number);
    return { running: running / 1e9, queued: queued / 1e9 };
  } catch {
    return null;
  }
}

/** Of this process and all that descend from it, ended or not; null where the system does not tell. */
export function treeSeconds(): { all: number; postgres: number } | null {
  const own = readTimes(process.pid);
  if (own === null) return null;
  const processes = new Map<number, ProcessTimes>();
  for (const pid of readdirSync("/proc").map(Number).filter(Number.isInteger)) {
    const times = readTimes(pid);
    if (times) processes.set(pid, times);
  }
  const isBelow = (pid: number): boolean =>
    pid === process.pid || (processes.has(pid) && isBelow(processes.get(pid)?.parent ?? 0));
  let all = 0;
  let postgres = 0;
  for (const [pid, { name, ownSeconds, endedSeconds }] of processes) {
    if (!isBelow(pid)) continue;
    all += ownSeconds + endedSeconds;
    if (name === "postgres") postgres += ownSeconds + endedSeconds;
  }
  return { all, postgres };
}
