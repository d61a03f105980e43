// Logs failures of background work.
import type { Logger } from "./log.ts";

export function logFailure(log: Logger, what: string): (error: unknown) => void {
  return (error) => log.error({ err: error }, `${what} failed`);
}
