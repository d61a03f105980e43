// Words of names and of short texts -> how often their blocks were kept, counted by pages; and the words that tell
// the types of pages apart (multinomial logistic regression).
import { pageTypes } from "../../dist/content/main/feature-names.js";
import { namesOf, nameWords } from "../../dist/content/main/lexicon.js";

const shortText = 12;
const leastPages = { names: 3, texts: 4, types: 6 };
/** Pages with the average share that every word is taken to have been seen on before. */
const prior = 3;
export const lexiconScale = 32;

/** Shares of kept words by word, for one page. */
export function countWords({ page, labels }) {
  const names = new Map();
  const texts = new Map();
  const all = new Float64Array(page.blocks.length + 1);
  const kept = new Float64Array(page.blocks.length + 1);
  for (const [at, block] of page.blocks.entries()) {
    const count = block.wordEnd - block.wordFirst;
    all[at + 1] = all[at] + count;
    kept[at + 1] = kept[at] + (count > 0 ? labels[at] * count : 0);
    if (count === 0 || count > shortText) continue;
    for (const word of new Set(page.words.slice(block.wordFirst, block.wordEnd))) add(texts, word, labels[at], 1);
  }
  for (const { element, firstBlock, endBlock } of page.elements) {
    const count = endBlock > firstBlock ? all[endBlock] - all[firstBlock] : 0;
    if (count === 0) continue;
    const right = kept[endBlock] - kept[firstBlock];
    for (const word of nameWords(element.name, namesOf(element))) add(names, word, right, count);
  }
  return { names, texts };
}

function add(counts, word, right, count) {
  const entry = counts.get(word);
  if (entry === undefined) counts.set(word, [right, count]);
  else {
    entry[0] += right;
    entry[1] += count;
  }
}

/** Weights by word: logarithms of odds against those of the average word, in steps of 1/32. */
export function makeLexicon(counts, kind) {
  const sums = new Map();
  let right = 0;
  let seen = 0;
  for (const page of counts) {
    for (const [word, [kept, count]] of page[kind]) {
      add(sums, word, kept / count, 1);
      right += kept / count;
      seen += 1;
    }
  }
  const average = right / seen;
  const base = Math.log(average / (1 - average));
  const lexicon = new Map();
  for (const [word, [kept, pages]] of sums) {
    if (pages < leastPages[kind]) continue;
    const odds = Math.log((kept + prior * average) / (pages - kept + prior * (1 - average))) - base;
    const step = Math.max(-127, Math.min(127, Math.round(odds * lexiconScale)));
    if (step !== 0) lexicon.set(word, step / lexiconScale);
  }
  return lexicon;
}

const rounds = 150;
const decay = 0.02;
const pace = 0.05;

export function makeTypeModel(pages) {
  const counts = new Map();
  for (const { typeWords } of pages) for (const word of typeWords) counts.set(word, (counts.get(word) ?? 0) + 1);
  const places = new Map();
  for (const [word, count] of counts) {
    if (count >= leastPages.types && count < pages.length * 0.9) places.set(word, places.size);
  }
  const types = pageTypes.length;
  const rows = pages.map(({ typeWords, type }) => ({
    words: [...typeWords].map((word) => places.get(word)).filter((place) => place !== undefined),
    type: pageTypes.indexOf(type),
  }));
  const share = pageTypes.map((_, type) => rows.filter((row) => row.type === type).length / rows.length);
  const importance = share.map((part) => (part > 0 ? Math.sqrt(1 / types / part) : 0));
  const weights = new Float64Array(places.size * types);
  const bias = new Float64Array(types);
  const mean = new Float64Array(weights.length);
  const square = new Float64Array(weights.length);
  for (let round = 1; round <= rounds; round += 1) {
    const slope = new Float64Array(weights.length);
    const biasSlope = new Float64Array(types);
    for (const { words, type } of rows) {
      const scale = 1 / Math.sqrt(1 + words.length);
      const sums = Float64Array.from(bias);
      for (const word of words) for (let at = 0; at < types; at += 1) sums[at] += weights[word * types + at] * scale;
      const highest = Math.max(...sums);
      const powers = sums.map((sum) => Math.exp(sum - highest));
      const total = powers.reduce((sum, power) => sum + power, 0);
      for (let at = 0; at < types; at += 1) {
        const error = importance[type] * ((at === type ? 1 : 0) - powers[at] / total);
        biasSlope[at] += error;
        for (const word of words) slope[word * types + at] += error * scale;
      }
    }
    for (let at = 0; at < weights.length; at += 1) {
      const step = slope[at] - decay * weights[at];
      mean[at] = 0.9 * mean[at] + 0.1 * step;
      square[at] = 0.99 * square[at] + 0.01 * step * step;
      weights[at] += (pace * (mean[at] / (1 - 0.9 ** round))) / (Math.sqrt(square[at] / (1 - 0.99 ** round)) + 1e-6);
    }
    for (let at = 0; at < types; at += 1) bias[at] += 0.002 * biasSlope[at];
  }
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 1e-9);
  const scale = 127 / largest;
  const table = new Map();
  for (const [word, place] of places) {
    table.set(
      word,
      Array.from(weights.subarray(place * types, (place + 1) * types), (weight) => Math.round(weight * scale) / scale),
    );
  }
  return { bias: Array.from(bias, (value) => Math.round(value * 1e4) / 1e4), weights: table, scale };
}
