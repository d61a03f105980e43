import { mainThreadSeconds } from "./cpu-time.ts";

/**
 * Milliseconds of CPU that this process takes from now on: what a test's own work costs, however many share the cores. For work
 * that must not grow beyond its input; a limit is at least ten times what the work takes.
 */
export function startCpuTimer(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}

/** The same for the main thread alone, where the system tells: what the event loop was held for, whoever else had the cores. */
export function startMainThreadTimer(): () => number {
  const before = mainThreadSeconds();
  if (before === null) return startCpuTimer();
  return () => ((mainThreadSeconds()?.running ?? 0) - before.running) * 1000;
}

/** Runs something; the most milliseconds of CPU that the main thread took in one go, without a turn of the event loop. */
export async function longestTurn<Result>(run: () => Promise<Result>): Promise<{ result: Result; turnMs: number }> {
  let turnMs = 0;
  let read = startMainThreadTimer();
  const look = () => {
    turnMs = Math.max(turnMs, read());
    read = startMainThreadTimer();
  };
  const timer = setInterval(look, 1);
  try {
    const result = await run();
    look();
    return { result, turnMs };
  } finally {
    clearInterval(timer);
  }
}
