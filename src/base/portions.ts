// Short pieces of work that come in crowds. Each is done at once as long as little was done since the event loop went around;
// then they wait in line, so that small requests are answered between two portions.

export interface Portions {
  /** Resolves with what the work returned, or rejects with what it threw. */
  run<Result>(work: () => Result): Promise<Result>;
}

export function createPortions(portionMs: number): Portions {
  const waiting: (() => void)[] = [];
  let spentMs = 0;
  let isTurnAsked = false;

  function spend<Result>(work: () => Result): Result {
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      spentMs += performance.now() - startedAt;
      askForTurn();
    }
  }

  function askForTurn(): void {
    if (isTurnAsked) return;
    isTurnAsked = true;
    setImmediate(takeTurn);
  }

  function takeTurn(): void {
    isTurnAsked = false;
    spentMs = 0;
    while (spentMs < portionMs) {
      const next = waiting.shift();
      if (next === undefined) return;
      next();
    }
  }

  return {
    run: (work) =>
      new Promise((done, failed) => {
        const doNow = () => {
          try {
            done(spend(work));
          } catch (error) {
            failed(error);
          }
        };
        if (waiting.length === 0 && spentMs < portionMs) doNow();
        else waiting.push(doNow);
      }),
  };
}
