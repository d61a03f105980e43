// Deletes what has expired, and what exceeds the operator's limits.
import { type Clock, hourMs } from "../base/index.ts";
import type { Config } from "../config.ts";
import type { Store } from "../store/index.ts";

const batch = 500;
const megabyte = 1024 * 1024;
/** The limit on all page snapshots together; the oldest are deleted first. */
const maxSnapshotBytes = 1024 * megabyte;

export async function purge(store: Store, config: Config, clock: Clock, signal: AbortSignal): Promise<void> {
  let isMoreLeft = true;
  while (isMoreLeft && !signal.aborted) {
    const request = { now: clock.now(), limit: batch, searchDays: config.indexDays, auditDays: config.auditDays };
    isMoreLeft = (await store.retention.purge(request)).more;
  }
  await store.hostTurns.forget(clock.now() - hourMs);
  await store.hostPaces.forget(clock.now() - hourMs);
  await store.hostSlots.forget(clock.now());
  const room = config.pageCacheMegabytes * megabyte;
  while (!signal.aborted && (await store.copies.sumBytes()) > room) {
    // Responses that show these copies stay readable for a day.
    await store.copies.forgetOldest(batch, clock.now() + 25 * hourMs);
  }
  const indexRoom = config.indexMegabytes * megabyte;
  let removed = batch;
  while (!signal.aborted && removed === batch) {
    removed = await store.transaction(async ({ searchIndex, searchLinks }) => {
      const pages = await searchIndex.makeRoom(indexRoom, batch);
      await searchLinks.removeOldest(pages);
      return pages;
    });
  }
  while (!signal.aborted && (await store.snapshots.sumBytes()) > maxSnapshotBytes) {
    await store.snapshots.forgetOldest(batch);
  }
}
