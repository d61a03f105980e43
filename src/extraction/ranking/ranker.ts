// The learned ranker: how likely a candidate is the value of its field. Its file names the features in the order of the columns; one
// whose names differ from the code's is refused, because its trees would ask their questions of other columns.
import { calibrated } from "../../content/index.ts";
import { candidateFeatures } from "./features.ts";
import stored from "./ranker.json" with { type: "json" };

/** @public for tools/train-extraction */
export interface StoredRanker {
  about: string;
  features: string[];
  /** The odds before any tree has spoken, as a logarithm. */
  base: number;
  /** [said, reached] by values of pages of sites that it had not seen, both rising; without any, what it says counts. */
  confidence?: number[][];
  /** Of each tree its questions as "column:cut", a bar, and what its leaves add to the odds. */
  trees: string[];
}

export interface Ranker {
  probability(row: Float32Array): number;
  /** How often values of such a probability are right. */
  confidence(probability: number): number;
}

interface Tree {
  columns: number[];
  cuts: number[];
  leaves: number[];
}

/** @public for tools/train-extraction */
export function readRanker({ features, base, trees, confidence = [] }: StoredRanker): Ranker {
  const strange = features.findIndex((name, place) => name !== candidateFeatures[place]);
  if (strange >= 0 || features.length !== candidateFeatures.length)
    throw new Error(`The ranker of candidates does not fit this code: feature ${Math.max(0, strange) + 1} differs`);
  const read = trees.map(readTree);
  const steps = confidence.map(([said = 0, reached = 0]) => [said, reached] as const);
  return {
    probability(row) {
      let odds = base;
      for (const { columns, cuts, leaves } of read) {
        let leaf = 0;
        for (let level = 0; level < columns.length; level += 1)
          leaf = leaf * 2 + ((row[columns[level] as number] as number) >= (cuts[level] as number) ? 1 : 0);
        odds += leaves[leaf] as number;
      }
      return 1 / (1 + Math.exp(-odds));
    },
    confidence: (probability) => calibrated(probability, steps),
  };
}

function readTree(text: string): Tree {
  const [questions = "", leaves = ""] = text.split(" | ");
  const pairs = questions === "" ? [] : questions.split(" ").map((question) => question.split(":").map(Number));
  return {
    columns: pairs.map(([column = 0]) => column),
    cuts: pairs.map(([, cut = 0]) => Math.fround(cut)),
    leaves: leaves.split(" ").map(Number),
  };
}

export const shippedRanker = readRanker(stored);
