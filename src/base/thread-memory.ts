import { setFlagsFromString } from "node:v8";
import type { ResourceLimits } from "node:worker_threads";

/**
 * Memory limits of a new thread, such that running out of memory ends the thread and not the process. V8 grants 16 MB beyond the
 * limit to get there, and one collection of the young generation may move as much as that generation holds. A larger one, which
 * makes the main thread faster, is set by flags of the process that threads would inherit; the main thread has read them by now.
 */
export function limitThreadMemory(maxOldGenerationSizeMb: number): ResourceLimits {
  setFlagsFromString("--max-semi-space-size=16");
  setFlagsFromString("--min-semi-space-size=0");
  return { maxOldGenerationSizeMb };
}
