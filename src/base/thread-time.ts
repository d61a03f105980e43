// How much CPU a thread has taken for a task, told through memory that it shares with whoever waits for it: a time limit that counts
// this is the same on a busy machine. Linux knows it.
import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { createDeadline, type Deadline } from "./deadline.ts";

/** Of one task: the number of the thread that works on it, and the CPU that the thread had taken when it began. */
export type ThreadNote = SharedArrayBuffer;

const unknownThread = -1;
/** Without any CPU for its thread a task ends all the same, after so many times its limit. */
const mostLimits = 10;

let ownThread: number | null = null;

export function createThreadNote(): ThreadNote {
  return new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT);
}

/** For the thread, when it begins the task. */
export function noteThread(note: ThreadNote): void {
  ownThread ??= readOwnThread();
  const cells = new Float64Array(note);
  cells[1] = readThreadMs(ownThread) ?? 0;
  cells[0] = ownThread;
}

/** Over when the thread has taken so much CPU for the task; where the system does not tell, when so much time has passed. */
export function createThreadDeadline(other: AbortSignal, ms: number, note: ThreadNote): Deadline {
  return createDeadline(other, ms, (waitedMs) => {
    const spentMs = waitedMs < mostLimits * ms ? readSpentMs(note) : null;
    return spentMs === null ? 0 : ms - spentMs;
  });
}

/** null where the system does not tell. */
function readSpentMs(note: ThreadNote): number | null {
  const [thread = 0, beforeMs = 0] = new Float64Array(note);
  // Not begun.
  if (thread === 0) return 0;
  const nowMs = readThreadMs(thread);
  return nowMs === null ? null : nowMs - beforeMs;
}

function readThreadMs(thread: number): number | null {
  if (thread === unknownThread) return null;
  try {
    const [nanoseconds = "0"] = readFileSync(`/proc/self/task/${thread}/schedstat`, "latin1").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    return null;
  }
}

function readOwnThread(): number {
  try {
    return Number(basename(readlinkSync("/proc/thread-self")));
  } catch {
    return unknownThread;
  }
}
