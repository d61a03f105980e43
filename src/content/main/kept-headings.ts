// Headings go with the text below them: a text without the heading above it is harder to read than a heading too many.
import type { Block, BlockElement, PageBlocks } from "./blocks.ts";
import { wordCount } from "./page-measures.ts";

/** Less likely ones are those of boxes that the text goes around. */
const likelyHeading = 0.1;
const leastLikelyAbove = 0.05;
/** Dates, prices, names and buttons stand between the heading of a record and its text: so many blocks and words at most. */
const mostBetween = 4;
const mostWordsBetween = 15;

/** Keeps headings right before kept blocks. */
export function keepHeadings(page: PageBlocks, probabilities: Float32Array, isKept: Uint8Array): void {
  for (let at = page.blocks.length - 2; at >= 0; at -= 1) {
    if (isKept[at] === 1 || isKept[at + 1] === 0 || (probabilities[at] as number) < likelyHeading) continue;
    if (levelOf(page, at) > 1) isKept[at] = 1;
  }
}

/**
 * Keeps the heading of a page right before kept text, and headings of sections and records with little between them and
 * theirs. Not to be asked before lists are: a menu next to a heading would be taken for a list next to the text.
 */
export function keepHeadingsAbove(page: PageBlocks, probabilities: Float32Array, isKept: Uint8Array): void {
  for (let at = page.blocks.length - 2; at >= 0; at -= 1) {
    const probability = probabilities[at] as number;
    if (isKept[at] === 1 || probability < leastLikelyAbove) continue;
    const level = levelOf(page, at);
    if (level === 0 || (level === 1 && probability < likelyHeading)) continue;
    // Names and dates stand between a title and an article, too, but readers are given these apart from the text.
    if (leadsToKept(page, at, level, level === 1 ? 0 : mostBetween, isKept)) isKept[at] = 1;
  }
}

function leadsToKept(page: PageBlocks, at: number, level: number, most: number, isKept: Uint8Array): boolean {
  const end = Math.min(page.blocks.length, at + most + 2);
  let words = 0;
  for (let next = at + 1; next < end; next += 1) {
    const other = levelOf(page, next);
    // A heading of the same rank begins something else.
    if (isKept[next] === 1) return other === 0 || other > level;
    if (other > 0) return false;
    words += wordCount(page.blocks[next] as Block);
    if (words > mostWordsBetween) return false;
  }
  return false;
}

/** 1 to 6; 0: no heading. */
function levelOf({ blocks, elements }: PageBlocks, at: number): number {
  const { name } = (elements[(blocks[at] as Block).owner] as BlockElement).element;
  return name.length === 2 && name.startsWith("h") && name !== "hr" ? Number(name.slice(1)) : 0;
}
