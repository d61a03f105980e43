// The order of the best candidates, by their texts: BM25 over weighted fields, words that are close together, all words
// present, and likeness to the first few (pseudo-relevance feedback). The same on every engine, whatever chose the candidates.
// What each of them gains, and what was tried beside them, is in docs/decisions/0019-understanding.md.
//
// Feedback moves the one page that is looked for down, so it counts only as far as the first few pages are about as good as
// each other.
import type { IndexCounts } from "../../store/index.ts";
import type { CountedPage, Vocabulary } from "./page-counts.ts";

export const saturation = 2;
export const lengthShare = 0.8;
/**
 * Queries of so many different words fit every long page a little, so the length counts in full there, beside all pages of the
 * index: candidates are longer than others. A page counts as at least so long, of the mean.
 */
const longQueries = { leastRuns: 25, lengthShare: 1, leastLength: 0.3 };
const closeness = 8;
/** What two neighbouring words of the query add where they are together, beside what each of them adds. */
const closenessShare = 1.5;
const allWordsBoost = 1.15;
const titleWeight = 3;
/** What a title adds that consists of words of the query alone; others add as much of it as they do. */
const titleShare = 0.15;
/** What each doubling of the number of linking hosts adds, and the most that all of them add. */
const authority = { share: 0.06, most: 0.5 };

const even = { from: 0.4, to: 0.7 };
const feedback = { pages: 3, words: 30, share: 0.35, leastPages: 3, smallestPool: 10 };

export interface RankedRun {
  /** Stems. */
  run: readonly string[];
  /** How many pages hold it. */
  count: number;
  /** How often the query has it. */
  times: number;
}

interface WeighedRun {
  words: readonly number[];
  /** Rare words tell more than common ones, and repeated ones more than others. */
  value: number;
}

/** What a page's place is made of. */
export interface PageScore {
  /** Of each run of the query, in its order. */
  runs: readonly number[];
  /** For words of the query that are close together. */
  closeness: number;
  hasAllWords: boolean;
  /** What the share of its title that the query has multiplies it by. */
  title: number;
  /** What other hosts' links multiply it by. */
  authority: number;
  /** How much likeness to the first few adds, of 1. */
  likeness: number;
  /** What it is ordered by, of 1 for the best page. */
  total: number;
}

export interface PlacedPage {
  /** Of the candidate. */
  index: number;
  score: PageScore;
}

/** The candidates, best first. */
export function rankPages(
  pages: readonly CountedPage[],
  vocabulary: Vocabulary,
  runs: readonly RankedRun[],
  { pages: pageCount, meanBytes }: Pick<IndexCounts, "pages" | "meanBytes">,
): PlacedPage[] {
  const saturate = createSaturate(pages, runs.length, meanBytes);
  const weighed = runs.map(({ run, count, times }) => ({
    words: run.map(vocabulary.numberOfStem),
    value: times * rarityOf(count, Math.max(pageCount, count)),
  }));
  const parts = pages.map((page) => ({ ...scoreByQuery(page, weighed, saturate), authority: authorityOf(page) }));
  const scores = parts.map(({ sum, authority: factor }) => sum * factor);
  const bestScore = Math.max(...scores) || 1;
  const placed = (index: number, likeness: number, total: number): PlacedPage => {
    const { sum: _, ...part } = parts[index] as (typeof parts)[number];
    return { index, score: { ...part, likeness, total } };
  };
  const order = [...pages.keys()].sort((one, other) => at(scores, other) - at(scores, one) || one - other);
  const share =
    pages.length < feedback.smallestPool
      ? 0
      : feedback.share * evenness(order.slice(0, feedback.pages).map((index) => at(scores, index)));
  if (share === 0) return order.map((index) => placed(index, 0, at(scores, index) / bestScore));
  const likeness = scoreByLikeness(pages, vocabulary, order, scores, saturate);
  const bestLikeness = Math.max(...likeness) || 1;
  const gained = likeness.map((like) => (share * like) / bestLikeness);
  const total = scores.map((score, index) => ((1 - share) * score) / bestScore + at(gained, index));
  return order
    .sort((one, other) => at(total, other) - at(total, one) || one - other)
    .map((index) => placed(index, at(gained, index), at(total, index)));
}

/** 0 where the first page is clearly the one looked for; 1 where the first few are about equally good. */
function evenness(scores: readonly number[]): number {
  const [best = 0] = scores;
  const ratio = best > 0 ? (scores.at(-1) ?? 0) / best : 0;
  return Math.min(1, Math.max(0, (ratio - even.from) / (even.to - even.from)));
}

function authorityOf({ linkHosts }: CountedPage): number {
  return 1 + Math.min(authority.share * Math.log2(1 + linkHosts), authority.most);
}

type Saturate = (weight: number, length: number) => number;

