// What processes on one database share about the hosts that they ask: places at each, and pauses.
import { createHostShare } from "../accounts/index.ts";
import { type Clock, type Logger, logFailure, type Repetition, repeat, secondMs } from "../base/index.ts";
import type { HostShare } from "../net/index.ts";
import type { Store } from "../store/index.ts";

/** A pause is known to every process after this time. */
const newsMs = secondMs;
/** News are read again for so long: the clocks of two processes differ a little. */
const overlapMs = 5 * secondMs;
/** No host is left alone for longer. */
const longestPauseMs = 600 * secondMs;
const batch = 1000;

export interface HostShareDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  limit: number;
}

/** Null for a store that no other process shares. */
export function openHostShare({ store, clock, log, limit }: HostShareDeps): HostShare | null {
  if (store.notifier === null) return null;
  const telling = new Set<Promise<void>>();
  let news: Repetition | null = null;
  return {
    places: createHostShare({ store, clock, limit }),
    tell(host, pause) {
      const told = store.hostPaces
        .note(host, pause)
        .catch(logFailure(log, "noting the pause of a host"))
        .finally(() => telling.delete(told));
      telling.add(told);
    },
    listen(receive) {
      let since = clock.now() - longestPauseMs;
      const read = async () => {
        const rows = await store.hostPaces.listSince(since, batch);
        for (const { host, ...pause } of rows) receive(host, pause);
        const newest = rows.at(-1)?.notedAt ?? since;
        since = rows.length < batch ? Math.max(since, newest - overlapMs) : newest;
      };
      news = repeat(newsMs, read, logFailure(log, "reading which hosts asked for a pause"));
    },
    async close() {
      await news?.stop();
      await Promise.all(telling);
    },
  };
}
