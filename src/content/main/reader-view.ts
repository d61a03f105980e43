// What a reading view of a browser would keep: the element whose paragraphs weigh most once everything that is called a
// frame or comments is left out, and its neighbours that look like more of the same.
import type { Block, BlockElement, PageBlocks } from "./blocks.ts";
import { type ElementFacts, foldedBit, isReply, ruleDropBit } from "./element-facts.ts";

const leftOut = foldedBit | ruleDropBit;
/** Shorter blocks do not tell where the text is. */
const shortest = 25;
/** How much of a paragraph's points its parent, grandparent and so on get. */
const shares = [1, 0.5, 1 / 6, 1 / 9, 1 / 12];
/** A neighbour belongs to the text when it has this share of the points, or when it is a paragraph that is no link. */
const neighbourShare = 0.2;
const parentShare = 0.34;
/** A text is in several parts when so many elements have this share of the best one's points. */
const partShare = 0.25;
const manyParts = 3;
const paragraphLength = 80;
const maxLinkShare = 0.33;

const paragraphNames = new Set(["p", "td", "pre", "div", "section", "blockquote", "li", "article"]);

export interface ReaderView {
  /** For each block 1 when it is kept. */
  isKept: Uint8Array;
  /** The element that was found, or -1. */
  root: number;
}

export function readerView({ blocks, elements }: PageBlocks, facts: ElementFacts): ReaderView {
  const points = pointsOf(blocks, elements, facts);
  let best = -1;
  for (let place = 0; place < points.length; place += 1) {
    if ((points[place] as number) > (best < 0 ? 0 : (points[best] as number))) best = place;
  }
  const isKept = new Uint8Array(blocks.length);
  if (best < 0) return { isKept, root: -1 };
  const root = widened(sharedBy(best, points, facts), points, facts);
  const parent = facts.parents[root] as number;
  const least = Math.max(10, (points[root] as number) * neighbourShare);
  for (let place = 0; place < elements.length; place += 1) {
    const { firstBlock, endBlock, parent: above } = elements[place] as BlockElement;
    if (place !== root && (parent < 0 || above !== parent)) continue;
    if (place !== root && (points[place] as number) < least && !isParagraph(elements, facts, place)) continue;
    isKept.fill(1, firstBlock, endBlock);
  }
  for (let at = 0; at < blocks.length; at += 1) {
    if (isLeftOut(facts, (blocks[at] as Block).owner)) isKept[at] = 0;
  }
  return { isKept, root };
}

function isLeftOut(facts: ElementFacts, owner: number): boolean {
  return ((facts.bits[owner] as number) & leftOut) !== 0 || isReply(facts, owner);
}

function pointsOf(blocks: readonly Block[], elements: readonly BlockElement[], facts: ElementFacts): Float32Array {
  const points = new Float32Array(elements.length);
  for (const { owner, chars, linkChars, commas } of blocks) {
    if (chars < shortest || isLeftOut(facts, owner)) continue;
    const { name } = (elements[owner] as BlockElement).element;
    if (!paragraphNames.has(name)) continue;
    const own = (1 + commas + Math.min(chars / 100, 3)) * (1 - linkChars / chars);
    let above = name === "div" || name === "section" || name === "article" ? owner : (facts.parents[owner] as number);
    for (const share of shares) {
      if (above < 0) break;
      points[above] = (points[above] as number) + own * share;
      above = facts.parents[above] as number;
    }
  }
  for (let place = 0; place < points.length; place += 1) {
    const chars = facts.chars[place] as number;
    if (chars > 0) points[place] = (points[place] as number) * (1 - (facts.linkChars[place] as number) / chars);
  }
  return points;
}

/** Texts in several parts: the innermost element above the best one that holds others nearly as good beside it. */
function sharedBy(best: number, points: Float32Array, facts: ElementFacts): number {
  const least = (points[best] as number) * partShare;
  const counts = new Map<number, number>();
  for (let above = facts.parents[best] as number; above >= 0; above = facts.parents[above] as number)
    counts.set(above, 1);
  for (let place = 0; place < points.length; place += 1) {
    const parent = facts.parents[place] as number;
    const isPart = (points[place] as number) >= least && place !== best && !counts.has(place);
    if (!isPart || parent < 0 || facts.words[parent] === facts.words[place]) continue;
    for (let above = parent; above >= 0; above = facts.parents[above] as number) {
      const count = counts.get(above);
      if (count !== undefined) counts.set(above, count + 1);
    }
  }
  for (const [above, count] of counts) if (count >= manyParts) return above;
  return best;
}

/** Up to the parent as long as it has much of the points, or nothing else in it. */
function widened(start: number, points: Float32Array, facts: ElementFacts): number {
  let root = start;
  for (;;) {
    const parent = facts.parents[root] as number;
    if (parent < 0) return root;
    const isWrapper = facts.words[parent] === facts.words[root];
    if (!isWrapper && (points[parent] as number) <= (points[root] as number) * (1 - parentShare / 2)) return root;
    root = parent;
  }
}

function isParagraph(elements: readonly BlockElement[], facts: ElementFacts, place: number): boolean {
  const { name } = (elements[place] as BlockElement).element;
  const chars = facts.chars[place] as number;
  return name === "p" && chars > paragraphLength && (facts.linkChars[place] as number) < chars * maxLinkShare;
}
