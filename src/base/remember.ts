/**
 * Memoizes a pure function: keeps at least its latest `size` results, and at most twice as many. Two maps
 * that take turns do so for one lookup; tracking the order of use would cost as much as most results.
 */
export function remember<Answer>(answer: (question: string) => Answer, size: number): (question: string) => Answer {
  let latest = new Map<string, Answer>();
  let older = new Map<string, Answer>();

  function keep(question: string, found: Answer): Answer {
    if (latest.size >= size) {
      older = latest;
      latest = new Map();
    }
    latest.set(question, found);
    return found;
  }

  return (question) => {
    const known = latest.get(question);
    if (known !== undefined) return known;
    const kept = older.get(question);
    return keep(question, kept === undefined ? answer(question) : kept);
  };
}
