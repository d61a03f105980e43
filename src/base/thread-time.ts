// How much CPU a thread has taken for a task, told through memory that it shares with whoever waits for it: a time limit that counts
// this is the same on a busy machine. Linux knows it.
import { readFileSync, readlinkSync } from "node:fs";
import { createDeadline, type Deadline } from "./deadline.ts";

/** Of one task: the thread that works on it, as Linux numbers it, and the CPU that the thread had taken when it began. */
export type ThreadNote = SharedArrayBuffer;

export interface NotedTask<Task> {
  task: Task;
  note: ThreadNote;
}

/** Without any CPU for its thread a task ends all the same, after so many times its limit. */
const mostLimits = 10;

export const createThreadNote = (): ThreadNote => new SharedArrayBuffer(16);

/** For the thread, when it begins the task. */
export function noteThread(note: ThreadNote): void {
  try {
    const thread = Number(readlinkSync("/proc/thread-self").replace(/.*\//, ""));
    new Float64Array(note).set([thread, readThreadMs(thread)]);
  } catch {
    new Float64Array(note).set([Number.NaN]); // No Linux.
  }
}

/** Over when the thread has taken so much CPU for the task; where the system does not tell, when so much time has passed. */
export function createThreadDeadline(other: AbortSignal, ms: number, note: ThreadNote): Deadline {
  return createDeadline(other, ms, (waitedMs) => (waitedMs < mostLimits * ms ? ms - readSpentMs(note) : 0));
}

function readSpentMs(note: ThreadNote): number {
  const [thread = 0, beforeMs = 0] = new Float64Array(note);
  try {
    return thread === 0 ? 0 : readThreadMs(thread) - beforeMs;
  } catch {
    return Number.POSITIVE_INFINITY; // The thread has ended, or the system does not tell.
  }
}

function readThreadMs(thread: number): number {
  return Number.parseInt(readFileSync(`/proc/self/task/${thread}/schedstat`, "latin1"), 10) / 1e6;
}
