// Which language a text is written in: by its script, and where languages share one, by the parts of its words.
import { type LanguageTable, placeOfPart } from "./language-table.ts";
import { wordParts } from "./word-parts.ts";

export interface DetectedLanguage {
  /** A code of ISO 639-1. */
  language: string;
  /** How often such an answer is right, 0 to 1. */
  confidence: number;
}

/** Characters of a text that are looked at; more changes no answer. */
export const languageSample = 1200;
const maxBytes = 350;
/** Fewer letters say nothing. */
const fewLetters = 4;
/** Japanese has at least so much kana among its characters. */
const kanaShare = 0.06;

/** Ranges of letters, in order; a script of one language has that language's code. */
const scripts: [first: number, last: number, script: string][] = [
  [0x41, 0x24f, "latin"],
  [0x370, 0x3ff, "el"],
  [0x400, 0x52f, "cyrillic"],
  [0x530, 0x58f, "hy"],
  [0x590, 0x5ff, "he"],
  [0x600, 0x77f, "arabic"],
  [0x900, 0x97f, "devanagari"],
  [0x980, 0x9ff, "bn"],
  [0xa00, 0xa7f, "pa"],
  [0xa80, 0xaff, "gu"],
  [0xb00, 0xb7f, "or"],
  [0xb80, 0xbff, "ta"],
  [0xc00, 0xc7f, "te"],
  [0xc80, 0xcff, "kn"],
  [0xd00, 0xd7f, "ml"],
  [0xd80, 0xdff, "si"],
  [0xe00, 0xe7f, "th"],
  [0xe80, 0xeff, "lo"],
  [0x1000, 0x109f, "my"],
  [0x10a0, 0x10ff, "ka"],
  [0x1200, 0x137f, "am"],
  [0x1780, 0x17ff, "km"],
  [0x1e00, 0x1eff, "latin"],
  [0x3040, 0x30ff, "kana"],
  [0x3400, 0x4dbf, "han"],
  [0x4e00, 0x9fff, "han"],
  [0xac00, 0xd7af, "ko"],
];
const sharedScripts: Record<string, ReadonlySet<string>> = {
  latin: new Set(
    "az ca cs da de en es et eu fi fr hr hu is it lt lv ms nl no pl pt ro sk sl sq sv sw tl tr vi yo".split(" "),
  ),
  cyrillic: new Set("be bg mk ru sr uk".split(" ")),
  arabic: new Set("ar fa ku ur".split(" ")),
  devanagari: new Set(["hi", "mr"]),
};

/** Null for a text without letters. `hint`: a language that the page names, which a text that could be several things is taken for. */
export function detectLanguage(
  text: string,
  model: LanguageTable,
  hint: string | null = null,
): DetectedLanguage | null {
  const sample = text.slice(0, languageSample);
  const counts = countScripts(sample);
  const han = counts.get("han") ?? 0;
  const kana = counts.get("kana") ?? 0;
  counts.delete("kana");
  counts.set("han", han + kana);
  const [script, letters] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), ["", 0]);
  if (letters === 0 || !isProse(sample)) return null;
  if (script === "han") {
    const language = kana > (han / lettersInSyllable + kana) * kanaShare ? "ja" : "zh";
    // A few ideographs may be either.
    return { language, confidence: language === "ja" || letters > 40 ? 0.99 : letters > 6 ? 0.85 : 0.6 };
  }
  const known = sharedScripts[script];
  if (known === undefined) return { language: script, confidence: letters < 2 ? 0.6 : 0.98 };
  return letters < fewLetters ? null : byParts(sample, known, model, hint);
}

/** Programs are made of words, but of no language. */
function isProse(sample: string): boolean {
  const signs = sample.match(/[=(){}[\];<>+*|]/g)?.length ?? 0;
  return signs < sample.length * 0.1;
}

function countScripts(sample: string): Map<string, number> {
  const counts = new Map<string, number>();
  let latin = 0;
  // Of most pages; a regular expression is many times as fast as the loop.
  if (isAscii.test(sample)) {
    // Beyond a few, their number says nothing.
    const letters = isWritten.test(sample) ? fewLetters : (sample.match(/[a-z]/gi)?.length ?? 0);
    if (letters > 0) counts.set("latin", letters);
    return counts;
  }
  for (let at = 0; at < sample.length; at += 1) {
    const code = sample.charCodeAt(at);
    if (code < 0xc0) {
      const lower = code | 0x20;
      if (lower < 0x61 || lower > 0x7a) continue;
      // Of scripts with the same count, the first in the text wins.
      if (latin === 0 && !counts.has("latin")) counts.set("latin", 0);
      latin += 1;
      continue;
    }
    const script = scripts.find(([, last]) => code <= last);
    if (script === undefined || code < script[0]) continue;
    counts.set(script[2], (counts.get(script[2]) ?? 0) + (isSyllable(code) ? lettersInSyllable : 1));
  }
  if (latin > 0) counts.set("latin", (counts.get("latin") ?? 0) + latin);
  return counts;
}

