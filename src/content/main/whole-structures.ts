// Keeps lists, tables and quotes whole: half a table says less than all of it, and an item without its parent gets the wrong
// depth. Those that lay out a page hold larger parts, which are chosen one by one.
import { type Block, type BlockElement, type PageBlocks, wordCount, wordsBetween } from "./blocks.ts";
import { createFraming, neverFrame } from "./boilerplate.ts";

const structures = new Set(["ul", "ol", "table", "blockquote"]);
/** What holds one of these is the frame of something larger: cards, posts, columns. */
const largerParts = new Set("h1 h2 h3 h4 form article section nav table".split(" "));
const longestStructure = 1500;
/** Longer items and cells are posts and articles. Paragraphs of a quote may be of any length. */
const longestItem = 60;
/** Tables with fewer cells a row are columns of something else. */
const leastCells = 1.5;
/** Less of a structure than this, by words, is a stray part. */
const leastShare = 0.05;
/** At most this many blocks (captions, credits, table names) may separate a structure from its text. */
const reach = 3;

/** Adds to `isKept` the missing parts of structures that are partly kept, and structures amid kept text. */
export function keepWholeStructures(page: PageBlocks, isKept: Uint8Array): void {
  const { elements } = page;
  let end = 0;
  for (let place = 0; place < elements.length; place += 1) {
    const entry = elements[place] as BlockElement;
    const { firstBlock, endBlock } = entry;
    if (firstBlock < end || endBlock === firstBlock || !structures.has(entry.element.name)) continue;
    const share = keptShare(page, entry, isKept);
    const isWanted = share < 1 && (share >= leastShare || (share === 0 && isAmidKept(page, place, isKept)));
    if (isWanted && isPlain(page, place)) {
      isKept.fill(1, firstBlock, endBlock);
      end = endBlock;
    } else if (share === 0 || share === 1) end = endBlock;
  }
}

function keptShare(page: PageBlocks, entry: BlockElement, isKept: Uint8Array): number {
  const { firstBlock, endBlock } = entry;
  const own = isKept.subarray(firstBlock, endBlock);
  if (!own.includes(1)) return 0;
  if (!own.includes(0)) return 1;
  let words = 0;
  for (let at = firstBlock; at < endBlock; at += 1) {
    if (isKept[at] === 1) words += wordCount(page.blocks[at] as Block);
  }
  return words / Math.max(1, wordsBetween(page, entry));
}

/** Tables and quotes in the midst of kept text belong to it. Most lists of links there do not, but no menu has lists in lists. */
function isAmidKept(page: PageBlocks, place: number, isKept: Uint8Array): boolean {
  const { element, firstBlock, endBlock } = page.elements[place] as BlockElement;
  const hasTextBefore = isKept.subarray(Math.max(0, firstBlock - reach), firstBlock).includes(1);
  const hasTextAfter = isKept.subarray(endBlock, endBlock + reach).includes(1);
  if (element.name === "table" || element.name === "blockquote") return hasTextBefore && hasTextAfter;
  return (hasTextBefore || hasTextAfter) && holdsList(page, place) && !isInFrame(page, place);
}

function holdsList({ elements }: PageBlocks, place: number): boolean {
  const { depth } = elements[place] as BlockElement;
  for (let below = place + 1; below < elements.length; below += 1) {
    const entry = elements[below] as BlockElement;
    if (entry.depth <= depth) return false;
    if (entry.element.name === "ul" || entry.element.name === "ol") return true;
  }
  return false;
}

function isInFrame({ elements }: PageBlocks, place: number): boolean {
  const framing = createFraming();
  for (let above = place; above >= 0; above = (elements[above] as BlockElement).parent) {
    const { element } = elements[above] as BlockElement;
    if (element.name === "header") return true;
    if (!neverFrame.has(element.name) && framing(element) !== "none") return true;
  }
  return false;
}

function isPlain(page: PageBlocks, place: number): boolean {
  const { blocks, elements } = page;
  const entry = elements[place] as BlockElement;
  const { name } = entry.element;
  if (wordsBetween(page, entry) > longestStructure) return false;
  for (let at = entry.firstBlock; name !== "blockquote" && at < entry.endBlock; at += 1) {
    if (wordCount(blocks[at] as Block) > longestItem) return false;
  }
  let rows = 0;
  let cells = 0;
  for (let below = place + 1; below < elements.length; below += 1) {
    const { element, depth } = elements[below] as BlockElement;
    if (depth <= entry.depth) break;
    if (largerParts.has(element.name)) return false;
    if (element.name === "tr") rows += 1;
    else if (element.name === "td" || element.name === "th") cells += 1;
  }
  return name !== "table" || (rows > 1 && cells >= rows * leastCells);
}
