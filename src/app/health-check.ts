// Whether the store can be read and written.
import { type Clock, secondMs } from "../base/index.ts";
import type { Store, StoreHealth } from "../store/index.ts";

const healthAgeMs = 1 * secondMs;

/**
 * Public, so concurrent requests share one probe and its answer holds for a second. A database that hangs is
 * as bad as one that is unreachable: the caller gets an answer in time.
 */
export function createHealthCheck(store: Store, clock: Clock): () => Promise<StoreHealth> {
  let latest: { at: number; health: Promise<StoreHealth> } | null = null;
  return () => {
    const now = performance.now();
    if (!latest || now - latest.at > healthAgeMs) latest = { at: now, health: store.checkHealth(clock.now()) };
    return latest.health;
  };
}
