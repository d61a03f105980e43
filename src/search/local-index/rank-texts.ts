// Ranks texts of callers, and the passages of longer ones, the way pages of the index are ranked: BM25 over folded stems. The same
// texts always give the same scores.
import { setImmediate } from "node:timers/promises";
import { wholeWords } from "../../text/index.ts";
import { createStemmer } from "./page-words.ts";
import { lengthShare, rarityOf, saturation } from "./rank-pages.ts";

export { createTextIndex, type TextIndex } from "./text-index.ts";

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

export interface RankedPassage {
  /** The place of its text in the list. */
  index: number;
  text: string;
  score: number;
}

/** The best passages of all texts together; with `every`, also those that share no word with the query. */
export async function rankPassages(
  query: string,
  texts: readonly string[],
  { every = false }: { every?: boolean } = {},
): Promise<RankedPassage[]> {
  const passages = texts.flatMap((text, index) => cutPassages(text).map((passage) => ({ index, text: passage })));
  const ranks = await rankTexts(
    query,
    passages.map(({ text }) => text),
  );
  return ranks.flatMap(({ index, score }) => {
    const passage = passages[index];
    return passage && (every || score > 0) ? [{ ...passage, score: Math.round(score * 10_000) / 10_000 }] : [];
  });
}

const shortestPassage = 60;
const longestPassage = 1500;
const fence = /^\s{0,3}(?:```|~~~)/;

/** Markdown in parts that can be read in one look: a block, with the heading and the short blocks before it. */
export function cutPassages(markdown: string): string[] {
  const passages: string[] = [];
  let open = "";
  for (const block of blocksOf(markdown)) {
    open = open === "" ? block : `${open}\n\n${block}`;
    const last = block.slice(block.lastIndexOf("\n") + 1);
    if (open.length < shortestPassage || /^#{1,6} /.test(last)) continue;
    passages.push(...inPieces(open));
    open = "";
  }
  // What is left is short: it says something only where there is nothing else.
  return passages.length === 0 && open !== "" ? [open] : passages;
}

/** Paragraphs, lists and whole code blocks. */
function blocksOf(markdown: string): string[] {
  const blocks: string[][] = [[]];
  let isCode = false;
  for (const line of markdown.split(/\r?\n/)) {
    if (fence.test(line)) isCode = !isCode;
    if (line.trim() !== "" || isCode) blocks.at(-1)?.push(line);
    else blocks.push([]);
  }
  return blocks.map((lines) => lines.join("\n")).filter((block) => block !== "");
}

function inPieces(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > longestPassage) {
    const end = Math.max(rest.lastIndexOf(". ", longestPassage), rest.lastIndexOf("\n", longestPassage)) + 1;
    const cut = end > shortestPassage ? end : longestPassage;
    pieces.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  return rest === "" ? pieces : [...pieces, rest];
}

function countWords(words: readonly string[]): { counts: Map<string, number>; length: number } {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, length: words.length };
}
