// An answer in parts that fit: long texts are cut at paragraphs, lists between their items. The parts, joined, are the whole.
import { isObject } from "../base/index.ts";
import { tokensOf } from "./tokens.ts";

type Json = Record<string, unknown>;

type Path = readonly (string | number)[];

/** What is never divided further: a piece of a text, or a small value. */
interface Unit {
  path: Path;
  value: unknown;
  isText: boolean;
}

export interface AnswerPart {
  answer: Json;
  /** The unit with which the next part begins; null on the last part. */
  next: number | null;
}

/** A text up to this many characters goes with its object. */
const shortText = 300;
/** A list or object up to this many characters of JSON is not divided. */
const smallJson = 1500;
const longestPiece = 2000;
/** Enough to know which page a part belongs to. */
const pageFacts = ["sourceURL", "url", "title", "statusCode", "scrapeId", "injection"];

/** The part that begins with unit `from`, of at most `maxTokens` as JSON; `isFit` looks at what else must fit. */
export function cutAnswer(whole: Json, from: number, maxTokens: number, isFit: (answer: Json) => boolean): AnswerPart {
  const units = unitsOf(whole);
  // What a tokenizer makes of the joints is not the sum of its parts, so the result is measured, too.
  for (let share = 0.95; ; share *= 0.8) {
    const part = fill(whole, units, from, maxTokens * share);
    if (part.taken <= 1 || (tokensOf(JSON.stringify(part.answer)) <= maxTokens && isFit(part.answer))) {
      const next = from + part.taken;
      return { answer: part.answer, next: next < units.length ? next : null };
    }
  }
}

function fill(whole: Json, units: readonly Unit[], from: number, budget: number) {
  const builder = createBuilder(whole, from === 0 && tokensOf(JSON.stringify(whole["metadata"] ?? "")) < budget / 4);
  let left = budget - tokensOf(JSON.stringify(builder.answer));
  let taken = 0;
  for (const unit of units.slice(from)) {
    const cost = tokensOf(JSON.stringify(unit.value)) + 4 + builder.opens(unit.path);
    if (cost > left && taken > 0) break;
    builder.add(unit);
    left -= cost;
    taken += 1;
  }
  return { answer: builder.answer, taken };
}

/** Builds the part of the whole that some units make, with the short fields of every object that they are in. */
function createBuilder(whole: Json, isFull: boolean) {
  const answer = frameOf(whole, isFull);
  const made = new Map<string, unknown>([["", answer]]);

  function containerFor(path: Path): unknown {
    const key = path.join("\u0000");
    const known = made.get(key);
    if (known !== undefined) return known;
    const original = valueAt(whole, path);
    const copy = Array.isArray(original) ? [] : frameOf(original as Json, false);
    put(containerFor(path.slice(0, -1)), path.at(-1) ?? "", copy);
    made.set(key, copy);
    return copy;
  }

  return {
    answer,
    /** Tokens of the objects that this path would open. */
    opens(path: Path): number {
      let tokens = 0;
      for (let length = 1; length < path.length; length += 1) {
        const start = path.slice(0, length);
        if (made.has(start.join("\u0000"))) continue;
        const original = valueAt(whole, start);
        tokens += Array.isArray(original) ? 4 : tokensOf(JSON.stringify(frameOf(original as Json, false)));
      }
      return tokens;
    },
    add({ path, value, isText }: Unit): void {
      const holder = containerFor(path.slice(0, -1));
      const name = path.at(-1) ?? "";
      if (isText && !Array.isArray(holder)) {
        const object = holder as Json;
        object[name] = String(object[name] ?? "") + String(value);
      } else put(holder, name, value);
    },
  };
}

function put(holder: unknown, name: string | number, value: unknown): void {
  if (Array.isArray(holder)) holder.push(value);
  else (holder as Json)[name] = value;
}

function valueAt(whole: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => (value as Json)[step], whole);
}

/** The short fields of an object: they go with everything that is in it. */
function frameOf(object: Json, isFull: boolean): Json {
  const rows = Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
    if (name === "metadata" && isObject(value)) return [[name, isFull ? value : factsOf(value)]];
    return isShort(value) ? [[name, value]] : [];
  });
  return Object.fromEntries(rows);
}

function factsOf(metadata: Json): Json {
  return Object.fromEntries(pageFacts.flatMap((name) => (isShort(metadata[name]) ? [[name, metadata[name]]] : [])));
}

/** What is empty is short, too: it has no parts. */
function isShort(value: unknown): boolean {
  if (value === undefined) return false;
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return typeof value !== "string" || value.length <= shortText;
}

function unitsOf(value: unknown, path: Path = [], units: Unit[] = []): Unit[] {
  if (typeof value === "string") {
    const isInList = typeof path.at(-1) === "number";
    if (isInList) units.push({ path, value, isText: false });
    else for (const piece of piecesOf(value)) units.push({ path, value: piece, isText: true });
    return units;
  }
  if (typeof value !== "object" || value === null) {
    units.push({ path, value, isText: false });
    return units;
  }
  if (path.length > 0 && !Array.isArray(value) && JSON.stringify(value).length <= smallJson) {
    units.push({ path, value, isText: false });
    return units;
  }
  for (const [name, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    if (!Array.isArray(value) && (isShort(inner) || inner === undefined || (name === "metadata" && isObject(inner))))
      continue;
    unitsOf(inner, [...path, name], units);
  }
  return units;
}

/** Paragraphs with what separates them; longer ones at lines, words, or anywhere that is no half of a character. */
function piecesOf(text: string): string[] {
  const paragraphs = text.match(/[\s\S]+?(?:\n{2,}|$)/g) ?? [];
  return paragraphs.flatMap((paragraph) => {
    const pieces: string[] = [];
    let rest = paragraph;
    while (rest.length > longestPiece) {
      const head = rest.slice(0, longestPiece);
      const line = head.lastIndexOf("\n");
      const at = line > longestPiece / 2 ? line + 1 : head.lastIndexOf(" ") + 1 || longestPiece;
      const isHalf = /[\ud800-\udbff]$/.test(rest.slice(0, at));
      pieces.push(rest.slice(0, isHalf ? at - 1 : at));
      rest = rest.slice(isHalf ? at - 1 : at);
    }
    return [...pieces, rest];
  });
}
