// Learns which two letters follow each other in the languages of older encodings, for src/detection/encodings:
//   npm ci --prefix tools/train-text && node tools/train-text/train-letter-pairs.mjs
// Only pairs with a letter beyond ASCII are kept: the others read the same in every encoding.
import { writeFileSync } from "node:fs";
import { declarationOf, emojiNamesOf } from "./corpus.mjs";

const learned =
  "ar az be bg ca cs da de el en es et fa fi fr ga he hr hu is it lt lv mk nl no pl pt ro ru sk sl sq sr sv th tr uk ur".split(
    " ",
  );
/** A running text says more than names without articles and endings. */
const declarationWeight = 8;
const steps = 9;
const leastCount = 3;

const result = {};
for (const language of learned) {
  const counts = new Map();
  count(counts, declarationOf(language), declarationWeight);
  count(counts, emojiNamesOf(language), 1);
  const total = [...counts.values()].reduce((sum, one) => sum + one, 0);
  const weights = new Map();
  for (const [pair, times] of counts) {
    const weight = Math.min(steps, Math.round(Math.log2(times / total) + 12));
    if (times >= leastCount && weight >= 1) weights.set(pair, weight);
  }
  let typical = 0;
  for (const [pair, times] of counts) typical += ((weights.get(pair) ?? -2) * times) / total;
  const groups = Array.from({ length: steps }, (_, at) =>
    [...weights].filter(([, weight]) => weight === at + 1).map(([pair]) => pair).sort().join(""),
  ); // biome-ignore format: one value
  result[language] = { typical: Math.round(typical * 100) / 100, pairs: groups };
}
writeFileSync(
  new URL("../../src/detection/encodings/letter-pairs.json", import.meta.url),
  `${JSON.stringify(result, null, 1)}\n`,
);

function count(counts, text, weight) {
  const letters = [...text.normalize("NFC").toLowerCase()];
  for (let at = 0; at + 1 < letters.length; at += 1) {
    const pair = letters
      .slice(at, at + 2)
      .map(letterOf)
      .join("");
    if (pair.length === 2 && Buffer.byteLength(pair) > 2) counts.set(pair, (counts.get(pair) ?? 0) + weight);
  }
}

function letterOf(letter) {
  return /[\p{L}\p{M}]/u.test(letter) ? letter : " ";
}
