// Pieces of work that come in crowds. Each is done at once while the event loop's turn is young; then they wait in line for the
// next one, so that small requests are answered in between.

export interface Portions {
  /** Resolves with what the work returned, or rejects with what it threw. */
  run<Result>(work: () => Result): Promise<Result>;
}

/** `portionMs`: from the first piece in a turn on. */
export function createPortions(portionMs: number): Portions {
  const waiting: (() => void)[] = [];
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
    doNext();
  }

  /** One piece, and the next only after all that follows from it without waiting: that takes time of the turn, too. */
  function doNext(): void {
    if (waiting.length === 0 || !hasTime()) return;
    waiting.shift()?.();
    queueMicrotask(() => process.nextTick(doNext));
  }

  return {
    run: (work) =>
      new Promise((done, failed) => {
        const doNow = () => {
          try {
            done(work());
          } catch (error) {
            failed(error);
          }
        };
        if (waiting.length === 0 && hasTime()) doNow();
        else waiting.push(doNow);
      }),
  };
}

/** Shared by all who do such work, as they share the event loop. */
export const portions = createPortions(8);
