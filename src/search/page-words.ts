// The words of a page as the index keeps them: folded, stemmed, by field.
import type { PageWords } from "../store/index.ts";
import { readableUrl } from "./address.ts";
import { splitWords } from "./fold.ts";
import { stem } from "./stem.ts";

/** As much of a page is searchable. PostgreSQL can place 16,383 words. */
export const maxTextLength = 100_000;
const maxBodyWords = 15_000;
const maxFieldWords = 300;

/** Stands between headings and text where they are stored as one text. */
const divider = "\f";

const mostKept = 100_000;

/** Stems words and remembers the answers: a page's words are mostly those of the pages before. */
export function createStemmer(): (words: readonly string[]) => string[] {
  let known = new Map<string, string>();
  return (words) =>
    words.map((word) => {
      const kept = known.get(word);
      if (kept !== undefined) return kept;
      if (known.size >= mostKept) known = new Map();
      const made = stem(word);
      known.set(word, made);
      return made;
    });
}

export type Stemmer = ReturnType<typeof createStemmer>;

export interface PageTexts {
  url: string;
  title: string;
  headings: readonly string[];
  text: string;
}

export function storedText({ headings, text }: Pick<PageTexts, "headings" | "text">): string {
  const head = headings.join("\n").replaceAll(divider, " ");
  return `${head}${divider}${text.slice(0, maxTextLength - head.length)}`.slice(0, maxTextLength);
}

export function readStoredText(stored: string): { headings: string; text: string } {
  const at = stored.indexOf(divider);
  return { headings: stored.slice(0, Math.max(at, 0)), text: stored.slice(at + 1) };
}

/** `stored` is what `storedText` made: nothing is found in a page that is not stored with it. */
export function pageWords(page: Pick<PageTexts, "url" | "title">, stored: string, stems: Stemmer): PageWords {
  const { headings, text } = readStoredText(stored);
  return {
    title: stems(splitWords(page.title).slice(0, maxFieldWords)),
    anchors: [],
    url: stems(splitWords(readableUrl(page.url)).slice(0, maxFieldWords)),
    headings: stems(splitWords(headings).slice(0, maxFieldWords)),
    body: stems(splitWords(text).slice(0, maxBodyWords)),
  };
}
