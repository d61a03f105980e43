// Texts that a page holds twice: once for wide and once for narrow screens, in a window that opens, or as the quote of an
// earlier post. The first is enough.
import { type Block, type BlockElement, hashOfWords, type PageBlocks, wordCount } from "./blocks.ts";

/** Shorter texts recur for different things: "Add to basket", "Eat every two hours". */
const shortest = 8;
const shortestItem = 12;
const apart = new Set(["td", "th", "pre", "dt"]);

/** Takes blocks out of `isKept` whose words are those of a kept block before, unless both are side by side or in tables. */
export function leaveOutRepeated(page: PageBlocks, isKept: Uint8Array): void {
  const { blocks } = page;
  const firsts = new Map<number, number>();
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at] as Block;
    if (isKept[at] === 0 || wordCount(block) < shortest) continue;
    const hash = hashOfWords(page, block);
    const first = firsts.get(hash);
    if (first === undefined) firsts.set(hash, at);
    else if (isRepeated(page, blocks[first] as Block, block)) isKept[at] = 0;
  }
}

function isRepeated(page: PageBlocks, first: Block, block: Block): boolean {
  const { elements } = page;
  const owner = elements[block.owner] as BlockElement;
  if (owner.element.name === "li" && wordCount(block) < shortestItem) return false;
  if (block.owner === first.owner || owner.parent === elements[first.owner]?.parent) return false;
  return hasSameWords(page, first, block) && !isApart(elements, block.owner);
}

function hasSameWords({ words }: PageBlocks, first: Block, second: Block): boolean {
  if (wordCount(first) !== wordCount(second)) return false;
  for (let at = 0; at < wordCount(first); at += 1) {
    if (words[first.wordFirst + at] !== words[second.wordFirst + at]) return false;
  }
  return true;
}

/** Cells, code and terms repeat on purpose. */
function isApart(elements: readonly BlockElement[], owner: number): boolean {
  for (let place = owner; place >= 0; place = elements[place]?.parent ?? -1) {
    if (apart.has(elements[place]?.element.name ?? "")) return true;
  }
  return false;
}
