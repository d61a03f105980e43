// Finds places that match rules: a search for the stems, then the rules around the stems only.
import { decodedWords, disguisedStems, hasOtherLetters, respelled, unmasked } from "./disguises.ts";
import { type IntentText, intentScoreOf, intentTexts, isAboutModels, withoutSubject } from "./find-intents.ts";
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

/** Stems that are common on pages that do not address a model: only rules look around them. */
const vague = new Set(
  "system,developer,administ,secret,whatever,regardless,conversation,you know,all your,your next,your goal,this article,end of the,this point,everything you".split(
    ",",
  ),
);

const leaks = latinFamilies.flatMap(({ rules }) => rules).filter(({ kind }) => kind === "leak");

export function placesIn(text: string, where: InjectionPlace["where"]): InjectionPlace[] {
  const isOther = hasOtherLetters(text);
  const clear = isOther ? unmasked(text) : text;
  const { spans, disguised, hits } = latinSpans(clear, where);
  if (isOther) spans.push(...otherSpans(clear, where, hits));
  const isKnown = ({ from, to }: Span) => spans.some((span) => span.from < to && from < span.to);
  spans.push(...intentSpans(clear, hits, where).filter((span) => !isKnown(span)));
  if (where === "text" && spans.length > 0) leaveOutMentions(clear, spans);
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
  const hits: number[] = [];
  const seenTo = latinFamilies.map(() => 0);
  let count = 0;
  searchLatin(text, (at, place) => {
    count += 1;
    if (count > maxCalls) return;
    const family = latinStems[place]?.family;
    if (family === undefined) {
      const part = text.slice(Math.max(0, at - windowBefore), at + windowAfter);
      disguised.push(respelled(part, disguisedStems[place - latinStems.length] as string));
      return;
    }
    if (!vague.has(latinStems[place]?.stem as string)) hits.push(at);
    if (at + windowBefore / 2 > (seenTo[family] as number)) {
      // Otherwise the family has searched these words around the stem before.
      seenTo[family] = at + windowAfter;
      spans.push(...spansAround(text, at, latinFamilies[family]?.rules ?? [], where));
    }
  });
  return { spans, disguised, hits };
}

function otherSpans(text: string, where: InjectionPlace["where"], hits: number[]): Span[] {
  const spans: Span[] = [];
  let count = 0;
  for (const call of text.matchAll(searchOthers)) {
    count += 1;
    if (count > maxCalls) break;
    hits.push(call.index);
    const family = call.findIndex((group, index) => index > 0 && group !== undefined) - 1;
    spans.push(...spansAround(text, call.index, otherFamilies[family]?.rules ?? [], where));
  }
  return spans;
}

/** What asks a model for something in words that no rule knows. */
function intentSpans(text: string, hits: number[], where: InjectionPlace["where"]): Span[] {
  const asking = intentTexts(text, inOrder(hits), where !== "text").filter((each) => intentScoreOf(each) > 0);
  if (asking.length === 0) return [];
  const told = asking.filter(({ from }) => where !== "text" || !isExcused(around(text, from, from), false, false));
  return withoutSubject(text, told).map(({ from, text: { length } }) => ({ kind: "address", from, to: from + length }));
}

/** A page about models mentions orders within its sentences; only one that begins a sentence is given. */
function leaveOutMentions(text: string, spans: Span[]): void {
  const words = spans.map(({ from, to }) => text.slice(from, to));
  if (!isAboutModels(text, words)) return;
  const given = spans.filter(
    ({ kind, from }) => kind !== "override" || beginsSentence.test(text.slice(Math.max(0, from - longestLead), from)),
  );
  spans.splice(0, spans.length, ...given);
}

const longestLead = 60;
const beginsSentence =
  /(?:^|[.!?:;。！？：\n])[\s>*_#-]{0,5}(?:(?:please|now|so|and|kindly|simply|just|you (?:must|should|will)|bitte|请|請)[\s,]{0,3}){0,3}$/i;

function inOrder(places: number[]): number[] {
  return places.sort((one, other) => one - other);
}

/** What the learned model is asked about; its trainer reads it. */
export function intentTextsIn(text: string, isHidden: boolean): IntentText[] {
  const isOther = hasOtherLetters(text);
  const clear = isOther ? unmasked(text) : text;
  const { hits } = latinSpans(clear, "text");
  if (isOther) otherSpans(clear, "text", hits);
  return intentTexts(
    clear,
    hits.sort((one, other) => one - other),
    isHidden,
  );
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
