/**
 * A pure function that need not think twice: it keeps its latest `size` answers at least, and twice as many at most. Two maps
 * that take turns do so for the price of one look-up; keeping the order of use would cost as much as most answers.
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
