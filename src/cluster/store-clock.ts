// The clock of processes that share a database is the database's: leases, delays and schedules mean the same moment to all of
// them, even on a machine whose own clock is wrong.
import { type Clock, type Logger, minuteMs, type Repetition, repeat, secondMs } from "../base/index.ts";
import type { Store } from "../store/index.ts";

const lookMs = minuteMs;
const tries = 3;
/** Less is how long an answer takes. */
const smallestMs = 100;
const worthTellingMs = 5 * secondMs;

export async function openStoreClock(
  { readTime }: Pick<Store, "readTime">,
  log: Logger,
): Promise<{ clock: Clock; stop(): Promise<void> }> {
  if (readTime === null) return { clock: { now: () => Date.now() }, stop: async () => undefined };
  const read = readTime;
  let aheadMs = 0;

  async function compare(): Promise<void> {
    const measured = await measureAhead(read);
    if (Math.abs(measured - aheadMs) < smallestMs) return;
    aheadMs = measured;
    if (Math.abs(aheadMs) < worthTellingMs) return;
    log.warn({ aheadSeconds: Math.round(aheadMs / secondMs) }, wrongClock);
  }

  await compare();
  // An unreachable store is reported elsewhere; the clock goes on as it was.
  const looking: Repetition = repeat(lookMs, compare, () => undefined);
  return { clock: { now: () => Date.now() - aheadMs }, stop: () => looking.stop() };
}

const wrongClock = "this machine's clock differs from the database's, which is used instead: set it right";

/** By the quickest of a few answers: it lies closest to the moment that it tells. */
async function measureAhead(readTime: () => Promise<number>): Promise<number> {
  let best = { tookMs: Number.POSITIVE_INFINITY, aheadMs: 0 };
  for (let count = 0; count < tries; count += 1) {
    const before = Date.now();
    const told = await readTime();
    const after = Date.now();
    const tookMs = after - before;
    if (tookMs < best.tookMs) best = { tookMs, aheadMs: Math.round((before + after) / 2 - told) };
  }
  return best.aheadMs;
}
