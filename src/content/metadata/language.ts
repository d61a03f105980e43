// The language of a text: by its script, and where languages share one, by their function words.
import languageWords from "./language-words.json" with { type: "json" };
import scriptRanges from "./script-ranges.json" with { type: "json" };

/** The length of the sample; a longer one does not change the result. */
export const languageSample = 4000;
/** Fewer words or letters are not enough. */
const fewWords = 12;
const fewLetters = 20;
/** Languages written without spaces need fewer characters. */
const fewSigns = 10;
/** At least this share of a text is function words of its language. */
const smallWordShare = 0.1;
/** The best language must be this much better than the next one. */
const lead = 1.2;

type Script = "latin" | "cyrillic" | "arabic" | "devanagari" | "han" | "kana" | string;

/** Ranges of letters, in order; a script of one language has that language's code. */
const scripts = scriptRanges.map((range): [first: number, last: number, script: Script] => {
  const [first = "", last = "", script = ""] = range.split(/[- ]/);
  return [Number.parseInt(first, 16), Number.parseInt(last, 16), script];
});
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
