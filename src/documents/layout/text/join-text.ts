// Lines -> running text: hyphens at line ends undone, right-to-left lines in their order.

import type { Box } from "../page-layer.ts";
import { leftward, type Word } from "../words.ts";

/** A line of text in a paragraph, note or cell. */
export interface TextLine extends Box {
  words: Word[];
  base: number;
  size: number;
}

/** Words of the whole document; it decides whether a hyphen at the end of a line belongs to the word. */
export class DocumentWords {
  readonly #words = new Set<string>();

  add(words: readonly Word[]): void {
    // A word at the end of a line may be a part of one.
    for (let at = 0; at < words.length - 1; at += 1) {
      const word = (words[at] as Word).text.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
      if (word.length > 3) this.#words.add(word);
    }
  }

  /** Null when the hyphen belongs to the word. */
  joined(head: string, tail: string): string | null {
    const stem = head.slice(0, -1);
    const clean = (text: string) => text.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
    const whole = clean(stem + tail);
    if (this.#words.has(whole)) return stem + tail;
    if (this.#words.has(clean(head + tail))) return null;
    // A word that has a hyphen already is broken at another of its hyphens.
    if (/-/.test(stem)) return null;
    return stem + tail;
  }
}

export interface TextRun {
  text: string;
  url?: string;
  isMono: boolean;
  /** The note that it refers to, or the formula that it represents: such a run is one word. */
  note?: NonNullable<Word["note"]>;
  formula?: string;
  /** Raised, and a number would be another one without it. */
  isPower?: boolean;
}

const ideograph = /[\u3000-\u9fff\uf900-\ufaff\uff00-\uffef]/;

/** Runs of one style, with the spaces that belong between words. */
export function runsOf(lines: readonly TextLine[], vocabulary: DocumentWords): TextRun[] {
  const runs: TextRun[] = [];
  const put = (text: string, word: Word) => {
    const last = runs.at(-1);
    const { isMono, url, note, formula } = word;
    if (note) runs.push({ text, isMono: false, note });
    else if (formula) runs.push({ text, isMono: false, formula });
    else if (isPower(word, last?.text ?? "")) runs.push({ text, isMono: false, isPower: true });
    else if (last && last.url === url && last.isMono === isMono && isPlain(last)) last.text += text;
    else runs.push({ text, isMono, ...(url ? { url } : {}) });
  };
  lines.forEach((line, at) => {
    const words = logical(line.words);
    words.forEach(({ word, text }, place) => {
      const last = runs.at(-1);
      if (!last) put(text, word);
      else if (place > 0) put(needsSpace(last.text, text, word) ? ` ${text}` : text, word);
      else {
        const isHyphen = /\p{L}[-‐\u00ad]$/u.test(last.text) && /^\p{Ll}/u.test(text) && at > 0;
        const head = isHyphen ? (/\S+$/.exec(last.text)?.[0] ?? "") : "";
        const joined = isHyphen ? vocabulary.joined(head, text) : null;
        if (joined !== null) {
          last.text = last.text.slice(0, last.text.length - head.length) + head.slice(0, -1);
          put(text, word);
        } else if (isHyphen) put(text, word);
        else put(needsSpace(last.text, text, { ...word, isGlued: false }) ? ` ${text}` : text, word);
      }
    });
  });
  return runs;
}

const isPlain = ({ note, formula, isPower: isRaised }: TextRun) => !note && !formula && !isRaised;

/** Of a number or a unit: 10², m², 2019¹. Behind a word, a raised number is read as well without being raised. */
function isPower({ text, isRaised, isGlued, isAbove }: Word, before: string): boolean {
  if (!isRaised || !isGlued || !isAbove || !/^[-−–+]?\d{1,3}$/.test(text)) return false;
  return /(?:\d|(?:^|[^\p{L}])\p{L}{1,2})$/u.test(before);
}

export function plainText(lines: readonly TextLine[], vocabulary: DocumentWords): string {
  return runsOf(lines, vocabulary)
    .map((run) => run.text)
    .join("");
}

function needsSpace(before: string, text: string, word: Word): boolean {
  if (word.isGlued) return false;
  return !(ideograph.test(before.at(-1) ?? "") && ideograph.test(text[0] ?? ""));
}

const mirrored: Record<string, string> = {
  "(": ")",
  ")": "(",
  "[": "]",
  "]": "[",
  "{": "}",
  "}": "{",
  "<": ">",
  ">": "<",
  "«": "»",
  "»": "«",
};

/** Words as they are read, letters included: the same words, unless their script runs to the left. */
export function readingWords(words: readonly Word[]): Word[] {
  return words.some((word) => leftward.test(word.text))
    ? logical(words).map(({ word, text }) => ({ ...word, text }))
    : [...words];
}

/** The word that a line starts with. */
export function firstWord(words: readonly Word[]): Word | undefined {
  return words.some((word) => leftward.test(word.text)) ? logical(words)[0]?.word : words[0];
}

/** Drawn order -> the order in which the words are read. */
function logical(words: readonly Word[]): { word: Word; text: string }[] {
  let right = 0;
  let left = 0;
  for (const word of words) {
    if (leftward.test(word.text)) right += word.text.length;
    else if (/\p{L}/u.test(word.text)) left += word.text.length;
  }
  if (right === 0) return words.map((word) => ({ word, text: word.text }));
  const turned = words.map((word) => ({
    word,
    text: leftward.test(word.text) || right > left ? turn(word.text) : word.text,
  }));
  const isTurned = ({ word }: { word: Word }) => leftward.test(word.text) || !/[\p{L}\p{N}]/u.test(word.text);
  const flip = right > left;
  const list = flip ? turned.reverse() : turned;
  // Runs of the other direction keep their own order.
  const result: { word: Word; text: string }[] = [];
  for (let at = 0; at < list.length; ) {
    const isOther = isTurned(list[at] as { word: Word }) !== flip;
    let end = at + 1;
    while (isOther && end < list.length && isTurned(list[end] as { word: Word }) !== flip) end += 1;
    const run = list.slice(at, end);
    result.push(...(isOther ? run.reverse() : run));
    at = end;
  }
  return result;
}

function turn(text: string): string {
  if (!leftward.test(text)) return text.length === 1 ? (mirrored[text] ?? text) : text;
  const letters = [...text].reverse().map((letter) => mirrored[letter] ?? letter);
  // Numbers inside are written from left to right.
  return letters.join("").replace(/\d[\d.,:/-]*\d/g, (number) => [...number].reverse().join(""));
}
