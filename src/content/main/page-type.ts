// What kind of page this is, from the words of its URL, of its head and of its elements' names.
import type { PageBlocks } from "./blocks.ts";
import { namesOf } from "./lexicon.ts";
import type { PageSigns } from "./page-signs.ts";
import { nameWordsOf } from "./word-hash.ts";

/** Weights of a word for each of `pageTypes`, in their order. */
export interface TypeModel {
  bias: readonly number[];
  weights: ReadonlyMap<number, readonly number[]>;
}

const fromName = 0x11ed270b;

/** Distinct words; those of names are kept apart from those of the URL and the head. */
export function typeWords(page: PageBlocks, signs: PageSigns): Set<number> {
  const seen = new Set<string>();
  const words = new Set<number>(signs.typeWords);
  for (const { element } of page.elements) {
    const names = namesOf(element);
    if (names === "" || seen.has(names)) continue;
    seen.add(names);
    for (const word of nameWordsOf(names)) words.add(word ^ fromName);
  }
  return words;
}

/** The probability of each type. */
export function typeProbabilities(model: TypeModel, words: ReadonlySet<number>): number[] {
  const sums = [...model.bias];
  let known = 0;
  for (const word of words) {
    const weights = model.weights.get(word);
    if (weights === undefined) continue;
    known += 1;
    for (let type = 0; type < sums.length; type += 1) sums[type] = (sums[type] as number) + (weights[type] as number);
  }
  // Pages have ten names or a thousand; the more, the less each of them tells.
  const scale = 1 / Math.sqrt(1 + known);
  const powers = sums.map((sum, type) =>
    Math.exp((model.bias[type] as number) + (sum - (model.bias[type] as number)) * scale),
  );
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
