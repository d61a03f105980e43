// Groups writes that arrive together: while one write runs, further items gather for the next one. Each
// caller waits until its own item is written, so nothing is acknowledged too early.

import { setTimeout } from "node:timers/promises";

/** Under load a write waits this long for others: ten rows cost little more than one, and a commit costs the same. */
const defaultGatherMs = 2;

export function createGroup<Item>(
  write: (items: readonly Item[]) => Promise<void>,
  gatherMs: number = defaultGatherMs,
): (item: Item) => Promise<void> {
  let waiting: { item: Item; done(): void; failed(error: unknown): void }[] = [];
  let isWriting = false;
  let latestSize = 0;

  async function writeWaiting(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      // One turn of the event loop lets requests that are ready now join; a single request waits no longer.
      await new Promise((turn) => setImmediate(turn));
      if (waiting.length > 1 || latestSize > 1) await setTimeout(gatherMs);
      const group = waiting;
      waiting = [];
      latestSize = group.length;
      try {
        await write(group.map(({ item }) => item));
        for (const { done } of group) done();
      } catch (error) {
        for (const { failed } of group) failed(error);
      }
    }
    isWriting = false;
  }

  return (item) =>
    new Promise((done, failed) => {
      waiting.push({ item, done, failed });
      if (!isWriting) void writeWaiting();
    });
}
