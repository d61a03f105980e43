// Figures of extraction: token F1 of pages with a full text, 4-shingle F1 as AEB defines it, snippets found.

function bagOf(items) {
  const bag = new Map();
  for (const item of items) bag.set(item, (bag.get(item) ?? 0) + 1);
  return bag;
}

function common(first, second) {
  let sum = 0;
  for (const [item, count] of first) sum += Math.min(count, second.get(item) ?? 0);
  return sum;
}

export function tokenScore(words, truth) {
  if (truth.length === 0)
    return words.length === 0 ? { f1: 1, recall: 1, precision: 1 } : { f1: 0, recall: 0, precision: 0 };
  if (words.length === 0) return { f1: 0, recall: 0, precision: 0 };
  const shared = common(bagOf(words), bagOf(truth));
  const precision = shared / words.length;
  const recall = shared / truth.length;
  return { precision, recall, f1: shared === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}

function shinglesOf(words) {
  const shingles = [];
  for (let at = 0; at < Math.max(1, words.length - 3); at += 1)
    if (words.length > 0) shingles.push(words.slice(at, at + 4).join());
  return shingles;
}

function shingleScore(words, truth) {
  const found = shinglesOf(words);
  const wanted = shinglesOf(truth);
  const shared = common(bagOf(found), bagOf(wanted));
  return {
    precision: found.length === 0 ? null : shared / found.length,
    recall: wanted.length === 0 ? null : shared / wanted.length,
  };
}

function mean(values) {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** One line of figures by group of pages. `results`: {set, type, truth, with, without, words} a page. */
export function figuresOf(results) {
  const figures = {};
  const articles = results.filter(({ set }) => set === "aeb").map(({ words, truth }) => shingleScore(words, truth));
  if (articles.length > 0) {
    const precision = mean(articles.map((score) => score.precision).filter((value) => value !== null));
    const recall = mean(articles.map((score) => score.recall).filter((value) => value !== null));
    figures["AEB shingle F1"] = (2 * precision * recall) / (precision + recall);
  }
  const full = results.filter(({ set, truth }) => set !== "aeb" && truth !== null);
  const scores = full.map(({ words, truth, type }) => ({ type, ...tokenScore(words, truth) }));
  if (scores.length > 0) {
    figures["WCXB token F1"] = mean(scores.map(({ f1 }) => f1));
    figures["WCXB recall"] = mean(scores.map(({ recall }) => recall));
    for (const type of new Set(scores.map((score) => score.type).sort())) {
      figures[`WCXB ${type}`] = mean(scores.filter((score) => score.type === type).map(({ f1 }) => f1));
    }
  }
  const snippets = results.filter(({ truth }) => truth === null);
  if (snippets.length > 0) {
    figures["must-have present"] = shareOfRuns(snippets, "with");
    figures["must-not present"] = shareOfRuns(snippets, "without");
  }
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Math.round(value * 1e4) / 1e4]));
}

function shareOfRuns(results, kind) {
  let found = 0;
  let all = 0;
  for (const result of results) {
    const text = `,${result.words.join()},`;
    for (const run of result[kind]) {
      all += 1;
      if (text.includes(`,${run.join()},`)) found += 1;
    }
  }
  return all === 0 ? 0 : found / all;
}