const isWritten = new RegExp(`(?:[a-z][^a-z]*){${fewLetters}}`, "i");

/** Hangul and ideographs, each as much as letters of an alphabet: foreign names in such a text are longer than they count. */
const lettersInSyllable = 2;

function isSyllable(code: number): boolean {
  return (code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7af);
}

/** Letters that alphabets of the same script have and this one has not: signs of another language, unless a name has them. */
const strangeLetters: Readonly<Record<string, RegExp>> = {
  be: /[ищъїєґјљњћђџ]/g,
  bg: /[ыэёіїєґўјљњћђџ]/g,
  mk: /[йщъыьэёюяіїєґўћђ]/g,
  ru: /[іїєґўјљњћђџ]/g,
  sr: /[йщъыьэёюяіїєґўѓќѕ]/g,
  uk: /[ыэёъўјљњћђџ]/g,
};
/** Letters of Kazakh, Kyrgyz, Tajik, Tatar, Mongolian, Pashto, Uyghur …: the model knows none of them. */
const lettersOfOthers = /[қғңүұһөәҷҳӣӯҡҙҫӑӗټډړږښڼۍېۇۋ]/g;
const isAscii = /^[\0-\x7f]*$/;
const strangeWeight = 60;
const mostStrange = 3;

/** How many letters of the text are strange to the language. */
function strangersIn(sample: string, language: string): number {
  const pattern = strangeLetters[language];
  return pattern === undefined ? 0 : Math.min(mostStrange, new Set(sample.match(pattern)).size);
}

/** So much better than the others is a language for the same parts when the page names it. */
const hintWeight = 60;

function byParts(
  sample: string,
  known: ReadonlySet<string>,
  model: LanguageTable,
  hint: string | null,
): DetectedLanguage | null {
  const sums = new Float64Array(model.languages.length);
  const seen = new Set<number>();
  let found = 0;
  wordParts(sample, maxBytes, (hash) => {
    if (seen.has(hash)) return;
    seen.add(hash);
    const part = placeOfPart(model, hash);
    if (part < 0) return;
    found += 1;
    const end = model.starts[part + 1] as number;
    for (let at = model.starts[part] as number; at < end; at += 1) {
      const place = model.places[at] as number;
      sums[place] = (sums[place] as number) + (model.weights[at] as number);
    }
  });
  const lower = sample.toLowerCase();
  if (!isAscii.test(lower) && new Set(lower.match(lettersOfOthers)).size > 1) return null;
  let [first, second] = [-1, 0];
  let best = 0;
  for (const [place, language] of model.languages.entries()) {
    if (!known.has(language)) continue;
    const named = language === hint ? hintWeight : 0;
    const sum = (sums[place] as number) + named - strangersIn(lower, language) * strangeWeight;
    if (sum > best) [second, best, first] = [best, sum, place];
    else if (sum > second) second = sum;
  }
  if (first < 0) return null;
  const language = model.languages[first] as string;
  const confidence = confidenceOf((best - second) / Math.sqrt(seen.size), found / seen.size, best / seen.size);
  return { language: language === "ms" ? malayOrIndonesian(sample) : language, confidence };
}
/** Words that Malay has and Indonesian has not, which are one language to the model. */
const malayWords = /\b(?:ialah|daripada|kerana|bahawa|hendaklah|polis)\b/gi;

function malayOrIndonesian(sample: string): string {
  const words = new Set(sample.toLowerCase().match(malayWords));
  return words.size >= 2 ? "ms" : "id";
}

/** Fitted on sentences and pairs of words of 51 languages; what one fifth of them said held for the others. */
function confidenceOf(lead: number, knownShare: number, height: number): number {
  const sum = -4.24 + 1.32 * Math.log(lead + 1) + 0.27 * knownShare + 0.25 * Math.min(5, Math.log(height + 1));
  return 1 / (1 + Math.exp(-sum));
}
