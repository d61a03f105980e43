// The passage of a page that fits a query, for results whose text has just been read.
import { englishStopWords, splitWords } from "../../text/index.ts";
import type { SearchQuery } from "../query/parse-query.ts";
import { createStemmer } from "./page-words.ts";
import { createSnippets } from "./snippet.ts";

/** Null when no word of the query is in the text. */
export function createHighlighter({ text: query }: Pick<SearchQuery, "text">): (text: string) => string | null {
  const stems = createStemmer();
  const runs = wordRuns(query, stems);
  const wanted = new Set(runs.flat());
  const passageOf = createSnippets(runs, stems);
  return (text) => {
    if (wanted.size === 0) return null;
    const passage = passageOf(text);
    return stems(splitWords(passage)).some((stem) => wanted.has(stem)) ? passage : null;
  };
}

/** The stems of a text's telling words, each alone. */
export function wordRuns(text: string, stems: ReturnType<typeof createStemmer>): string[][] {
  const words = splitWords(text);
  const telling = words.filter((word) => !englishStopWords.has(word));
  return stems(telling.length > 0 ? telling : words).map((stem) => [stem]);
}
