// Finds places that match rules: a search for the stems, then the rules around the stems only.
import { decodedWords, disguisedStems, hasOtherLetters, respelled, unmasked } from "./disguises.ts";
import { type InjectionKind, latinFamilies, otherFamilies, type Rule } from "./injection-rules.ts";
import { isExcused, type Surroundings } from "./reported.ts";
import { createStemSearch } from "./stem-search.ts";

/** Of stems in a text. */
const maxCalls = 400;
const windowBefore = 200;
const windowAfter = 260;
/** Around a match: quotes and explanations are close by. */
const contextLength = 400;
export const longestQuote = 160;

export interface InjectionPlace {
  kind: InjectionKind;
  /** In visible, hidden or encoded text. */
  where: "text" | "hidden" | "encoded";
  /** Its words, cut. */
  text: string;
}

const latinStems = latinFamilies.flatMap(({ stems }, family) => stems.map((stem) => ({ stem, family })));
const searchLatin = createStemSearch([...latinStems.map(({ stem }) => stem), ...disguisedStems]);
const searchOthers = new RegExp(otherFamilies.map(({ stems }) => `(${stems.join("|")})`).join("|"), "g");

const leaks = latinFamilies.flatMap(({ rules }) => rules).filter(({ kind }) => kind === "leak");

export function placesIn(text: string, where: InjectionPlace["where"]): InjectionPlace[] {
  const isOther = hasOtherLetters(text);
  const clear = isOther ? unmasked(text) : text;
  const { spans, disguised } = latinSpans(clear, where);
  if (isOther) spans.push(...otherSpans(clear, where));
  const places = distinct(spans).map(({ kind, from, to }) => ({ kind, where, text: cut(clear.slice(from, to)) }));
  if (where === "encoded") return places;
  const decoded = [...decodedWords(clear), ...disguised];
  return decoded.length === 0 ? places : [...places, ...decoded.flatMap((words) => placesIn(words, "encoded"))];
}

/** URLs with a gap that a model is to fill. */
export function leakingUrls(urls: readonly string[]): InjectionPlace[] {
  return urls
    .filter((url) => leaks.some(({ pattern }) => url.search(pattern) >= 0))
    .map((url) => ({ kind: "leak", where: "text", text: cut(url) }));
}

interface Span {
  kind: InjectionKind;
  from: number;
  to: number;
}

function latinSpans(text: string, where: InjectionPlace["where"]) {
  const spans: Span[] = [];
  const disguised: string[] = [];
  const seenTo = latinFamilies.map(() => 0);
  let count = 0;
  searchLatin(text, (at, place) => {
    count += 1;
    if (count > maxCalls) return;
    const family = latinStems[place]?.family;
    if (family === undefined) {
      const part = text.slice(Math.max(0, at - windowBefore), at + windowAfter);
      disguised.push(respelled(part, disguisedStems[place - latinStems.length] as string));
    } else if (at + windowBefore / 2 > (seenTo[family] as number)) {
      // Otherwise the family has searched these words around the stem before.
      seenTo[family] = at + windowAfter;
      spans.push(...spansAround(text, at, latinFamilies[family]?.rules ?? [], where));
    }
  });
  return { spans, disguised };
}

function otherSpans(text: string, where: InjectionPlace["where"]): Span[] {
  const spans: Span[] = [];
  let count = 0;
  for (const call of text.matchAll(searchOthers)) {
    count += 1;
    if (count > maxCalls) break;
    const family = call.findIndex((group, index) => index > 0 && group !== undefined) - 1;
    spans.push(...spansAround(text, call.index, otherFamilies[family]?.rules ?? [], where));
  }
  return spans;
}

function spansAround(text: string, at: number, rules: readonly Rule[], where: InjectionPlace["where"]): Span[] {
  const start = Math.max(0, at - windowBefore);
  const part = text.slice(start, at + windowAfter);
  const spans: Span[] = [];
  for (const { kind, pattern, isOrder = false } of rules) {
    // Most rules find nothing, and going through matches makes a copy of the pattern.
    if (part.search(pattern) === -1) continue;
    for (const { 0: match, index } of part.matchAll(pattern)) {
      const from = start + index;
      const to = from + match.length;
      if (where !== "text" || !isExcused(around(text, from, to), isOrder, kind === "turn"))
        spans.push({ kind, from, to });
    }
  }
  return spans;
}

function around(text: string, from: number, to: number): Surroundings {
  return { before: text.slice(Math.max(0, from - contextLength), from), after: text.slice(to, to + contextLength) };
}

/** Matches that overlap are one place. */
function distinct(spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    if (!last || span.from >= last.to) found.push({ ...span });
    else last.to = Math.max(last.to, span.to);
  }
  return found;
}

function cut(words: string): string {
  const line = words.replace(/\s+/g, " ").trim();
  return line.length > longestQuote ? `${line.slice(0, longestQuote - 1)}…` : line;
}
