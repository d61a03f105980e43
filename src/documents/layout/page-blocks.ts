// One page -> its blocks in reading order: running text and tables. This is how words become blocks:
//
// 1. words.ts joins glyphs into words, and words on one baseline into rows; tags.ts adds what a tagged file says of them.
// 2. segments.ts cuts rows at wide gaps and rules into segments, and puts segments side by side into lines.
// 3. ruled-tables.ts takes the words inside lattices of rules out as tables (table-grid.ts: rows, columns, spans).
// 4. text-blocks.ts finds the gutters between columns; open-tables.ts looks in each column for lines whose gaps line up, and
//    word-grid.ts makes grids of them: which pieces share a column, which lines share a row.
// 5. What is left becomes text blocks, lines one below the other; labels of charts are gathered.
// 6. reading-order.ts sorts text and tables, unless tags say the order.
//
// text/ then turns the blocks of all pages into one document. Units are points from the top left corner of the page.

import { boundsOf, centreOf } from "./geometry.ts";
import { openTables } from "./open-tables.ts";
import { type LinkArea, type PageLayer, turnBox } from "./page-layer.ts";
import { inReadingOrder } from "./reading-order.ts";
import { type PageRules, ruledTables, rulesOf, splitStacked } from "./ruled-tables.ts";
import {
  type Line,
  lineOf,
  linesOf,
  lineWords,
  piecesOf,
  type Segment,
  segmentOf,
  segmentsOf,
  wordsText,
} from "./segments.ts";
import { compact, type TableGrid } from "./table-grid.ts";
import { pageTags, tagWords, withoutDecoration, withReplaced } from "./tags.ts";
import { blocksOf, byColumn, firstOrder, gatherFragments, guttersOf, type TextBlock } from "./text-blocks.ts";
import { isRightToLeft, letterCount, type Row, type Word, wordRows } from "./words.ts";

/** No page of a document has more words; what has is read line by line, without asking what belongs together. */
const maxWords = 12_000;

export type PageBlock = ({ kind: "text" } & TextBlock) | ({ kind: "table"; order: number } & TableGrid);

export function pageBlocks(layer: PageLayer): PageBlock[] {
  const tags = pageTags(layer);
  if (!tags) return layoutOf(wordRows(layer.glyphs, layer.fonts), rulesOf(layer), layer, turnedBlocks(layer));
  const rows = wordRows(withReplaced(withoutDecoration(layer.glyphs, tags), tags), layer.fonts);
  for (const row of rows) tagWords(row.words, tags);
  const turned = layer.turned.map((each) => ({ ...each, glyphs: withoutDecoration(each.glyphs, tags) }));
  return layoutOf(rows, rulesOf(layer), layer, turnedBlocks({ ...layer, turned }));
}

/** How many letters blocks hold. */
export function lettersIn(blocks: readonly PageBlock[]): number {
  return blocks.reduce((sum, block) => sum + letterCount(wordsIn(block)), 0);
}

function wordsIn(block: PageBlock): Word[] {
  return block.kind === "table" ? block.cells.flatMap((cell) => cell.words) : block.lines.flatMap(lineWords);
}

/** Text that runs up or down the page, line by line, each with its place on the page. */
function turnedBlocks(layer: PageLayer): TextBlock[] {
  return layer.turned.flatMap(({ quarterTurns, glyphs }) => {
    const isSideways = quarterTurns % 2 === 1;
    const width = isSideways ? layer.height : layer.width;
    const height = isSideways ? layer.width : layer.height;
    if (glyphs.length === 0) return [];
    const rows = wordRows(glyphs, layer.fonts);
    const isFull = rows.reduce((sum, row) => sum + row.words.length, 0) > maxWords;
    const blocks = isFull ? [plainLines(rows)] : blocksOf(segmentsOf(rows, []), [], []);
    return blocks.map((block) => {
      const lines = block.lines.map((line) => ({ ...line, ...turnBox(line, (4 - quarterTurns) % 4, width, height) }));
      return { ...block, lines, ...boundsOf(lines), isLines: true };
    });
  });
}

/** The same for words that were recognized. Their lines are read across, unless columns of running text divide them. */
export function scanBlocks(rows: readonly Row[], pageWidth: number): PageBlock[] {
  const segments = segmentsOf(rows, []);
  const gutters = guttersOf(segments, pageWidth);
  if (gutters.length > 0) return layoutOf(rows, { horizontal: [], vertical: [] }, { links: [], width: pageWidth }, []);
  const lines = linesOf(segments);
  const blocks: PageBlock[] = [];
  let rest = lines;
  for (const { grid, lines: used } of openTables(lines, [])) {
    // Letters that were misread make rows uneven; only a table without doubt is shown as one.
    if (!grid || grid.rows < 3 || grid.cells.some((cell) => cell.columns > 1)) continue;
    if (grid.cells.filter((cell) => cell.words.length === 0).length > 0.2 * grid.cells.length) continue;
    rest = rest.filter((line) => !used.includes(line));
    blocks.push(tableBlock(grid));
  }
  for (const line of rest) {
    const last = blocks.at(-1);
    const before = last?.kind === "text" ? last.lines.at(-1) : undefined;
    if (last?.kind === "text" && before && line.base - before.base < 1.8 * line.size && isLineByLine(before, line)) {
      last.lines.push(line);
      Object.assign(last, boundsOf(last.lines));
    } else blocks.push({ kind: "text", lines: [line], ...boundsOf([line]), order: firstOrder([line]) });
  }
  return blocks.sort((a, b) => a.y0 - b.y0);
}

