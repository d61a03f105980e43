// Which language a text is written in: by its script, and where languages share one, by their small words.
import languageWords from "./language-words.json" with { type: "json" };

/** The sample that is looked at; more changes no answer. */
export const languageSample = 4000;
/** Fewer words or letters say nothing. */
const fewWords = 12;
const fewLetters = 20;
/** Of a language that is written without spaces, fewer characters make a text. */
const fewSigns = 10;
/** A text is full of its small words. */
const smallWordShare = 0.1;
/** The best language must be so much better than the next one. */
const lead = 1.2;

type Script = "latin" | "cyrillic" | "arabic" | "devanagari" | "han" | "kana" | string;

/** Ranges of letters, in order; a script of one language has that language's code. */
const scripts: [first: number, last: number, script: Script][] = [
  [0x41, 0x24f, "latin"],
  [0x370, 0x3ff, "el"],
  [0x400, 0x52f, "cyrillic"],
  [0x530, 0x58f, "hy"],
  [0x590, 0x5ff, "he"],
  [0x600, 0x6ff, "arabic"],
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
/**
 * The small words that texts of a language are full of, in lower case, for scripts of several languages. Neighbors (Danish and
 * Norwegian, Czech and Slovak) have long lists: the words that only one of them has tell them apart.
 */
const shared: Record<string, Record<string, string>> = languageWords;
/** Japanese has at least so much kana among its characters. */
const kanaShare = 0.1;

/** A code of ISO 639-1, or null when the text is too short or like no language that is known here. */
export function detectLanguage(text: string): string | null {
  const sample = text.slice(0, languageSample).toLowerCase();
  const counts = countScripts(sample);
  const han = counts.get("han") ?? 0;
  const kana = counts.get("kana") ?? 0;
  counts.delete("kana");
  counts.set("han", han + kana);
  const [script, letters] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), ["", 0]);
  if (script === "han") return letters < fewSigns ? null : kana > (han + kana) * kanaShare ? "ja" : "zh";
  const words = shared[script];
  if (words) return letters < fewLetters ? null : byWords(sample, script, words);
  return letters < fewSigns ? null : script;
}

function countScripts(sample: string): Map<Script, number> {
  const counts = new Map<Script, number>();
  for (let at = 0; at < sample.length; at += 1) {
    const code = sample.charCodeAt(at);
    const script = code < 0x41 ? undefined : scripts.find(([, last]) => code <= last);
    if (script === undefined || code < script[0] || (code > 0x7a && code < 0xc0)) continue;
    counts.set(script[2], (counts.get(script[2]) ?? 0) + 1);
  }
  return counts;
}

const tables = new Map<Script, Map<string, number[]>>();

/** The languages (by their place) that each small word belongs to. */
function tableOf(script: Script, languages: Record<string, string>): Map<string, number[]> {
  const known = tables.get(script);
  if (known) return known;
  const table = new Map<string, number[]>();
  for (const [place, words] of Object.values(languages).entries()) {
    for (const word of new Set(words.split(" "))) table.set(word, [...(table.get(word) ?? []), place]);
  }
  tables.set(script, table);
  return table;
}

function byWords(sample: string, script: Script, languages: Record<string, string>): string | null {
  const table = tableOf(script, languages);
  const names = Object.keys(languages);
  const hits = new Float64Array(names.length);
  const words = sample.normalize("NFC").match(/[\p{L}\p{M}]+/gu) ?? [];
  if (words.length < fewWords) return null;
  for (const word of words) for (const place of table.get(word) ?? []) hits[place] = (hits[place] as number) + 1;
  const order = names.map((_, place) => place).sort((a, b) => (hits[b] as number) - (hits[a] as number));
  const [first = 0, second = 0] = order;
  const best = hits[first] as number;
  return best < words.length * smallWordShare || best < (hits[second] as number) * lead
    ? null
    : (names[first] as string);
}
