// Writes that arrive together are made together: while one write runs, further items gather for the next one. Each
// caller waits until its own item is written, so nothing is acknowledged too early.

export function createGroup<Item>(write: (items: readonly Item[]) => Promise<void>): (item: Item) => Promise<void> {
  let waiting: { item: Item; done(): void; failed(error: unknown): void }[] = [];
  let isWriting = false;

  async function writeWaiting(): Promise<void> {
    isWriting = true;
    // One turn of the loop lets requests that are ready now join the same write.
    await new Promise((turn) => setImmediate(turn));
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
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
