// What the tags of a file say about its words: decoration, headings and reading order.
import { boundsOf, groupBy } from "./geometry.ts";
import type { Box, Glyph, PageLayer, TagNode } from "./page-layer.ts";
import type { Word } from "./words.ts";

export interface TagFacts {
  /** Number of the block that marked content belongs to, in the order of the tags. */
  block: number;
  /** Level of a heading; 0 for other text. */
  level: number;
  isNote: boolean;
}

/** Content that represents something else: a formula, or text that is drawn differently from how it is written. */
interface Replaced {
  marks: number[];
  text: string;
  formula?: string;
  box?: Box;
  /** The text only describes it, so the drawn glyphs are kept. */
  isDescribed: boolean;
}

export interface PageTags {
  byMark: Map<number, TagFacts>;
  hasHeadings: boolean;
  replaced: Replaced[];
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
  "FENote",
  "BlockQuote",
  "TOCI",
  "Figure",
  "Formula",
  "Title",
  "Code",
]);
/** These are blocks unless they are inside a text. */
const inText = new Set(["Figure", "Formula", "Code"]);
/** Below this coverage, the tags are leftovers of another program. */
const minCoverage = 0.8;

/** Null when the page has no tags, or they leave out much of its text. */
export function pageTags({ tags, glyphs }: Pick<PageLayer, "tags" | "glyphs">): PageTags | null {
  if (!tags) return null;
  const found: PageTags = { byMark: new Map(), hasHeadings: false, replaced: [] };
  let count = 0;
  const walk = (node: TagNode, around: TagFacts) => {
    if (node.mark !== undefined) {
      if (node.mark >= 0) found.byMark.set(node.mark, around);
      return;
    }
    const level = levelOf(node.role);
    const isBlock = level > 0 || (blocks.has(node.role) && !(around.block > 0 && inText.has(node.role)));
    if (isBlock) count += 1;
    if (level > 0) found.hasHeadings = true;
    if (node.formula || node.text) found.replaced.push(replacedBy(node));
    const isNote = around.isNote || node.role === "Note" || node.role === "FENote";
    const facts = isBlock ? { block: count, level, isNote } : { ...around, isNote };
    for (const child of node.children) walk(child, facts);
  };
  walk(tags, { block: 0, level: 0, isNote: false });
  const covered = glyphs.filter((glyph) => found.byMark.has(glyph.mark)).length;
  return glyphs.length > 0 && covered >= minCoverage * glyphs.length ? found : null;
}

function replacedBy({ role, children, text = "", formula, box }: TagNode): Replaced {
  const marks: number[] = [];
  const collect = (node: TagNode) => {
    if (node.mark !== undefined) marks.push(node.mark);
    for (const child of node.children) collect(child);
  };
  for (const child of children) collect(child);
  const isDescribed = role === "Formula" && !formula;
  return { marks, text, isDescribed, ...(formula ? { formula } : {}), ...(box ? { box } : {}) };
}

/** The glyphs of a page; those that together represent something else are replaced by one. */
export function withReplaced(glyphs: readonly Glyph[], tags: PageTags): Glyph[] {
  if (tags.replaced.length === 0) return [...glyphs];
  const byMark = new Map<number, Replaced>();
  // The outermost replacement wins.
  for (const each of tags.replaced) for (const mark of each.marks) if (!byMark.has(mark)) byMark.set(mark, each);
  const drawn = groupBy(glyphs, (glyph) => byMark.get(glyph.mark));
  const kept = drawn.get(undefined) ?? [];
  return [...kept, ...tags.replaced.flatMap((replaced) => substituteFor(replaced, drawn.get(replaced) ?? []))];
}

function substituteFor(replaced: Replaced, drawn: readonly Glyph[]): Glyph[] {
  const { formula, box, marks } = replaced;
  const text = replaced.text.replace(/[\u00ad\s]+/g, " ").trim();
  const [first] = drawn;
  if (!first) {
    // Drawn as a picture: its position is the one that the file gives.
    if (!box || text === "" || !(box.x1 > box.x0 && box.y1 > box.y0)) return [];
    const size = Math.min(12, box.y1 - box.y0);
    const y = (box.y0 + box.y1) / 2 + 0.3 * size;
    const place = { x: box.x0, y, width: box.x1 - box.x0, size, font: 0, order: 0, isSpaced: true };
    return [{ ...place, text, mark: marks[0] ?? -1, ...(formula ? { formula } : {}) }];
  }
  const main = drawn.reduce((largest, glyph) => (glyph.size > largest.size ? glyph : largest), first);
  const isOneLine = drawn.every((glyph) => Math.abs(glyph.y - main.y) < 0.6 * main.size);
  // Text over two lines keeps its glyphs; a formula is one glyph, however high it is.
  if (replaced.isDescribed) return [...drawn];
  if (!formula && (!isOneLine || text === "" || text.length > 4 * drawn.length + 20)) return [...drawn];
  const bounds = boundsOf(drawn.map(({ x, y, width }) => ({ x0: x, y0: y, x1: x + width, y1: y })));
  const written = drawn.map((glyph) => glyph.text).join("");
  const last = drawn.at(-1) as Glyph;
  const place = { ...main, x: bounds.x0, width: bounds.x1 - bounds.x0, order: first.order, isSpaced: last.isSpaced };
  return [formula ? { ...place, text: text || written, formula } : { ...place, text }];
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
