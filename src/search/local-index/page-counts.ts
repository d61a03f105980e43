// Counts the words of pages, to rank pages by. Words are numbers here, because a query counts tens of thousands of them.
import type { IndexedPage } from "../../store/index.ts";
import { createWordTable, englishStopWords, stem } from "../../text/index.ts";
import { readableUrl } from "../query/readable-url.ts";
import { readStoredText } from "./page-words.ts";

/** How many characters of a page are counted. */
const countedLength = 30_000;
const mostKept = 100_000;
const fieldWeights = { title: 3, anchors: 2, url: 2, headings: 1.5, body: 1 };

/** `weights[i]` is how often the page has the word `words[i]`, weighted by field. */
export interface CountedPage {
  /** In words. */
  length: number;
  /** Of its text. */
  sizeBytes: number;
  words: readonly number[];
  weights: readonly number[];
  title: readonly number[];
  body: readonly number[];
  /** Other hosts that link to it. */
  linkHosts: number;
}

/** What of a page is counted. */
type CountablePage = Pick<IndexedPage, "url" | "title" | "anchors" | "text" | "sizeBytes" | "linkHosts">;

export interface Vocabulary {
  /** Greater than any word's number. */
  readonly size: number;
  /** Of the words of a text, in order. */
  numbersOf(text: string): number[];
  /** For words that are stems already: stemming one again may change it. */
  numberOfStem(stem: string): number;
  nameOf(word: number): string;
  /** Whether a word can say what a page is about. */
  isTelling(word: number): boolean;
  isNumeral(word: number): boolean;
}

/** Numbers the stems, so that all forms of a word have one number. */
function createVocabulary(): Vocabulary {
  const numbersOfStems = new Map<string, number>();
  const names: string[] = [];
  const telling: boolean[] = [];
  const numerals: boolean[] = [];

  function numberOfStem(name: string): number {
    const known = numbersOfStems.get(name);
    if (known !== undefined) return known;
    numbersOfStems.set(name, names.length);
    const isNumeral = /^\d+$/.test(name);
    telling.push(name.length > 2 && !isNumeral);
    numerals.push(isNumeral);
    return names.push(name) - 1;
  }

  const eachNumber = createWordTable((word) => {
    const number = numberOfStem(stem(word));
    if (englishStopWords.has(word)) telling[number] = false;
    return [number, 0];
  });

  return {
    get size() {
      return names.length;
    },
    numbersOf(text) {
      const numbers: number[] = [];
      eachNumber(text, (number) => numbers.push(number));
      return numbers;
    },
    numberOfStem,
    nameOf: (word) => names[word] ?? "",
    isTelling: (word) => telling[word] ?? false,
    isNumeral: (word) => numerals[word] ?? false,
  };
}

export interface WordCounter {
  vocabulary(): Vocabulary;
  count(pages: readonly CountablePage[]): CountedPage[];
}

/** Remembers word numbers between queries, up to a limit. */
export function createWordCounter(): WordCounter {
  let vocabulary = createVocabulary();
  /** Counts by word while one page is counted; zero otherwise. A map took twice the CPU on 32 pages. */
  let counts = new Float64Array(0);

  function countPage(page: CountablePage): CountedPage {
    const { numbersOf, isNumeral } = vocabulary;
    const { headings, text } = readStoredText(page.text);
    const title = numbersOf(page.title);
    const head = numbersOf(headings.slice(0, countedLength));
    // Numbers in URLs are dates and counters.
    const url = numbersOf(readableUrl(page.url)).filter((word) => !isNumeral(word));
    const anchors = page.anchors === "" ? [] : numbersOf(page.anchors);
    const body = numbersOf(text.slice(0, countedLength));
    if (counts.length < vocabulary.size) counts = new Float64Array(2 * vocabulary.size);
    const words: number[] = [];
    for (const [list, weight] of [
      [title, fieldWeights.title],
      [anchors, fieldWeights.anchors],
      [head, fieldWeights.headings],
      [url, fieldWeights.url],
      [body, fieldWeights.body],
    ] as const) {
      for (const word of list) {
        const before = counts[word] ?? 0;
        if (before === 0) words.push(word);
        counts[word] = before + weight;
      }
    }
    const weights = words.map((word) => counts[word] ?? 0);
    for (const word of words) counts[word] = 0;
    const length = title.length + head.length + body.length;
    const { sizeBytes, linkHosts } = page;
    return { length, sizeBytes, words, weights, title, body, linkHosts };
  }

  return {
    vocabulary: () => vocabulary,
    count(pages) {
      if (vocabulary.size > mostKept) vocabulary = createVocabulary();
      return pages.map(countPage);
    },
  };
}
