// Work on a page takes one of the team's slots; waiting for it counts against the request's time.
import { isTimeout, type Slots } from "../../base/index.ts";
import type { PageFailure } from "../record/page-reading.ts";

/** How long a page waited for its team's slot. */
export interface Waited {
  isLimited: boolean;
  ms: number;
}

export async function inSlot<Outcome>(
  slots: Slots,
  teamId: string,
  signal: AbortSignal,
  work: (waited: Waited) => Promise<Outcome>,
): Promise<Outcome | PageFailure> {
  const since = performance.now();
  const { active, waiting } = slots.count(teamId);
  const isLimited = active + waiting >= slots.limit;
  let leave: () => void;
  try {
    leave = await slots.enter(teamId, signal);
  } catch {
    return { ok: false, code: isTimeout(signal) ? "CONCURRENCY_QUEUE_TIMEOUT" : "ABORTED" } satisfies PageFailure;
  }
  try {
    return await work({ isLimited, ms: Math.round(performance.now() - since) });
  } finally {
    leave();
  }
}
