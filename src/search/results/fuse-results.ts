// Merges several lists of results into one, each page once: what is in several lists rises, the rest takes turns.
import type { SearchResult } from "./search-result.ts";

/** The same for all URLs of one page. */
export type PageKeyOf = (url: URL) => string;

/** Reciprocal rank fusion; with this constant one rank more or less weighs little against being in both lists. */
const rankConstant = 60;

/** Of equal results those of earlier lists come first; title and description come from the first list that has any. */
export function fuseResults(lists: readonly (readonly SearchResult[])[], pageKeyOf: PageKeyOf): SearchResult[] {
  const scored = new Map<string, { result: SearchResult; score: number }>();
  for (const list of lists) {
    const seen = new Set<string>();
    for (const result of list) {
      const key = result.imageUrl ?? resultKey(new URL(result.url), pageKeyOf);
      if (seen.has(key)) continue;
      const score = 1 / (rankConstant + seen.size);
      seen.add(key);
      const known = scored.get(key);
      if (!known) scored.set(key, { result, score });
      else scored.set(key, { result: joined(known.result, result), score: known.score + score });
    }
  }
  return [...scored.values()].sort((a, b) => b.score - a.score).map(({ result }) => result);
}

/** Over http and https it is one page; over ftp it is another. */
export function resultKey(url: URL, pageKeyOf: PageKeyOf): string {
  return url.protocol === "http:" || url.protocol === "https:" ? pageKeyOf(url) : url.href;
}

function joined(first: SearchResult, second: SearchResult): SearchResult {
  return {
    ...first,
    title: first.title || second.title,
    description: first.description || second.description,
    published: first.published ?? second.published,
    date: first.date || second.date,
    ...(first.engines && second.engines ? { engines: [...new Set([...first.engines, ...second.engines])] } : {}),
  };
}
