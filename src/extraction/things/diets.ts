// What a dish suits: by words, by the diets of its data, or by marks such as "(V)" whose legend is on the page.
import type { Document } from "../../contract/index.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import words from "./menu-words.json" with { type: "json" };

export type Diet = NonNullable<Document["menu"]>["sections"][number]["items"][number]["dietary"][number];

const names = Object.keys(words.diets) as Diet[];
const patterns = names.map(
  (diet) => [diet, new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.diets[diet]})(?![\\p{L}\\p{N}])`, "giu")] as const,
);
const anyWord = new RegExp(Object.values(words.diets).join("|"), "iu");
const notSo = new RegExp(words.notSo, "iu");
const onRequest = new RegExp(words.onRequest, "iu");

/** "not vegan" and "vegan option" say nothing of the dish itself. */
export function dietsIn(text: string): Diet[] {
  if (!anyWord.test(text)) return [];
  return patterns.flatMap(([diet, pattern]) => {
    const isSaid = [...text.matchAll(pattern)].some(({ 0: word, index }) => {
      const isOther = notSo.test(text.slice(Math.max(0, index - 20), index));
      return !isOther && !onRequest.test(text.slice(index + word.length, index + word.length + 30));
    });
    return isSaid ? [diet] : [];
  });
}

/** What its marks mean, in the order of the legend. */
export type Marks = ReadonlyMap<string, Diet>;

const longestLegend = 400;
const mark = String.raw`(\p{Lu}{1,3}|\p{Lu}\p{Ll}|[^\p{L}\p{N}\s.,;:()[\]=|/\\&+'"–-]{1,3})`;
const anyDiet = `(${names.map((diet) => words.diets[diet]).join("|")})(?![\\p{L}\\p{N}])`;
const legendForms = [
  new RegExp(String.raw`(?<![\p{L}\p{N}])[([]?${mark}[)\]]?\s*[=:–-]\s*${anyDiet}`, "giu"),
  new RegExp(String.raw`[([]${mark}[)\]]\s*${anyDiet}`, "giu"),
  new RegExp(String.raw`^${mark}\s+${anyDiet}$`, "giu"),
];

export function readLegend(page: ParsedPage): Marks {
  const marks = new Map<string, Diet>();
  const { pieces } = page.text;
  for (let from = 0, to = 1; from < pieces.length; from = to, to = from + 1) {
    while (pieces[to]?.line === pieces[from]?.line && to < pieces.length) to += 1;
    const line = page.text.between(from, to, longestLegend);
    if (line.length >= longestLegend || dietsIn(line).length === 0) continue;
    for (const form of legendForms) {
      for (const [, sign = "", word = ""] of line.matchAll(form)) {
        const [diet] = dietsIn(word);
        const isSign = sign === sign.toUpperCase() || /^\p{Lu}\p{Ll}$/u.test(sign);
        if (diet && isSign && !marks.has(sign)) marks.set(sign, diet);
      }
    }
  }
  return marks;
}

/** A text without the marks in brackets or at its end, and what they mean. */
export function takeMarks(text: string, marks: Marks): { text: string; diets: Diet[] } {
  if (marks.size === 0) return { text, diets: [] };
  const diets: Diet[] = [];
  const take = (written: string): boolean => {
    const meant = written.split(/[\s,;/+&|]+/).filter((one) => one !== "");
    if (meant.length === 0 || !meant.every((one) => marks.has(one))) return false;
    diets.push(...meant.map((one) => marks.get(one) as Diet));
    return true;
  };
  let rest = text.replace(/[([]([^()[\]]{1,30})[)\]]/g, (whole, inner: string) => (take(inner) ? " " : whole));
  rest = rest.replace(/\s+/g, " ").trim();
  for (let tries = 0; tries < 8; tries += 1) {
    const last = /(?:^|[\s,])([^\s,]{1,6})$/u.exec(rest);
    if (!last || !take(last[1] ?? "")) break;
    rest = rest.slice(0, last.index).replace(/[\s,]+$/, "");
  }
  return { text: rest, diets };
}
