// Lists, tables, quotes, terms and code are kept whole: a table without some of its rows, or a list without its inner one, says
// something else than the page does.
import type { Block, PageBlocks } from "./blocks.ts";

const structures = new Set(["table", "blockquote", "dl", "pre", "ul", "ol"]);
/** So much of its words must be kept already. */
const keptShare = 0.5;
/** Structures with more links are menus and teasers, where parts may well be missing. */
const mostLinks = 0.5;
/** Structures that hold more of the page lay it out. */
const mostOfPage = 0.5;

/** Adds to `isKept` what is left of each structure that is mostly kept, the inner ones first. */
export function keepWholeStructures({ blocks, elements, words }: PageBlocks, isKept: Uint8Array): void {
  for (let place = elements.length - 1; place >= 0; place -= 1) {
    const entry = elements[place];
    if (entry === undefined || !structures.has(entry.element.name)) continue;
    const { firstBlock, endBlock } = entry;
    let [all, kept, chars, linkChars] = [0, 0, 0, 0];
    for (let at = firstBlock; at < endBlock; at += 1) {
      const block = blocks[at] as Block;
      const count = block.wordEnd - block.wordFirst;
      all += count;
      if (isKept[at] === 1) kept += count;
      chars += block.chars;
      linkChars += block.linkChars;
    }
    if (kept === 0 || kept < all * keptShare || all > words.length * mostOfPage) continue;
    if (linkChars <= chars * mostLinks) isKept.fill(1, firstBlock, endBlock);
  }
}
