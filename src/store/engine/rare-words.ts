// Which of a query's words choose its best pages. bm25 is computed for every page that holds any of them, and most of these hold
// the common ones alone, whose score has a limit: where the best pages with a rare word are above it, there is no need to look at the
// others (`npm run bench -- search`).
import type { WordRun } from "./search-words.ts";

/** bm25 multiplies the rarity of a word by less than this, however often a page holds it: k1 + 1 of FTS5. */
const mostPerWord = 2.2;
/** What the last of the wanted pages reaches, of the rarity of its word; where it does not, all words are asked again. */
const likelyScore = 1.3;
/** So many pages hold a rare word for each that is wanted. */
const leastPages = 1.5;
/** Fewer pages are scored as fast as they are left out. */
const leastSaved = 1000;

export interface WordSplit {
  rare: WordRun[];
  common: WordRun[];
  /** No page without a rare word has this score. */
  bound: number;
}

interface CountedRun {
  run: WordRun;
  count: number;
  /** The most that it can add, repetitions in the query included, without `mostPerWord`. */
  value: number;
}

/** Null where nothing is gained. `counts` are of the runs, `rows` of the whole table. */
export function splitByRarity(
  runs: readonly WordRun[],
  counts: readonly number[],
  rows: number,
  wanted: number,
): WordSplit | null {
  // Of a run of several words only an estimate is known, and a limit needs the count itself.
  if (runs.some(({ length }) => length !== 1)) return null;
  const counted = countRuns(runs, counts, rows).sort((one, other) => one.count - other.count);
  let held = 0;
  let size = 0;
  while (size < counted.length && held < leastPages * wanted) {
    held += counted[size]?.count ?? 0;
    size += 1;
  }
  const likely = likelyScore * Math.min(...counted.slice(0, size).map(({ value }) => value));
  const boundFrom = (start: number) => mostPerWord * counted.slice(start).reduce((sum, { value }) => sum + value, 0);
  while (size < counted.length && boundFrom(size) > likely) size += 1;
  const saved = counted.slice(size).reduce((sum, { count }) => sum + count, 0);
  const scored = counted.slice(0, size).reduce((sum, { count }) => sum + count, 0);
  if (saved < leastSaved || saved < scored / 2) return null;
  const names = new Set(counted.slice(0, size).map(({ run }) => run[0]));
  return {
    rare: runs.filter(([word]) => names.has(word ?? "")),
    common: runs.filter(([word]) => !names.has(word ?? "")),
    bound: boundFrom(size),
  };
}

function countRuns(runs: readonly WordRun[], counts: readonly number[], rows: number): CountedRun[] {
  const counted = new Map<string, CountedRun>();
  for (const [index, run] of runs.entries()) {
    const count = counts[index] ?? 0;
    const before = counted.get(run[0] ?? "")?.value ?? 0;
    counted.set(run[0] ?? "", { run, count, value: before + plainRarity(count, rows) });
  }
  return [...counted.values()];
}

/** As FTS5 has it. */
function plainRarity(count: number, rows: number): number {
  return Math.max(Math.log((rows - count + 0.5) / (count + 0.5)), 1e-6);
}
