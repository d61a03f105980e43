// Several lists of results as one, each page once: what several lists have rises, the rest takes turns.
import { pageKey } from "../../discovery/index.ts";

export interface Found {
  url: string;
  /** Plain text, "" when unknown, as the description. */
  title: string;
  description: string;
  /** Milliseconds since 1970, null when unknown. */
  published: number | null;
  /** In words, "" when unknown. */
  date: string;
  imageUrl?: string | undefined;
  imageWidth?: number | undefined;
  imageHeight?: number | undefined;
  category?: string | undefined;
}

/** Reciprocal rank fusion; with this constant a place more or less weighs little against being in both lists. */
const rankConstant = 60;

/** Of equals those of earlier lists come first, and the words of a page are those of the first list that has any. */
export function fuse(lists: readonly (readonly Found[])[]): Found[] {
  const scored = new Map<string, { found: Found; score: number }>();
  for (const list of lists) {
    const seen = new Set<string>();
    for (const found of list) {
      const key = keyOf(found);
      if (seen.has(key)) continue;
      const score = 1 / (rankConstant + seen.size);
      seen.add(key);
      const known = scored.get(key);
      if (!known) scored.set(key, { found, score });
      else scored.set(key, { found: joined(known.found, found), score: known.score + score });
    }
  }
  return [...scored.values()].sort((a, b) => b.score - a.score).map(({ found }) => found);
}

function keyOf({ url, imageUrl }: Found): string {
  return imageUrl ?? pageKey(new URL(url));
}

function joined(first: Found, second: Found): Found {
  return {
    ...first,
    title: first.title || second.title,
    description: first.description || second.description,
    published: first.published ?? second.published,
    date: first.date || second.date,
  };
}
