/**
 * Memoizes a pure function: keeps at least its latest `size` results, and at most twice as many. Two maps
 * that take turns do so for one lookup; tracking the order of use would cost as much as most results.
 */
export function remember<Answer>(answer: (question: string) => Answer, size: number): (question: string) => Answer {
  return createMemory(size)(answer);
}

type Memoize = <Answer>(answer: (question: string) => Answer) => (question: string) => Answer;

/** The same for functions that come and go and share the room: however many there are, no more is kept. */
export function createMemory(size: number): Memoize {
  let latest = new Map<object, Map<string, unknown>>();
  let older = new Map<object, Map<string, unknown>>();
  let count = 0;

  function keep(owner: object, question: string, found: unknown): void {
    if (count >= size) {
      older = latest;
      latest = new Map();
      count = 0;
    }
    const own = latest.get(owner);
    if (own) own.set(question, found);
    else latest.set(owner, new Map([[question, found]]));
    count += 1;
  }

  return <Answer>(answer: (question: string) => Answer) => {
    const owner = {};
    return (question) => {
      const known = latest.get(owner)?.get(question) as Answer | undefined;
      if (known !== undefined) return known;
      const kept = older.get(owner)?.get(question) as Answer | undefined;
      const found = kept === undefined ? answer(question) : kept;
      keep(owner, question, found);
      return found;
    };
  };
}
