// Asks again what failed for a while only (429, 5xx, no connection), for as long as the signal allows.
import { setTimeout } from "node:timers/promises";
import { secondMs } from "../base/index.ts";
import type { CallOutcome } from "./provider.ts";

const maxTries = 5;
const firstWaitMs = 500;
const longestOwnWaitMs = 8 * secondMs;

/** `remainingMs`: time until the signal ends. A wait that would outlast it is not started: it fails immediately. */
export async function withRetries(
  ask: () => Promise<CallOutcome>,
  remainingMs: () => number,
  signal: AbortSignal,
): Promise<CallOutcome> {
  let before: CallOutcome | null = null;
  for (let tries = 1; ; tries += 1) {
    const outcome = await ask();
    // That the time ran out while it was asked again says less than why it was.
    if (before !== null && !outcome.ok && outcome.failure.code === "MODEL_TIMEOUT") return before;
    before = outcome;
    if (outcome.ok || outcome.failure.next !== "retry" || tries === maxTries) return outcome;
    const ownMs = Math.min(longestOwnWaitMs, firstWaitMs * 2 ** (tries - 1));
    const { retryAfterSeconds } = outcome.failure;
    const waitMs = retryAfterSeconds === null ? ownMs : retryAfterSeconds * secondMs;
    if (waitMs >= remainingMs()) return outcome;
    try {
      await setTimeout(waitMs, undefined, { signal });
    } catch {
      return outcome;
    }
  }
}
