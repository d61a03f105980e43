// How much a text looks like one of the languages that older encodings were made for: by pairs of letters that follow each other.
import learned from "./letter-pairs.json" with { type: "json" };

export interface LanguageFit {
  language: string;
  /** 1 is what texts of the language have; below 0 it is no text. */
  fit: number;
}

const languages = Object.keys(learned);
const typical = Object.values(learned).map((one) => one.typical);
const unknownPair = -2;
const oddSign = -6;
const control = -20;
/** A capital in the middle of a word of small letters. */
const capitalInside = -5;

/** Weights of a pair, by language; made with the first text that is looked at. */
let pairs: Map<string, Int8Array> | null = null;

function pairTable(): Map<string, Int8Array> {
  if (pairs) return pairs;
  pairs = new Map();
  for (const [place, { pairs: groups }] of Object.values(learned).entries()) {
    for (const [at, group] of groups.entries()) {
      for (let start = 0; start < group.length; start += 2) {
        const pair = group.slice(start, start + 2);
        const weights = pairs.get(pair) ?? new Int8Array(languages.length).fill(unknownPair);
        weights[place] = at + 1;
        pairs.set(pair, weights);
      }
    }
  }
  return pairs;
}

/** The language that the letters beyond ASCII fit best; null for a text without any. `hints`: languages that are expected. */
export function fitOfText(text: string, hints: ReadonlySet<string>): LanguageFit | null {
  const table = pairTable();
  const sums = new Float64Array(languages.length);
  let count = 0;
  let faults = 0;
  const lower = text.toLowerCase();
  // A capital that is two letters in small moves all that follow; such a text is read without its case.
  const source = lower.length === text.length ? text : lower;
  for (let at = 0; at < lower.length; at += 1) {
    const code = lower.charCodeAt(at);
    const isPlain = code < 0x80;
    if (!isPlain) faults += faultOf(source, at, code);
    const next = at + 1 < lower.length ? lower.charCodeAt(at + 1) : 32;
    if (isPlain && next < 0x80) continue;
    const pair = letterAt(lower, at) + letterAt(lower, at + 1);
    if (pair === "  ") continue;
    count += 1;
    const weights = table.get(pair);
    for (let place = 0; place < sums.length; place += 1) {
      sums[place] = (sums[place] as number) + (weights === undefined ? unknownPair : (weights[place] as number));
    }
  }
  if (count === 0) return faults < 0 ? { language: "", fit: faults } : null;
  let best: LanguageFit = { language: "", fit: Number.NEGATIVE_INFINITY };
  for (const [place, language] of languages.entries()) {
    const fit =
      ((sums[place] as number) + faults) / count / (typical[place] as number) + (hints.has(language) ? 0.15 : 0);
    if (fit > best.fit) best = { language, fit };
  }
  return best;
}

const letters = /[\p{L}\p{M}]/u;
const usualSigns = /[\u00a0«»“”„‘’‚‹›–—…·•©®™°§€£№\u00ad\u200b-\u200f¿¡ºª\u0e3f\u0e4f-\u0e5b]/;
const neverAfterLetters = /[€£«“„‘‚‹¿¡]/;

function letterAt(text: string, at: number): string {
  const letter = text[at];
  return letter !== undefined && letters.test(letter) ? letter : " ";
}

function faultOf(text: string, at: number, code: number): number {
  if (code === 0xfffd || (code >= 0xe000 && code <= 0xf8ff)) return control;
  if (code < 0xa0) return control;
  const letter = text[at] as string;
  const before = text[at - 1];
  if (!letters.test(letter)) {
    const isMisplaced = neverAfterLetters.test(letter) && before !== undefined && letters.test(before);
    return usualSigns.test(letter) && !isMisplaced ? 0 : oddSign;
  }
  if (before === undefined || before.toUpperCase() === before || !letters.test(before)) return 0;
  return letter !== letter.toLowerCase() ? capitalInside : 0;
}
