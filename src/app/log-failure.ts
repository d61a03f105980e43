// Failures of duties that nobody waits for.
import type { Logger } from "../base/index.ts";

export function logFailure(log: Logger, what: string): (error: unknown) => void {
  return (error) => log.error({ err: error }, `${what} failed`);
}
