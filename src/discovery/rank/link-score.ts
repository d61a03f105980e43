// How promising a single link is for what is looked for: a number that can be compared between pages, unlike the order of a list.
import { createLinkReader, type RankedLink } from "./rank-link.ts";
import { readQuery } from "./rank-query.ts";

/** How soon more of the same term stops counting. */
const saturation = 0.6;

/** From 0, nothing of what is looked for, to 1, all of it. */
export type ScoreLink = (link: RankedLink) => number;

/** Null when the text holds no word to look for. */
export function createLinkScorer(query: string): ScoreLink | null {
  const asked = readQuery(query);
  if (!asked) return null;
  const reader = createLinkReader(asked);
  const termCount = asked.weights.length;
  const all = asked.weights.reduce((sum, weight) => sum + weight, 0);
  return (link) => {
    reader.read(link);
    let score = 0;
    for (const slot of reader.slots) {
      if (slot >= termCount) continue;
      const value = reader.values[slot] as number;
      score += ((asked.weights[slot] as number) * value) / (value + saturation);
    }
    return Math.min(1, (score / all) * (1 + saturation));
  };
}