function isLineByLine(before: Line, line: Line): boolean {
  return before.segments.length === 1 && line.segments.length === 1;
}

function layoutOf(
  rows: readonly Row[],
  rules: PageRules,
  { links, width: pageWidth }: Pick<PageLayer, "links" | "width">,
  turned: readonly TextBlock[],
): PageBlock[] {
  const words = rows.flatMap((row) => row.words);
  addLinks(words, links);
  if (words.length > maxWords) return [plainLines(rows), ...turned].map((block) => ({ kind: "text", ...block }));
  const segments = segmentsOf(rows, rules.vertical);
  const tables: PageBlock[] = [];
  let free: Segment[] = segments;
  for (const found of ruledTables(rules, words)) {
    const drawn = compact(found);
    if (!isTable(drawn) || isUnderRuled(drawn)) continue;
    const grid = splitStacked(drawn);
    const inside = new Set(grid.cells.flatMap((cell) => cell.words));
    free = without(free, inside);
    tables.push(tableBlock(grid));
  }
  const contents: TextBlock[] = [];
  const gutters = guttersOf(free, pageWidth);
  for (const column of byColumn(free, gutters)) {
    for (const { grid, lines, segments: used } of openTables(linesOf(column), rules.horizontal)) {
      free = free.filter((segment) => !used.has(segment));
      if (grid) tables.push(tableBlock(grid));
      else
        contents.push({
          lines,
          ...boundsOf(lines),
          order: firstOrder(lines),
          isLines: true,
        });
    }
  }
  const blocks = [...gatherFragments(blocksOf(free, gutters, rules.horizontal), pageWidth), ...contents, ...turned].map(
    (block): PageBlock => ({ kind: "text", ...block }),
  );
  return byTags(inReadingOrder([...blocks, ...tables], isRightToLeft(words)));
}

/** Tags know the order in which blocks are read; blocks without stay behind the one before them. */
function byTags(blocks: readonly PageBlock[]): PageBlock[] {
  const ranked = blocks.map((block) => {
    const rank = wordsIn(block).reduce(
      (least, word) => Math.min(least, word.tag?.block ?? least),
      Number.POSITIVE_INFINITY,
    );
    return { block, rank };
  });
  if (!ranked.some(({ rank }) => Number.isFinite(rank))) return [...blocks];
  ranked.forEach((each, at) => {
    if (!Number.isFinite(each.rank)) each.rank = ranked[at - 1]?.rank ?? 0;
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ block }) => block);
}

function plainLines(rows: readonly Row[]): TextBlock {
  const lines = rows.map((row) => lineOf([segmentOf(row.words)]));
  return { lines, ...boundsOf(lines), order: 0, isLines: true };
}

function addLinks(words: readonly Word[], links: readonly LinkArea[]): void {
  for (const { box, url } of links) {
    for (const word of words) {
      const { x, y } = centreOf(word);
      if (x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1) word.url = url;
    }
  }
}

function tableBlock(grid: TableGrid): PageBlock {
  const orders = grid.cells.flatMap((cell) => cell.words.map((word) => word.order));
  return { kind: "table", order: Math.min(...orders), ...grid };
}

/** Segments without the words of a table; what is left of a segment stays. */
function without(segments: readonly Segment[], inside: ReadonlySet<Word>): Segment[] {
  return segments.flatMap((segment) => {
    const left = segment.words.filter((word) => !inside.has(word));
    if (left.length === segment.words.length) return [segment];
    return left.length > 0 ? [segmentOf(left)] : [];
  });
}

/** A frame around text, the rules of a chart and the boxes of a diagram are no tables. */
function isTable(grid: TableGrid): boolean {
  if (grid.rows < 1 || grid.columns < 2) return false;
  const filled = grid.cells.filter((cell) => cell.words.length > 0);
  if (filled.length < 3) return false;
  if (grid.rows < 2) return false;
  const rows = new Set(filled.map((cell) => cell.row));
  const columns = new Set(filled.map((cell) => cell.column));
  if (rows.size < 2 || columns.size < 2) return false;
  return filled.length >= 0.25 * grid.cells.length;
}

/** Rules around groups of cells only: their content must be divided by its gaps. */
function isUnderRuled(grid: TableGrid): boolean {
  let divided = 0;
  let words = 0;
  for (const cell of grid.cells) {
    const rows = piecesInside(cell.words);
    const several = rows.filter((count) => count >= 2).length;
    words += cell.words.length;
    if (several >= 4) return true;
    if (several >= 2 && several >= 0.6 * rows.length) divided += cell.words.length;
    else if (cell.columns > 1 && rows.length === 1 && (rows[0] ?? 0) >= Math.max(3, 0.5 * cell.columns))
      divided += cell.words.length;
  }
  return divided > 0.35 * words;
}

/** For each line inside, how many pieces it falls into. */
function piecesInside(words: readonly Word[]): number[] {
  const lines = linesOf(words.map((word) => segmentOf([word])));
  return lines.map((line) => piecesOf(line).filter((piece) => !/^[^\p{L}\p{N}]$/u.test(wordsText(piece.words))).length);
}
