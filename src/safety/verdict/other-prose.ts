// How much a page says about anything but a refused visit. Block pages of all known vendors say less than fifty such words;
// articles say little else, whatever scripts of vendors are on their page.
import { phrases } from "./phrases.ts";

/** Shorter runs are labels and names. */
const fewestWords = 6;
/** One mention of access makes so many words around it part of the same talk. */
const wordsAround = 12;
const aboutAccess = new RegExp(phrases.aboutAccess, "g");
const sentenceEnd = /[.!?…•|] +|[。！？]|: /;
const wordPattern = /[\p{L}\p{N}]+/gu;
/** Scripts that leave no space between words: two letters count as one word. */
const joined = /[\u0e00-\u0eff\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff]/;

/** Words of sentences that do not speak of access, browsers, robots and the like. `text`: lower case, single spaces. */
export function otherProse(text: string): number {
  let sum = 0;
  for (const sentence of text.split(sentenceEnd)) {
    const count = countWords(sentence);
    if (count < fewestWords) continue;
    const mentions = sentence.match(aboutAccess)?.length ?? 0;
    sum += Math.max(0, count - mentions * wordsAround);
  }
  return sum;
}

function countWords(sentence: string): number {
  let count = 0;
  for (const [word] of sentence.matchAll(wordPattern)) count += joined.test(word) ? Math.ceil(word.length / 2) : 1;
  return count;
}
