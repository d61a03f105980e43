// Ranks texts of callers the way pages of the index are ranked: BM25 over folded stems. The same texts always give the
// same scores.
import { setImmediate } from "node:timers/promises";
import { wholeWords } from "../../text/index.ts";
import { createStemmer } from "./page-words.ts";
import { lengthShare, rarityOf, saturation } from "./rank-pages.ts";

/** How many characters of a text are read. */
const readLength = 30_000;
/** Characters read before other work gets a turn. */
const sliceLength = 200_000;

export interface TextRank {
  index: number;
  /** From 0, for no word in common, to 1. */
  score: number;
}

/** Best first, equals in their order; every text is in it. */
export async function rankTexts(query: string, texts: readonly string[]): Promise<TextRank[]> {
  const stemsOf = createStemmer();
  const stems = (text: string) => stemsOf(wholeWords(text.slice(0, readLength)));
  const wanted = [...new Set(stems(query))];
  const counted: ReturnType<typeof countWords>[] = [];
  let read = 0;
  for (const text of texts) {
    counted.push(countWords(stems(text)));
    read += Math.min(text.length, readLength);
    // Others are served while much is read.
    if (read > sliceLength) {
      read = 0;
      await setImmediate();
    }
  }
  const meanLength = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(counted.length, 1) || 1;
  const weighed = wanted.map((word) => {
    const spread = counted.filter(({ counts }) => counts.has(word)).length;
    return { word, rarity: rarityOf(spread, counted.length) };
  });
  const most = weighed.reduce((sum, { rarity }) => sum + rarity, 0) * (saturation + 1) || 1;
  const scores = counted.map(({ counts, length }, index) => {
    const room = saturation * (1 - lengthShare + (lengthShare * length) / meanLength);
    const sum = weighed.reduce((total, { word, rarity }) => {
      const count = counts.get(word) ?? 0;
      return total + (rarity * count * (saturation + 1)) / (count + room);
    }, 0);
    return { index, score: sum / most };
  });
  return scores.sort((one, other) => other.score - one.score || one.index - other.index);
}

function countWords(words: readonly string[]): { counts: Map<string, number>; length: number } {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, length: words.length };
}
