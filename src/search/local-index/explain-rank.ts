// Explains the rank of a page: the parts of its score, and where on it the words of the query are.
import type { IndexedPage, WordRun } from "../../store/index.ts";
import { readableUrl } from "../query/readable-url.ts";
import type { WordCounter } from "./page-counts.ts";
import { readStoredText } from "./page-words.ts";
import { type PageScore, placesOf } from "./rank-pages.ts";

export interface RankReason extends Omit<PageScore, "runs"> {
  words: {
    /** A stem, or the stems of a phrase. */
    word: string;
    score: number;
    /** How often it occurs in each field that has it. */
    fields: Record<string, number>;
  }[];
  /** Other hosts that link to the page. */
  linkHosts: number;
}

/** Null for a page that has no score. */
export function explainRank(
  page: IndexedPage,
  score: PageScore | undefined,
  words: readonly WordRun[],
  counter: WordCounter,
): RankReason | null {
  if (!score) return null;
  const { runs, ...rest } = score;
  const { numbersOf, numberOfStem } = counter.vocabulary();
  const { headings, text } = readStoredText(page.text);
  const { title, url, anchors, linkHosts } = page;
  const fields = Object.entries({ title, links: anchors, headings, url: readableUrl(url), text }).map(
    ([name, words]) => [name, numbersOf(words)] as const,
  );
  return {
    ...rest,
    linkHosts,
    words: words.map((run, index) => {
      const numbers = run.map(numberOfStem);
      const counts = fields.map(([name, field]) => [name, placesOf(field, numbers).length] as const);
      const held = Object.fromEntries(counts.filter(([, count]) => count > 0));
      return { word: run.join(" "), score: runs[index] ?? 0, fields: held };
    }),
  };
}
