// What the tags of a file say about its words: what is decoration, what a heading, and in which order blocks are read.
import type { Glyph, PageLayer, TagNode } from "./page-layer.ts";
import type { Word } from "./words.ts";

export interface TagFacts {
  /** Number of the block that marked content belongs to, in the order of the tags. */
  block: number;
  /** Level of a heading; 0 for other text. */
  level: number;
}

export interface PageTags {
  byMark: Map<number, TagFacts>;
  hasHeadings: boolean;
}

const blocks = new Set([
  "P",
  "H",
  "LI",
  "LBody",
  "Lbl",
  "TD",
  "TH",
  "Caption",
  "Note",
  "BlockQuote",
  "TOCI",
  "Figure",
  "Formula",
  "Title",
  "Code",
]);
/** Less than this and the tags were left behind by a program that did not mean them. */
const minCoverage = 0.8;

/** Null when the page has no tags, or they leave out much of its text. */
export function pageTags({ tags, glyphs }: Pick<PageLayer, "tags" | "glyphs">): PageTags | null {
  if (!tags) return null;
  const found: PageTags = { byMark: new Map(), hasHeadings: false };
  let count = 0;
  const walk = (node: TagNode, block: number, level: number) => {
    if (node.mark !== undefined) {
      if (node.mark >= 0) found.byMark.set(node.mark, { block, level });
      return;
    }
    const heading = levelOf(node.role);
    const isBlock = heading > 0 || blocks.has(node.role);
    if (isBlock) count += 1;
    if (heading > 0) found.hasHeadings = true;
    for (const child of node.children) walk(child, isBlock ? count : block, heading || (isBlock ? 0 : level));
  };
  walk(tags, 0, 0);
  const covered = glyphs.filter((glyph) => found.byMark.has(glyph.mark)).length;
  return glyphs.length > 0 && covered >= minCoverage * glyphs.length ? found : null;
}

function levelOf(role: string): number {
  if (role === "Title" || role === "H") return 1;
  const level = /^H([1-6])$/.exec(role)?.[1];
  return level ? Number(level) : 0;
}

/** Text that no tag names is decoration: running heads, page numbers, rules. Values of forms have no mark and stay. */
export function withoutDecoration(glyphs: readonly Glyph[], tags: PageTags): Glyph[] {
  return glyphs.filter((glyph) => tags.byMark.has(glyph.mark) || glyph.isField);
}

export function tagWords(words: readonly Word[], tags: PageTags): void {
  for (const word of words) {
    const facts = tags.byMark.get(word.mark);
    if (facts && facts.block > 0) word.tag = { ...facts, decides: tags.hasHeadings };
  }
}
