// Whether a value stands on the pages it is said to come from: words in their order, numbers and dates in any spelling.
import type { JsonObject, Path } from "./model.ts";
import { mergeAll, resolve, typesOf } from "./strict-schema.ts";
import { replaceAt, schemaAt, showPath } from "./value-path.ts";

export interface Support {
  supports(value: string | number): boolean;
}

/** Longer texts may be put together from several places: most of their groups of three words must be there. */
const longText = 8;
const neededShare = 0.85;
const languages = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "sv"];
const wideScript = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

export function createSupport(texts: readonly string[]): Support {
  const words = texts.flatMap(wordsOf);
  const line = ` ${words.join(" ")} `;
  const solid = words.join("");
  const digits = texts.join(" ").replace(/[^\d]+/g, "");
  const numbers = new Set(texts.flatMap(numbersOf));
  let groups: Set<string> | null = null;

  function hasWords(text: string): boolean {
    const wanted = wordsOf(text);
    if (wanted.length === 0) return true;
    if (line.includes(` ${wanted.join(" ")} `)) return true;
    // Such scripts set no spaces that words could be told by.
    if (wideScript.test(text) && solid.includes(wanted.join(""))) return true;
    if (wanted.length < longText) return false;
    groups ??= new Set(groupsOf(words));
    const asked = groupsOf(wanted);
    return asked.filter((group) => groups?.has(group)).length >= neededShare * asked.length;
  }

  return {
    supports(value) {
      if (typeof value === "number") return numbers.has(Math.abs(value));
      if (hasWords(value)) return true;
      const date = /^(\d{4})-(\d\d)(?:-(\d\d))?(?:T[\d:.]*(?:Z|[+-]\d\d:?\d\d)?)?$/.exec(value.trim());
      if (date) return spellingsOf(Number(date[1]), Number(date[2]), Number(date[3] ?? 0)).some(hasWords);
      const own = value.replace(/[^\d]+/g, "");
      // Telephone numbers, codes.
      if (own.length >= 7 && !/\p{L}/u.test(value)) return digits.includes(own);
      const [number, ...more] = numbersOf(value);
      return number !== undefined && more.length === 0 && !/\p{L}/u.test(value) && numbers.has(number);
    },
  };
}

/**
 * Leaves out what stands nowhere on the pages. A schema allows inference for a field, and what is below it, by `x-infer`;
 * yes or no and one of the choices that the schema lists are judgements, which no page need spell out.
 */
export function dropUnsupported(
  given: unknown,
  schema: JsonObject,
  support: Support,
): { value: unknown; unsupported: string[] } {
  const paths: Path[] = [];
  const visit = (value: unknown, path: Path): void => {
    if (mayInfer(schema, path)) return;
    if (Array.isArray(value))
      value.forEach((item, place) => {
        visit(item, [...path, place]);
      });
    else if (typeof value === "object" && value !== null) {
      for (const [name, below] of Object.entries(value)) visit(below, [...path, name]);
    } else if ((typeof value === "string" || typeof value === "number") && !support.supports(value)) paths.push(path);
  };
  visit(given, []);
  const value = paths.toReversed().reduce((left, path) => replaceAt(left, path, undefined), given);
  return { value, unsupported: paths.map(showPath) };
}

function mayInfer(root: JsonObject, path: Path): boolean {
  const schema = mergeAll(resolve(schemaAt(root, path), root), root);
  const types = typesOf(schema).filter((type) => type !== "null");
  const isChoice =
    schema.enum !== undefined || schema.const !== undefined || (types.length === 1 && types[0] === "boolean");
  return schema["x-infer"] === true || isChoice;
}

function wordsOf(text: string): string[] {
  const folded = text
    .normalize("NFKD")
    .replace(/[\p{M}\u200b-\u200f\u00ad]+/gu, "")
    .toLowerCase();
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function groupsOf(words: readonly string[]): string[] {
  return Array.from({ length: Math.max(0, words.length - 2) }, (_, at) => words.slice(at, at + 3).join(" "));
}

const factors: Readonly<Record<string, number>> = {
  "%": 0.01,
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mio: 1e6,
  million: 1e6,
  millions: 1e6,
  bn: 1e9,
  billion: 1e9,
  billions: 1e9,
  trillion: 1e12,
};

/** Every number that the text may mean: 1.299 is one thing in English and another in German. */
function numbersOf(text: string): number[] {
  const found = text.matchAll(
    /\d{1,30}(?:[.,'’\u00a0\u202f ]\d{1,30}){0,8}(?:\s?(%|k|m|mio|bn|thousand|millions?|billions?|trillion)(?![\p{L}\p{N}]))?/giu,
  );
  return [...found].flatMap(([match, factor]) => {
    const readings = readingsOf(match.replace(/[^\d.,'’\u00a0\u202f ]/gu, "").trim());
    const times = factor === undefined ? undefined : factors[factor.toLowerCase()];
    return times === undefined ? readings : [...readings, ...readings.map((each) => tidy(each * times))];
  });
}

function readingsOf(text: string): number[] {
  const parts = text.split(/[.,'’\u00a0\u202f ]/u);
  const plain = parts.join("");
  // A space may as well stand between two numbers.
  const readings = [Number(plain), ...parts.map(Number)];
  const last = parts.at(-1) ?? "";
  if (parts.length > 1 && /[.,]\d+$/.test(text)) readings.push(Number(`${parts.slice(0, -1).join("")}.${last}`));
  for (let at = 1; at < parts.length; at += 1) readings.push(Number(`${parts[at - 1]}.${parts[at]}`));
  return readings.filter(Number.isFinite);
}

/** 3.3 million is 3300000, not 3299999.9999999995. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

const monthNames = new Map<string, string>();

/** How pages write a day, or a month when `day` is 0. */
function spellingsOf(year: number, month: number, day: number): string[] {
  if (month < 1 || month > 12) return [];
  const names = languages.flatMap((language) => [
    monthName(language, month, "long"),
    monthName(language, month, "short"),
  ]);
  if (day === 0) return names.map((name) => `${name} ${year}`);
  const [d, m] = [String(day), String(month)];
  const pairs = [d, d.padStart(2, "0")].flatMap((one) => [m, m.padStart(2, "0")].map((other) => [one, other] as const));
  const ordinals = [d, d.padStart(2, "0"), `${d}st`, `${d}nd`, `${d}rd`, `${d}th`];
  return [
    ...pairs.flatMap(([one, other]) => [
      `${one} ${other} ${year}`,
      `${other} ${one} ${year}`,
      `${year} ${other} ${one}`,
    ]),
    `${year}年${m}月${d}日`,
    ...names.flatMap((name) =>
      ordinals.flatMap((one) => [`${one} ${name} ${year}`, `${one} de ${name} de ${year}`, `${name} ${one} ${year}`]),
    ),
  ];
}

function monthName(language: string, month: number, length: "long" | "short"): string {
  const key = `${language} ${month} ${length}`;
  const known = monthNames.get(key);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat(language, { day: "numeric", month: length, timeZone: "UTC" });
  const part = format.formatToParts(Date.UTC(2020, month - 1, 10)).find(({ type }) => type === "month");
  const name = part?.value ?? "";
  monthNames.set(key, name);
  return name;
}
