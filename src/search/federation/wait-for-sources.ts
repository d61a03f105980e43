// How long a search waits for its sources: until all have ended, or there is enough, or its time is over.

export interface Waiting {
  /** Each resolves when its source has ended. */
  endings: readonly Promise<unknown>[];
  /** Whether any source has results. */
  hasResults(): boolean;
  /** Whether there is enough for a good answer. */
  isEnough(): boolean;
  budgetMs: number;
}

/** For those that are about to answer when there is enough. */
const graceMs = 300;
/** Without a single result it is worth waiting longer than the budget, so many times as long. */
const mostBudgets = 4;

export function waitForSources(
  { endings, hasResults, isEnough, budgetMs }: Waiting,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    let open = endings.length;
    let isLate = false;
    let grace: NodeJS.Timeout | null = null;

    function finish(): void {
      clearTimeout(budget);
      clearTimeout(last);
      if (grace) clearTimeout(grace);
      signal.removeEventListener("abort", finish);
      resolve();
    }

    function look(): void {
      if (open === 0 || (isLate && hasResults())) finish();
      else if (!grace && isEnough()) grace = setTimeout(finish, graceMs);
    }

    const budget = setTimeout(() => {
      isLate = true;
      look();
    }, budgetMs);
    const last = setTimeout(finish, mostBudgets * budgetMs);
    signal.addEventListener("abort", finish, { once: true });
    for (const ending of endings) {
      void ending.then(() => {
        open -= 1;
        look();
      });
    }
    if (signal.aborted) finish();
    else look();
  });
}

/** The longest that one source may take; what comes after the search has ended is kept for the next one. */
export function longestMs(budgetMs: number): number {
  return mostBudgets * budgetMs;
}
