import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";

/** So many milliseconds for a machine that does nothing else, and more where many share its cores. */
export function allowingForLoad(ms: number): number {
  const [lastMinute = 0] = loadavg();
  return Math.ceil(ms * (1 + Math.max(lastMinute, runningNow()) / availableParallelism()));
}

/** The average follows only slowly when others begin. */
function runningNow(): number {
  try {
    const [, running = "0"] = / (\d+)\/\d+ /.exec(readFileSync("/proc/loadavg", "utf8")) ?? [];
    return Number(running);
  } catch {
    return 0; // No Linux.
  }
}
