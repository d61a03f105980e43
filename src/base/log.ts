// One line of JSON per event. Keys, bodies and page content are never logged.
import { type Logger, pino } from "pino";
import { activeIds } from "./span.ts";

export type { Logger } from "pino";

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

interface LogTarget {
  write(line: string): void;
}

/** Lines are buffered up to this many characters or this much time: a write per request costs more. */
const bufferLength = 4096;
const flushIntervalMs = 200;

export function createLog(level: (typeof logLevels)[number], target: LogTarget = standardOutput()): Logger {
  const options = {
    level,
    base: null,
    // A line that is written while a traced request or task is under way says which.
    mixin: () => ({ ...activeIds() }),
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, target);
}

function standardOutput(): LogTarget {
  const output = pino.destination({ dest: 1, minLength: bufferLength, sync: true });
  setInterval(() => output.flush(), flushIntervalMs).unref();
  process.once("exit", () => output.flushSync());
  return output;
}
