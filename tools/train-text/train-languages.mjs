// Makes assets/languages.model, which tells the language of a text from parts of its words:
//   npm ci --prefix bench/rivals && npm ci --prefix tools/train-text && node tools/train-text/train-languages.mjs
// The weights are those of Nito-ELD (Apache-2.0), the best of the small detectors that were measured. Languages that it does not know
// are added from the texts beside this file; their weights are brought to its scale by languages that both know.
import { writeFileSync } from "node:fs";
import { partHash, wordParts } from "../../dist/detection/languages/word-parts.js";
import { declarationOf, emojiNamesOf } from "./corpus.mjs";

const added = ["mk", "sw"];
const fittedOn = ["sr", "bg", "ru", "sq", "ms", "it", "fi", "tr"];
/** What its tables leave out of each weight. */
const baseWeight = 53;
const declarationWeight = 8;
/** What they lose against neighbours whose tables come from far more text. */
const addedLead = 12;
const leastCount = 2;
const mostParts = 5000;

const folder = new URL("../../bench/rivals/node_modules/eld/src/", import.meta.url);
const { ngramsData } = await import(new URL("ngrams/small.js", folder).href);
const { dictionary } = await import(new URL("dictionary.js", folder).href);
const byteOf = new Map(dictionary.map((letter, byte) => [letter, byte]).filter(([letter]) => letter !== " "));
byteOf.set(" ", 0x20);

const languages = Object.values(ngramsData.languages);
/** By hash: weights by the language's place. */
const parts = new Map();
for (const [key, weights] of Object.entries(ngramsData.ngrams)) {
  const hash = partHash(Uint8Array.from([...key].map((letter) => byteOf.get(letter) ?? letter.charCodeAt(0))));
  parts.set(hash, new Map(Object.entries(weights).map(([place, weight]) => [Number(place), weight + baseWeight])));
}

const { slope, start } = fit();
for (const language of added) {
  const place = languages.push(language) - 1;
  const counts = countParts(language);
  const total = [...counts.values()].reduce((sum, one) => sum + one, 0);
  const most = [...counts].sort((one, other) => other[1] - one[1]).slice(0, mostParts);
  for (const [hash, count] of most) {
    if (count < leastCount) continue;
    const weight = Math.round(start + addedLead + slope * Math.log(count / total));
    if (weight < baseWeight) continue;
    if (!parts.has(hash)) parts.set(hash, new Map());
    parts.get(hash).set(place, Math.min(255, weight));
  }
}

const hashes = [...parts.keys()].sort((one, other) => one - other);
const counts = hashes.map((hash) => parts.get(hash).size);
const places = hashes.flatMap((hash) => [...parts.get(hash).keys()]);
const weights = hashes.flatMap((hash) => [...parts.get(hash).values()]);
const header = {
  version: 2,
  about: `Weights of parts of words in ${languages.length} languages: Nito-ELD 2.1.0, size S (Apache-2.0), and ${added.join(", ")}, learned from UDHR and CLDR`,
  training: { command: "node tools/train-text/train-languages.mjs", slope: round(slope), start: round(start) },
  figures: {},
  languages,
  parts: hashes.length,
  weights: weights.length,
};
const file = Buffer.concat([
  Buffer.from(`${JSON.stringify(header)}\n\n`),
  ...stepsOf(hashes),
  Buffer.from(counts),
  Buffer.from(places),
  Buffer.from(weights),
]);
writeFileSync(new URL("../../assets/languages.model", import.meta.url), file);
console.log(
  `${hashes.length} parts, ${weights.length} weights, ${file.length} bytes, weight = ${start} + ${slope} ln share`,
);

/** From each hash to the next, the lowest bytes of all first, which packs better than the hashes. */
function stepsOf(sorted) {
  const steps = sorted.map((hash, place) => hash - (sorted[place - 1] ?? 0));
  return [0, 8, 16, 24].map((shift) => Buffer.from(steps.map((step) => (step >>> shift) & 255)));
}

function countParts(language) {
  const counts = new Map();
  for (const [text, weight] of [
    [declarationOf(language), declarationWeight],
    [emojiNamesOf(language), 1],
  ])
    wordParts(text.normalize("NFC"), Number.POSITIVE_INFINITY, (hash) =>
      counts.set(hash, (counts.get(hash) ?? 0) + weight),
    );
  return counts;
}

/** A line through what it has for the parts of languages that both know, by how often they are in our texts. */
function fit() {
  const points = [];
  for (const language of fittedOn) {
    const place = languages.indexOf(language);
    const counts = countParts(language);
    const total = [...counts.values()].reduce((sum, one) => sum + one, 0);
    for (const [hash, count] of counts) {
      const weight = parts.get(hash)?.get(place);
      if (weight !== undefined && count >= 10) points.push([Math.log(count / total), weight]);
    }
  }
  const mean = (at) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const slope =
    points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) /
    points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return { slope, start: y - slope * x };
}

function round(value) {
  return Math.round(value * 1000) / 1000;
}
