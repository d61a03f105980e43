// One line of JSON per event. Keys, bodies and page content are never logged.
import { writeSync } from "node:fs";
import { pino } from "pino";
import { createSecretMask } from "./secret-mask.ts";
import { activeIds } from "./span.ts";

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

type WriteLine = (fields: unknown, message?: string, ...values: unknown[]) => void;

/** As `createLog` makes it. Not pino's own type: programs that embed the server would need pino's types. */
export interface Logger extends Record<(typeof logLevels)[number], WriteLine> {
  level: string;
  child(fields: Record<string, unknown>): Logger;
  /** From now on no line shows this value of a secret; not there for loggers of programs that embed the server. */
  hide?(name: string, value: string): void;
}

interface LogTarget {
  write(line: string): void;
}

/** Lines are buffered up to this many characters or this much time: a write per request costs more. */
const bufferLength = 4096;
const flushIntervalMs = 200;
/** Of characters that a slow reader has not taken. */
const mostWaiting = 1024 * 1024;

export function createLog(level: (typeof logLevels)[number], target: LogTarget = standardOutput()): Logger {
  const options = {
    level,
    base: null,
    // A line that is written while a traced request or task is under way says which.
    mixin: () => ({ ...activeIds() }),
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const hidden = createSecretMask();
  const masked = { write: (line: string) => target.write(hidden.text(line)) };
  return Object.assign(pino(options, masked), { hide: hidden.add });
}

/** A reader that is gone for good loses its lines, and nothing waits for it: the log never decides whether a process lives. */
function standardOutput(): LogTarget {
  let waiting = "";
  let isLost = false;
  const flush = () => {
    try {
      while (waiting !== "") {
        const bytes = Buffer.from(waiting);
        const written = writeSync(1, bytes);
        waiting = bytes.subarray(written).toString();
      }
    } catch (error) {
      // A pipe that is full is tried again with the next flush.
      isLost = (error as NodeJS.ErrnoException).code !== "EAGAIN";
      if (isLost || waiting.length > mostWaiting) waiting = "";
    }
  };
  setInterval(flush, flushIntervalMs).unref();
  process.once("exit", flush);
  return {
    write(line) {
      if (isLost) return;
      waiting += line;
      if (waiting.length >= bufferLength) flush();
    },
  };
}
