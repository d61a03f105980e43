// A host that asks for a pause (429 or 503 with Retry-After) gets the request once more after it, if there is time.
import { setTimeout as pause } from "node:timers/promises";
import { secondMs, systemClock } from "../../base/index.ts";
import { parseRetryAfter } from "../../net/index.ts";
import type { Page } from "./fetched-page.ts";

/** The least time that must remain for the response. */
const answerMs = 500;

interface Patience {
  /** Until when the page must be there, by performance.now(); without it nothing is waited for. */
  patientUntil?: number | undefined;
  signal: AbortSignal;
}

/** The pause that a page asks for, in seconds; null: none. */
export function pauseOf({ status, headers }: Pick<Page, "status" | "headers">): number | null {
  return status === 429 || status === 503 ? parseRetryAfter(headers["retry-after"], systemClock.now()) : null;
}

/** Waits as long as the host asks for; false when that would take too long, or when the caller has gone. */
export async function waitAsAsked(
  retryAfterSeconds: number | null,
  { patientUntil, signal }: Patience,
): Promise<boolean> {
  if (retryAfterSeconds === null || patientUntil === undefined || signal.aborted) return false;
  const waitMs = retryAfterSeconds * secondMs;
  if (performance.now() + waitMs + answerMs > patientUntil) return false;
  return pause(waitMs, true, { signal }).catch(() => false);
}
