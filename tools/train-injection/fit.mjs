// Logistic regression over named features, by steps against the slope that shrink where a feature is common (Adagrad). The order of the
// texts is fixed, so that the same texts give the same weights.
const rounds = 30;
const step = 0.3;
const decay = 2e-4;
/** Written texts are rare among those that are learned from. */
const weightOfRare = 4;

export function fit(rows) {
  const places = new Map();
  const coded = rows.map(({ features, size, label, kind }) => ({
    label,
    size: Math.sqrt(size),
    isRare: kind !== "page",
    places: features.map((name) => places.get(name) ?? (places.set(name, places.size), places.size - 1)),
  }));
  const weights = new Float64Array(places.size);
  const slopes = new Float64Array(places.size).fill(1e-6);
  const order = coded.map((_, place) => place);
  for (let round = 0; round < rounds; round += 1) {
    shuffle(order, round);
    for (const place of order) {
      const row = coded[place];
      const { size } = row;
      let sum = 0;
      for (const at of row.places) sum += weights[at];
      const off = row.label - 1 / (1 + Math.exp((-2 * sum) / size));
      for (const at of row.places) {
        const slope = (off * (row.isRare ? weightOfRare : 1)) / size - decay * weights[at];
        slopes[at] += slope * slope;
        weights[at] += (step * slope) / Math.sqrt(slopes[at]);
      }
    }
  }
  return new Map([...places].map(([name, at]) => [name, weights[at]]));
}

export function scoreOf({ features, size }, weights) {
  let sum = 0;
  for (const name of features) sum += weights.get(name) ?? 0;
  return (2 * sum) / Math.sqrt(size);
}

function shuffle(order, seed) {
  let state = seed * 2654435761 + 12345;
  for (let at = order.length - 1; at > 0; at -= 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = state % (at + 1);
    [order[at], order[other]] = [order[other], order[at]];
  }
}
