// Index of a page's text, for looking up words, digits and numbers with their positions.
import { foldLetters } from "../text/index.ts";
import { numbersOf } from "./spellings.ts";

/** Characters of the text, the end not included. */
export interface TextSpan {
  start: number;
  end: number;
}

interface Word extends TextSpan {
  /** Without case and accents. */
  word: string;
}

/** Longer texts may be put together from several places: most of their groups of three words must be there. */
const longText = 8;
const neededShare = 0.85;
const longestLine = 300;
/** Scripts that set no spaces between words. */
const solidScript = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

export class PageIndex {
  private readonly text: string;
  private readonly words: readonly Word[];
  /** Words with single spaces between and around them, and where each begins in there. */
  private readonly line: string;
  private readonly lineStarts: readonly number[];
  private digits: { text: string; starts: number[] } | null = null;
  private numbers: Map<number, TextSpan> | null = null;
  private groups: Map<string, number> | null = null;
  private solid: { text: string; starts: number[] } | null = null;

  constructor(text: string) {
    this.text = text;
    this.words = wordsOf(text);
    this.line = ` ${this.words.map(({ word }) => word).join(" ")} `;
    this.lineStarts = startsOf(this.words, 1);
  }

  /** Words in their order; a text without words is found everywhere. */
  findWords(text: string): TextSpan | null {
    const wanted = wordsOf(text).map(({ word }) => word);
    if (wanted.length === 0) return { start: 0, end: 0 };
    const at = this.line.indexOf(` ${wanted.join(" ")} `);
    if (at !== -1) return this.placeOf(lastAtMost(this.lineStarts, at + 1), wanted.length);
    if (solidScript.test(text)) return this.findSolid(wanted.join(""));
    // A URL that is mostly there leads somewhere else, or says more than it should.
    return wanted.length < longText || /\w:\/\//.test(text) ? null : this.findGroups(wanted);
  }

  has(text: string): boolean {
    return this.text.includes(text);
  }

  findNumber(number: number): TextSpan | null {
    this.numbers ??= new Map(numbersOf(this.text).map((found) => [found.number, found]));
    return this.numbers.get(Math.abs(number)) ?? null;
  }

  /** Digits in their order, whatever is between them. */
  findDigits(wanted: string): TextSpan | null {
    this.digits ??= digitsOf(this.text);
    const at = this.digits.text.indexOf(wanted);
    const start = this.digits.starts[at];
    const last = this.digits.starts[at + wanted.length - 1];
    return start === undefined || last === undefined ? null : { start, end: last + 1 };
  }

  lineAround({ start, end }: TextSpan): string {
    const from = this.text.lastIndexOf("\n", start) + 1;
    const newline = this.text.indexOf("\n", end);
    const to = newline === -1 ? this.text.length : newline;
    const isLong = to - from > longestLine;
    const begin = isLong ? Math.max(from, start - longestLine / 3) : from;
    return this.text.slice(begin, isLong ? Math.min(to, begin + longestLine) : to).trim();
  }

  private findSolid(wanted: string): TextSpan | null {
    this.solid ??= { text: this.words.map(({ word }) => word).join(""), starts: startsOf(this.words, 0) };
    const at = this.solid.text.indexOf(wanted);
    return at === -1 ? null : this.placeOf(lastAtMost(this.solid.starts, at), 1);
  }

  private findGroups(wanted: readonly string[]): TextSpan | null {
    this.groups ??= new Map(groupsOf(this.words.map(({ word }) => word)).map((group, place) => [group, place]));
    const places = groupsOf(wanted).map((group) => this.groups?.get(group));
    const found = places.filter((place) => place !== undefined);
    const [first] = found;
    return first === undefined || found.length < neededShare * places.length ? null : this.placeOf(first, 3);
  }

  private placeOf(word: number, count: number): TextSpan {
    return { start: this.words[word]?.start ?? 0, end: this.words[word + count - 1]?.end ?? this.text.length };
  }
}

function wordsOf(text: string): Word[] {
  const found: Word[] = [];
  for (const { 0: match, index: start } of text.matchAll(/[\p{L}\p{N}\p{M}\u00ad\u200b-\u200f]+/gu)) {
    const end = start + match.length;
    // Most words need no folding, which is what takes time.
    if (/^[a-z0-9]+$/i.test(match)) found.push({ word: match.toLowerCase(), start, end });
    else for (const word of foldedWordsOf(match)) found.push({ word, start, end });
  }
  return found;
}

/** One character may be several words: ½. */
function foldedWordsOf(text: string): string[] {
  return (
    foldLetters(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  );
}

function startsOf(words: readonly Word[], gap: number): number[] {
  let at = gap;
  return words.map(({ word }) => {
    const start = at;
    at += word.length + gap;
    return start;
  });
}

function digitsOf(text: string): { text: string; starts: number[] } {
  const found = [...text.matchAll(/\d/g)];
  return { text: found.map(([digit]) => digit).join(""), starts: found.map(({ index }) => index) };
}

function groupsOf(words: readonly string[]): string[] {
  return Array.from({ length: Math.max(0, words.length - 2) }, (_, at) => words.slice(at, at + 3).join(" "));
}

/** Place of the last number that is not greater. */
function lastAtMost(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
