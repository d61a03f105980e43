// The words of a page as the index keeps them: folded, stemmed, by field.

import { ownCopy } from "../../base/index.ts";
import type { PageWords } from "../../store/index.ts";
import { stem } from "../../text/index.ts";
import { readableUrl } from "../query/readable-url.ts";
import type { TextStemmer } from "./text-stemmer.ts";

/** How many characters of a page are searchable. PostgreSQL stores positions up to 16,383. */
export const maxTextLength = 100_000;
const maxBodyWords = 15_000;

/** Separates headings from text where both are stored as one text. */
const divider = "\f";

const mostKept = 100_000;

/** Stems the words of queries and snippets, and remembers the stems. */
export function createStemmer(): (words: readonly string[]) => string[] {
  let known = new Map<string, string>();
  return (words) =>
    words.map((word) => {
      const kept = known.get(word);
      if (kept !== undefined) return kept;
      if (known.size >= mostKept) known = new Map();
      const own = ownCopy(word);
      const made = stem(own);
      known.set(own, made);
      return made;
    });
}

export type Stemmer = ReturnType<typeof createStemmer>;

export interface TextFields {
  url: string;
  title: string;
  headings: readonly string[];
  text: string;
}

export function storedText({ headings, text }: Pick<TextFields, "headings" | "text">): string {
  const head = headings.join("\n").replaceAll(divider, " ");
  return `${head}${divider}${text.slice(0, maxTextLength - head.length)}`.slice(0, maxTextLength);
}

export function readStoredText(stored: string): { headings: string; text: string } {
  const at = stored.indexOf(divider);
  return { headings: stored.slice(0, Math.max(at, 0)), text: stored.slice(at + 1) };
}

/** `stored` is what `storedText` made, in UTF-8: a page is only found by text that is stored with it. */
export function pageWords(page: Pick<TextFields, "url" | "title">, stored: Buffer, stemsOf: TextStemmer): PageWords {
  const at = stored.indexOf(divider);
  return {
    title: stemsOf(page.title),
    anchors: "",
    url: stemsOf(readableUrl(page.url)),
    headings: stemsOf(stored.subarray(0, Math.max(at, 0))),
    body: stemsOf(stored.subarray(at + 1), maxBodyWords),
  };
}

/** The words of links to a page by which it is found, without its own words, which find it anyway. */
export function anchorWords(page: { url: string; title: string; anchors: string }, stemsOf: TextStemmer): string {
  const own = new Set(`${stemsOf(page.title)} ${stemsOf(readableUrl(page.url))}`.split(" "));
  return stemsOf(page.anchors)
    .split(" ")
    .filter((word) => !own.has(word))
    .join(" ");
}
