// A picture of a figure beside kept text belongs to it, though the words around the picture are left out: credits, buttons, labels.
import type { Element } from "domhandler";
import { findBelow } from "../../html/index.ts";
import { type Block, type BlockElement, type PageBlocks, wordCount, wordsBetween } from "./blocks.ts";

const mostWords = 25;
/** Shorter texts are labels: pictures beside them are as often icons. */
const leastTextWords = 10;
/** So many elements up, picture and text share a parent. */
const levels = 2;

/** Whether an element without kept text holds the picture of a figure and is next to kept text. */
export function isFigureBesideText(page: PageBlocks, place: number, isKept: Uint8Array): boolean {
  const entry = page.elements[place] as BlockElement;
  return (
    wordsBetween(page, entry) <= mostWords &&
    isBesideText(page, entry, isKept) &&
    (isInFigure(page, place) || findBelow(entry.element, isFigure) !== null) &&
    holdsPicture(entry.element)
  );
}

export function holdsPicture(element: Element): boolean {
  return findBelow(element, isPicture) !== null;
}

function isBesideText(page: PageBlocks, entry: BlockElement, isKept: Uint8Array): boolean {
  const { blocks, elements } = page;
  const isText = (at: number) => isKept[at] === 1 && wordCount(blocks[at] as Block) >= leastTextWords;
  let { parent } = entry;
  for (let level = 0; level < levels && parent >= 0; level += 1) {
    const above = elements[parent] as BlockElement;
    if (entry.firstBlock > above.firstBlock && isText(entry.firstBlock - 1)) return true;
    if (entry.endBlock < above.endBlock && isText(entry.endBlock)) return true;
    parent = above.parent;
  }
  return false;
}

function isInFigure({ elements }: PageBlocks, place: number): boolean {
  for (let above = place; above >= 0; above = (elements[above] as BlockElement).parent) {
    if (isFigure((elements[above] as BlockElement).element)) return true;
  }
  return false;
}

function isFigure({ name }: Element): boolean {
  return name === "figure";
}

function isPicture({ name }: Element): boolean {
  return name === "img" || name === "picture";
}
