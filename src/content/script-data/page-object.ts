// Which of the things in a page's data is the page itself: the one with its title and a text.
import { isThing, type Thing } from "../../html/index.ts";
import names from "./data-names.json" with { type: "json" };
import { readRichText, type TextBudget } from "./rich-text.ts";
import { seenWords } from "./written-html.ts";

export interface PageClues {
  /** What the page calls itself, in its head and its headings. */
  titles: readonly string[];
  url: string;
}

export interface PageObject {
  title: string;
  html: string;
  letters: number;
}

const maxThings = 150_000;
const maxDepth = 60;
const maxInnerJson = 60;
/** Things that have the page's title, looked at for a text. */
const maxMatches = 40;
/** In all texts together. */
const maxTextNodes = 300_000;
/** Shorter texts are teasers. */
export const leastLetters = 500;
const leastTitle = 8;

const bodyKey = new RegExp(names.bodyKey, "i");
/** Often a teaser, seldom the text. */
const shortKey = new RegExp(names.shortKey, "i");
const leastDescription = 2000;
const deeperKey = new RegExp(names.deeperKey, "i");
const besideKey = new RegExp(names.besideKey, "i");
const cutShort = /(?:…|\.\.\.|\[…\]|\[\.\.\.\]|(?:read|show|view) more)\s*$/i;

export function findPageObject(values: readonly unknown[], clues: PageClues): PageObject | null {
  const matches = matchingThings(values, { titles: titlesOf(clues), path: pathOf(clues.url) });
  let best: PageObject | null = null;
  const budget = { nodes: maxTextNodes };
  for (const { thing, title } of matches) {
    const body = bodyOf(thing, 0, budget);
    if (body !== null && (best === null || body.letters > best.letters)) best = { title, ...body };
  }
  if (best === null || best.letters < leastLetters) return null;
  return cutShort.test(seenWords(best.html).trimEnd()) ? null : best;
}

/** The titles, with and without the name of the site that many have before or behind them. */
function titlesOf({ titles }: PageClues): Set<string> {
  const found = new Set<string>();
  for (const title of titles) {
    const parts = title.split(/\s+[|\-–—·•:»«/]+\s+|\s*\|\s*/);
    for (let length = parts.length; length > 0; length -= 1) {
      found.add(titleWords(title.slice(0, endOf(title, parts, length))));
      found.add(titleWords(parts.slice(parts.length - length).join(" ")));
    }
  }
  return new Set([...found].filter((title) => title.length >= leastTitle));
}

function endOf(title: string, parts: readonly string[], length: number): number {
  const last = parts[length - 1] ?? "";
  let at = 0;
  for (const part of parts.slice(0, length)) at = title.indexOf(part, at) + part.length;
  return last === "" ? title.length : at;
}

export function titleWords(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/<[^>]*>|&\w+;|&#\d+;/g, " ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The end of a path that says which page it is; null for one that may be any. */
function pathOf(url: string): string | null {
  const path = URL.canParse(url) ? new URL(url).pathname.replace(/\/+$/, "") : "";
  const slug = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w{2,5}$/, "");
  return slug.length >= 12 && /[-_]|\d{4}/.test(slug) ? slug.toLowerCase() : null;
}

interface Match {
  thing: Thing;
  title: string;
}

interface Known {
  titles: ReadonlySet<string>;
  path: string | null;
}

/** By its title, or by the path of its URL. */
function isPage(thing: Thing, title: string, { titles, path }: Known): boolean {
  if (titles.has(titleWords(title))) return true;
  if (path === null) return false;
  return names.slugKeys.some((key) => {
    const value = isThing(thing[key]) ? thing[key].current : thing[key];
    if (typeof value !== "string" || value.length > 500) return false;
    const bare = value
      .toLowerCase()
      .replace(/[?#].*$/, "")
      .replace(/\/+$/, "")
      .replace(/\.\w{2,5}$/, "");
    return bare === path || bare.endsWith(`/${path}`);
  });
}

function matchingThings(values: readonly unknown[], known: Known): Match[] {
  const matches: Match[] = [];
  const queue: { value: unknown; depth: number }[] = values.map((value) => ({ value, depth: 0 }));
  let things = 0;
  let innerJson = 0;
  for (let at = 0; at < queue.length && things < maxThings && matches.length < maxMatches; at += 1) {
    const { value, depth } = queue[at] as { value: unknown; depth: number };
    things += 1;
    if (Array.isArray(value)) {
      if (depth < maxDepth)
        for (const each of value) if (isCompound(each)) queue.push({ value: each, depth: depth + 1 });
      continue;
    }
    if (!isThing(value)) continue;
    const title = titleOf(value);
    if (title !== null && isPage(value, title, known)) matches.push({ thing: value, title });
    if (depth >= maxDepth) continue;
    for (const [key, each] of Object.entries(value)) {
      if (isCompound(each)) queue.push({ value: each, depth: depth + 1 });
      else if (
        typeof each === "string" &&
        each.length > 500 &&
        /^\s*[{[]/.test(each) &&
        innerJson < maxInnerJson &&
        key !== "cooked"
      ) {
        innerJson += 1;
        queue.push({ value: parseJson(each), depth: depth + 1 });
      }
    }
  }
  return matches;
}

function titleOf(thing: Thing): string | null {
  for (const key of names.titleKeys) {
    const value = thing[key];
    const text = isThing(value) ? (value.rendered ?? value.text ?? value.value ?? value.main ?? value.basic) : value;
    if (typeof text === "string" && text.length >= leastTitle && text.length < 500) return text;
  }
  return null;
}

/** The longest text of a thing: in one of its fields, or in a field of what wraps its fields. */
function bodyOf(thing: Thing, depth: number, budget: TextBudget): { html: string; letters: number } | null {
  let best: { html: string; letters: number } | null = null;
  for (const [key, value] of Object.entries(thing)) {
    if (besideKey.test(key)) continue;
    const isText = bodyKey.test(key) && (typeof value === "string" || isCompound(value));
    const text = isText ? readRichText(value, budget) : null;
    const least = shortKey.test(key) ? leastDescription : (best?.letters ?? 0);
    if (text !== null && text.letters > Math.max(least, best?.letters ?? 0)) best = text;
    const inner = isThing(value) && deeperKey.test(key) && depth < 3 ? bodyOf(value, depth + 1, budget) : null;
    if (inner !== null && inner.letters > (best?.letters ?? 0)) best = inner;
  }
  return best;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isCompound(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
