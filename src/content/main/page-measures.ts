// What is counted over a whole page: its text, its kinds of elements, and blocks that look alike.
import { type Block, type BlockElement, type PageBlocks, wordCount } from "./blocks.ts";
import {
  commentsBit,
  createNumbering,
  type ElementFacts,
  foldedBit,
  frameBit,
  frameTags,
  manyLooks,
} from "./element-facts.ts";
import type { PageMeasure } from "./feature-names.ts";

export interface AlikeBlocks {
  /** The group of each block, and what each group holds. */
  groups: Int32Array;
  words: number[];
  counts: number[];
  chars: number[];
  links: number[];
}

/** Blocks look alike when their elements and those around these have the same tags and classes. */
export function alikeBlocks({ blocks }: PageBlocks, { looks, parents }: ElementFacts): AlikeBlocks {
  const groupOf = createNumbering();
  const groups = new Int32Array(blocks.length);
  const [words, counts, chars, links]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at] as Block;
    const parent = parents[block.owner] ?? -1;
    const key = (looks[block.owner] ?? 0) * manyLooks + (parent >= 0 ? (looks[parent] as number) + 1 : 0);
    const group = groupOf(key);
    groups[at] = group;
    words[group] = (words[group] ?? 0) + wordCount(block);
    counts[group] = (counts[group] ?? 0) + 1;
    chars[group] = (chars[group] ?? 0) + block.chars;
    links[group] = (links[group] ?? 0) + block.linkChars;
  }
  return { groups, words, counts, chars, links };
}

export function measurePage(page: PageBlocks, facts: ElementFacts, tags: Float32Array): Record<PageMeasure, number> {
  const { blocks, elements, words } = page;
  let chars = 0;
  let linkChars = 0;
  let paragraphs = 0;
  let longWords = 0;
  let foldedWords = 0;
  let commentWords = 0;
  let longOutside = 0;
  for (const block of blocks) {
    chars += block.chars;
    linkChars += block.linkChars;
    const count = wordCount(block);
    if (count > 20) longWords += count;
    if (count > 20 && block.linkChars < block.chars / 3) paragraphs += 1;
    const bits = facts.bits[block.owner] ?? 0;
    if (bits & foldedBit) foldedWords += count;
    if (bits & commentsBit) commentWords += count;
    else if (count > 20 && (bits & (frameBit | frameTags)) === 0) longOutside += count;
  }
  const counts = new Map<string, number>();
  let most = 0;
  for (let place = 0; place < elements.length; place += 1) {
    const { name } = (elements[place] as BlockElement).element;
    if (name === "article" || name === "form" || name === "table") counts.set(name, (counts.get(name) ?? 0) + 1);
    if ((facts.siblings[place] as number) > most && (facts.blocks[place] as number) > 1)
      most = facts.siblings[place] as number;
  }
  let firstItem = 0;
  for (const block of blocks) {
    const item = facts.outerItem[block.owner] ?? -1;
    if (item < 0 || (facts.words[item] as number) < 30) continue;
    firstItem = Math.log1p(facts.words[item] as number);
    break;
  }
  let first = 0;
  let second = 0;
  for (const tag of tags) {
    if (tag === 1) first += 1;
    else if (tag === 2) second += 1;
  }
  return {
    words: Math.log1p(words.length),
    blocks: Math.log1p(blocks.length),
    linkShare: fractionOf(linkChars, chars),
    paragraphs,
    articles: counts.get("article") ?? 0,
    h1: first,
    h2: second,
    forms: counts.get("form") ?? 0,
    tables: counts.get("table") ?? 0,
    alike: most,
    foldedWords: fractionOf(foldedWords, words.length),
    longShare: fractionOf(longWords, words.length),
    commentShare: fractionOf(commentWords, words.length),
    longOutsideComments: Math.log1p(longOutside),
    firstItemWords: firstItem,
  };
}

export function fractionOf(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
