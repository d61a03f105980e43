// Candidates in, trees out.
import { candidateFeatures } from "../../dist/extraction/ranking/features.js";
import { makeBins, trainTrees } from "../train-content/boosted-trees.mjs";
import { rightOf } from "./figures.mjs";

export const settings = {
  trees: 120,
  depth: 4,
  rate: 0.08,
  smoothing: 4,
  columnShare: 0.2,
  rowShare: 0.7,
  seed: 7,
};
/** Fewer pages show products and recipes than films and cars: a set counts about as much as another. */
const setWeights = { product: 3, recipe: 1.5, swde: 1.5 };

export function train(questions, own = settings) {
  const rows = questions.flatMap((question) => question.candidates.map((candidate) => ({ question, candidate })));
  const columns = candidateFeatures.map((_, column) =>
    Float32Array.from(rows, ({ candidate }) => candidate.features[column]),
  );
  const labels = Float32Array.from(rows, ({ candidate }) => rightOf(candidate));
  const weights = Float32Array.from(
    rows,
    ({ question: { set, candidates } }) => setWeights[set] / Math.sqrt(candidates.length),
  );
  const { base, trees } = trainTrees(makeBins(columns), labels, weights, own);
  return {
    features: [...candidateFeatures],
    base: rounded(base),
    trees: trees.map(({ features, cuts, values }) => {
      const questions = features.map((column, level) => `${column}:${exact(cuts[level])}`).join(" ");
      return `${questions} | ${[...values].map(rounded).join(" ")}`;
    }),
  };
}

/** The shortest number that is the same one with 32 bits. */
function exact(value) {
  for (let digits = 1; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

function rounded(value) {
  return Number(value.toPrecision(4));
}
