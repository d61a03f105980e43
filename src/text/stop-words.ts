// Folded words that say nothing about a page's subject, by language.
import lists from "./stop-words.json" with { type: "json" };

/** For queries to the index, whose words may be names in another language: "die casting", "Van Gogh". */
export const englishStopWords: ReadonlySet<string> = new Set(lists.en.split(" "));

const all = new Set(Object.values(lists).flatMap((list) => list.split(" ")));

/** In any of the languages that most pages are written in. */
export function isStopWord(word: string): boolean {
  return all.has(word);
}
