// One line of JSON per event. Keys, bodies and page content never reach a log line.
import { type Logger, pino } from "pino";

export type { Logger } from "pino";

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

interface LogTarget {
  write(line: string): void;
}

export function createLog(level: (typeof logLevels)[number], target?: LogTarget): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return target ? pino(options, target) : pino(options);
}
