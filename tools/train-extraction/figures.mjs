// The figures of the scorer, from candidates alone.
import { likeliest } from "../../dist/extraction/ranking/rate.js";

export function figuresOf(questions, likelihood, leastGold = 20) {
  const sums = new Map();
  for (const question of questions) {
    const taken = takenOf(question, likelihood);
    for (const name of rowsOf(question)) add(sums, name, question, taken);
  }
  const scores = [...sums].map(([name, { gold, given, p, r }]) => {
    const precision = given ? p / given : 0;
    const recall = gold ? r / gold : 0;
    return { name, gold, given, f: precision + recall ? (2 * precision * recall) / (precision + recall) : 0 };
  });
  const field = (name) => scores.find((one) => one.name === name)?.f ?? 0;
  const macro = (start, from = leastGold) => {
    const own = scores.filter(({ name, gold }) => name.startsWith(start) && gold >= from);
    return own.reduce((sum, { f }) => sum + f, 0) / (own.length || 1);
  };
  return {
    price: field("product as it is price"),
    sku: field("product as it is sku"),
    availability: field("product as it is availability"),
    product: macro("product as it is "),
    recipe: macro("recipe as it is "),
    swdeBare: macro("swde stripped "),
    productBare: macro("product stripped "),
    recipeBare: macro("recipe stripped "),
    productNone: macro("product none ", 5),
    recipeNone: macro("recipe none ", 5),
    scores,
  };
}

/** `confidence` of a likelihood; without it they are the same. */
export function takenOf({ candidates }, likelihood, confidence = (rating) => rating) {
  return likeliest(candidates, candidates.map(likelihood), confidence);
}

function rowsOf({ set, field, isStripped, markup }) {
  return [
    `${set} ${isStripped ? "stripped" : "as it is"} ${field}`,
    ...(markup === "none" && !isStripped ? [`${set} none ${field}`] : []),
  ];
}

function add(sums, name, { gold }, taken) {
  if (!sums.has(name)) sums.set(name, { gold: 0, given: 0, p: 0, r: 0 });
  const sum = sums.get(name);
  sum.gold += Number(gold !== null);
  sum.given += Number(taken !== null);
  sum.p += taken?.p ?? 0;
  sum.r += taken?.r ?? 0;
}

/** How often values were right that were given with about this confidence. */
export function reliabilityOf(questions, likelihood, confidenceOf = () => undefined) {
  const bins = Array.from({ length: 10 }, () => ({ count: 0, said: 0, right: 0 }));
  for (const question of questions) {
    const taken = takenOf(question, likelihood, confidenceOf(question));
    if (!taken) continue;
    const said = taken.confidence;
    const bin = bins[Math.min(9, Math.floor(said * 10))];
    bin.count += 1;
    bin.said += said;
    bin.right += rightOf(taken);
  }
  return bins.map(({ count, said, right }, place) => ({
    from: place / 10,
    count,
    said: count ? said / count : 0,
    right: count ? right / count : 0,
  }));
}

/** Of a list, how much of it. */
export function rightOf({ p, r }) {
  return p + r > 0 ? (2 * p * r) / (p + r) : 0;
}
