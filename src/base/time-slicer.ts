// Work that arrives in bursts. A piece starts at once while its slice of the event loop's turn lasts; later pieces wait for the next
// turn, so that small requests are answered in between.

export interface TimeSlicer {
  /** Resolves with what the work returned, or rejects with what it threw. */
  run<Result>(work: () => Result): Promise<Result>;
  /** Null: the caller may start now. Otherwise it may start when the promise resolves. */
  yieldIfBusy(): Promise<void> | null;
}

/** One serves the whole process, as there is one event loop. `sliceMs` counts from the first piece of a turn. */
export function createTimeSlicer(sliceMs = 5): TimeSlicer {
  const waiting: { start(): void; isCaller: boolean }[] = [];
  /** When the first piece of this turn began. */
  let begunAt: number | null = null;

  function hasTime(): boolean {
    if (begunAt !== null) return performance.now() - begunAt < sliceMs;
    begunAt = performance.now();
    setImmediate(endTurn);
    return true;
  }

  function endTurn(): void {
    begunAt = null;
    startWaiting();
  }

  /** Pieces run back to back: running what follows from each in between took 3 % more CPU for a crawled page. */
  function startWaiting(): void {
    while (waiting.length > 0 && hasTime()) {
      const next = waiting.shift();
      next?.start();
      if (!next?.isCaller) continue;
      // What the caller does until its next await counts toward the slice.
      queueMicrotask(() => process.nextTick(startWaiting));
      return;
    }
  }

  const isFree = () => waiting.length === 0 && hasTime();

  return {
    run: (work) =>
      new Promise((done, failed) => {
        const start = () => {
          try {
            done(work());
          } catch (error) {
            failed(error);
          }
        };
        if (isFree()) start();
        else waiting.push({ start, isCaller: false });
      }),
    yieldIfBusy: () => (isFree() ? null : new Promise((start) => waiting.push({ start, isCaller: true }))),
  };
}