function createSaturate(pages: readonly CountedPage[], runCount: number, meanBytes: number | null): Saturate {
  const words = pages.reduce((sum, { length }) => sum + length, 0);
  const bytes = pages.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const isLong = meanBytes !== null && runCount >= longQueries.leastRuns;
  // The index knows bytes; how many words these are, the candidates tell.
  const mean = (isLong ? (meanBytes * words) / Math.max(bytes, 1) : words / Math.max(pages.length, 1)) || 1;
  const share = isLong ? longQueries.lengthShare : lengthShare;
  const least = isLong ? longQueries.leastLength : 0;
  return (weight, length) =>
    (weight * (saturation + 1)) / (weight + saturation * (1 - share + share * Math.max(length / mean, least)));
}

function scoreByQuery(page: CountedPage, runs: readonly WeighedRun[], saturate: Saturate) {
  const scores: number[] = [];
  let score = 0;
  let together = 0;
  let present = 0;
  let previous: { places: readonly number[]; value: number } | null = null;
  for (const { words, value } of runs) {
    const places = placesOf(page.body, words);
    const weight =
      words.length === 1 ? weightOf(page, words[0]) : places.length + titleWeight * placesOf(page.title, words).length;
    const gained = weight > 0 ? value * saturate(weight, page.length) : 0;
    scores.push(gained);
    score += gained;
    if (weight > 0) present += 1;
    if (previous) {
      const near = nearness(previous.places, places);
      together += (closenessShare * ((previous.value + value) / 2) * near) / (near + 1);
    }
    previous = { places, value };
  }
  const hasAllWords = present === runs.length;
  const title = 1 + titleShare * sharedTitle(page, runs);
  const sum = (score + together) * (hasAllWords ? allWordsBoost : 1) * title;
  return { runs: scores, closeness: together, hasAllWords, title, sum };
}

/** Which share of the different words of a title the query has. */
function sharedTitle({ title }: CountedPage, runs: readonly WeighedRun[]): number {
  if (title.length === 0) return 0;
  const words = new Set(title);
  const shared = runs.filter(({ words: [first = -1] }) => words.has(first));
  return Math.min(1, shared.length / words.size);
}

/** Two words of the query next to each other count 1, those further apart less. */
function nearness(ones: readonly number[], others: readonly number[]): number {
  let sum = 0;
  let from = 0;
  for (const place of ones) {
    while (at(others, from) < place - closeness) from += 1;
    for (let index = from; at(others, index) <= place + closeness; index += 1) {
      const distance = Math.abs(at(others, index) - place);
      if (distance > 0) sum += 1 / distance;
    }
  }
  return sum;
}

/** How many of the words that set the first few pages apart a page holds. */
function scoreByLikeness(
  pages: readonly CountedPage[],
  vocabulary: Vocabulary,
  order: readonly number[],
  scores: readonly number[],
  saturate: Saturate,
): number[] {
  const spread = new Int32Array(vocabulary.size);
  for (const { words } of pages) for (const word of words) spread[word] = (spread[word] ?? 0) + 1;
  const rarity = (word: number) => rarityOf(spread[word] ?? 0, pages.length);
  const telling = new Map<number, number>();
  for (const index of order.slice(0, feedback.pages)) {
    const page = pages[index];
    for (const [place, word] of page?.words.entries() ?? []) {
      if (!page || (spread[word] ?? 0) < feedback.leastPages || !vocabulary.isTelling(word)) continue;
      const share = at(scores, index) * rarity(word) * saturate(page.weights[place] ?? 0, page.length);
      telling.set(word, (telling.get(word) ?? 0) + share);
    }
  }
  const shares = new Float64Array(vocabulary.size);
  const best = [...telling].sort(([, one], [, other]) => other - one).slice(0, feedback.words);
  for (const [word, share] of best) shares[word] = share * rarity(word);
  return pages.map(({ words, weights, length }) => {
    let sum = 0;
    for (let place = 0; place < words.length; place += 1) {
      const share = shares[words[place] ?? 0] ?? 0;
      if (share > 0) sum += share * saturate(weights[place] ?? 0, length);
    }
    return sum;
  });
}

export function rarityOf(count: number, all: number): number {
  return Math.log(1 + (all - count + 0.5) / (count + 0.5));
}

function weightOf({ words, weights }: CountedPage, word: number | undefined): number {
  return weights[words.indexOf(word ?? -1)] ?? 0;
}

/** Where the words occur next to each other. */
export function placesOf(text: readonly number[], words: readonly number[]): number[] {
  const [first = -1] = words;
  const places: number[] = [];
  for (let place = text.indexOf(first); place >= 0; place = text.indexOf(first, place + 1)) {
    if (words.every((word, index) => text[place + index] === word)) places.push(place);
  }
  return places;
}

/** Beyond the end of a list there is nothing near. */
function at(list: readonly number[], index: number): number {
  return list[index] ?? Number.POSITIVE_INFINITY;
}
