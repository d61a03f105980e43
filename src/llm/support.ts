// Looks a value up on the pages it is said to come from: words in their order, numbers and dates in any spelling.

import type { JsonObject, Path } from "./model.ts";
import { PageIndex, type TextSpan } from "./page-index.ts";
import type { PageText } from "./prompt.ts";
import { numbersOf, spellingsOf } from "./spellings.ts";
import { mergeAll, resolve, schemaTypes } from "./strict-schema.ts";
import { replaceAt, schemaAt, showPath } from "./value-path.ts";

/** Where a value was found. */
export interface Passage {
  url: string;
  /** The line of the page that holds it, or the part of a long one. */
  text: string;
}

export interface Support {
  /** Null when no page has the value. */
  find(value: string | number): Passage | null;
}

const isoDate = /^(\d{4})-(\d\d)(?:-(\d\d))?(?:T[\d:.]*(?:Z|[+-]\d\d:?\d\d)?)?$/;
const shortestCode = 7;

/** Pages in the order in which they are believed. */
export function createSupport(pages: readonly PageText[]): Support {
  let indexes: { url: string; index: PageIndex }[] | null = null;
  return {
    find(value) {
      // Not before something is looked for: an answer may have no values, or never come.
      indexes ??= pages.map(({ url, text }) => ({ url, index: new PageIndex(text) }));
      for (const { url, index } of indexes) {
        const place = typeof value === "number" ? index.findNumber(value) : findText(index, value);
        if (place !== null) return { url, text: index.lineAround(place) };
      }
      return null;
    },
  };
}

function findText(index: PageIndex, value: string): TextSpan | null {
  const words = index.findWords(value);
  if (words !== null) return words;
  const date = isoDate.exec(value.trim());
  if (date) {
    // Hundreds of spellings are looked for only where the year is.
    if (!index.has(String(date[1]))) return null;
    for (const spelling of spellingsOf(Number(date[1]), Number(date[2]), Number(date[3] ?? 0))) {
      const found = index.findWords(spelling);
      if (found !== null) return found;
    }
    return null;
  }
  if (/\p{L}/u.test(value)) return null;
  // Telephone numbers and codes first: their digits alone tell them.
  const digits = value.replace(/[^\d]+/g, "");
  if (digits.length >= shortestCode) return index.findDigits(digits);
  const [number, ...more] = new Set(numbersOf(value).map(({ number: each }) => each));
  return number === undefined || more.length > 0 ? null : index.findNumber(number);
}

/**
 * Leaves out values that no page has. A schema allows inference for a field, and what is below it, by `x-infer`;
 * yes or no and one of the choices that the schema lists are inferences, which no page has to spell out.
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
    } else if ((typeof value === "string" || typeof value === "number") && support.find(value) === null) {
      paths.push(path);
    }
  };
  visit(given, []);
  const value = paths.toReversed().reduce((left, path) => replaceAt(left, path, undefined), given);
  return { value, unsupported: paths.map(showPath) };
}

function mayInfer(root: JsonObject, path: Path): boolean {
  const schema = mergeAll(resolve(schemaAt(root, path), root), root);
  const types = schemaTypes(schema).filter((type) => type !== "null");
  const isChoice =
    schema.enum !== undefined || schema.const !== undefined || (types.length === 1 && types[0] === "boolean");
  return schema["x-infer"] === true || isChoice;
}
