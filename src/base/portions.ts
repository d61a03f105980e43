// Pieces of work that come in crowds. Each is done at once while the event loop's turn is young; then they wait in line for the
// next one, so that small requests are answered in between.

export interface Portions {
  /** Resolves with what the work returned, or rejects with what it threw. */
  run<Result>(work: () => Result): Promise<Result>;
  /** Resolves when the caller may start its work; null: it may start now. */
  pass(): Promise<void> | null;
}

/** `portionMs`: from the first piece in a turn on. */
export function createPortions(portionMs: number): Portions {
  const waiting: { start(): void; isPass: boolean }[] = [];
  /** When the first piece of this turn began. */
  let begunAt: number | null = null;

  function hasTime(): boolean {
    if (begunAt !== null) return performance.now() - begunAt < portionMs;
    begunAt = performance.now();
    setImmediate(endTurn);
    return true;
  }

  function endTurn(): void {
    begunAt = null;
    startWaiting();
  }

  /** Works run back to back: with what follows from each in between, a crawled page took 3 % more CPU. */
  function startWaiting(): void {
    while (waiting.length > 0 && hasTime()) {
      const next = waiting.shift();
      next?.start();
      if (!next?.isPass) continue;
      // What its caller does until it waits for something counts toward the turn.
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
        else waiting.push({ start, isPass: false });
      }),
    pass: () => (isFree() ? null : new Promise((start) => waiting.push({ start, isPass: true }))),
  };
}

/** Shared by all who do such work, as they share the event loop. */
export const portions = createPortions(5);
