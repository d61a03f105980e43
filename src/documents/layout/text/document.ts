// Pages of blocks -> one document: running heads dropped, paragraphs and tables joined over pages, headings and lists found.
import { escapeHtml } from "../../html/escape.ts";
import type { PageBlock } from "../page-blocks.ts";
import { boundsOf } from "../segments.ts";
import type { TableGrid } from "../table-grid.ts";
import { isRightToLeft, type Word } from "../words.ts";
import { type FootNote, findNotes } from "./footnotes.ts";
import { bodySize, headingLevels, isHeading } from "./headings.ts";
import {
  cellLines,
  codeText,
  createWriting,
  gridHtml,
  inline,
  noteHtml,
  type PlacedTable,
  paragraphHtml,
  type Writing,
  type WrittenPage,
  withoutMarker,
} from "./html.ts";
import { DocumentWords, plainText, readingWords, runsOf } from "./join-text.ts";
import { type ListMarker, listMarker } from "./list-marker.ts";
import { type Paragraph, paragraphsOf } from "./paragraph.ts";
import { withoutRunningHeads } from "./running-heads.ts";

export interface ReadPageBlocks extends WrittenPage {
  blocks: PageBlock[];
  /** Heights of rules that can divide notes from the text. */
  noteRules?: readonly number[];
}

/** What a language model wrote of a page. */
interface ToldPage {
  kind: "told";
  page: number;
  blocks: readonly string[];
}

type Piece = Paragraph | PlacedTable | ToldPage;

/** `styles` are those of headings on earlier pages of the same document. */
export function documentHtml(
  pages: readonly ReadPageBlocks[],
  outline: ReadonlySet<string>,
  styles = new Set<number>(),
): string {
  const blocks = withoutRunningHeads(pages);
  const kept = pages.flatMap((page, at): Piece[] => {
    if (page.told) return [{ kind: "told", page: page.number, blocks: page.told }];
    return (blocks[at] ?? []).flatMap((block): Piece[] =>
      block.kind === "table"
        ? [{ kind: "table", page: page.number, grid: block, more: [] }]
        : paragraphsOf(block, page.number),
    );
  });
  const vocabulary = new DocumentWords();
  for (const piece of kept) {
    if (piece.kind === "text") for (const line of piece.lines) vocabulary.add(line.words);
  }
  const paragraphs = kept.filter((piece) => piece.kind === "text");
  const body = bodySize(paragraphs);
  const notes = findNotes(paragraphs, tableWords(kept), body, pages);
  const joined = joinParagraphs(joinTables(kept, vocabulary, notes), vocabulary, notes);
  return render(joined, createWriting(vocabulary, pages), { pages, outline, styles, body, notes });
}

type Notes = ReadonlyMap<Piece, FootNote>;

function tableWords(pieces: readonly Piece[]): Map<number, Word[]> {
  const words = new Map<number, Word[]>();
  for (const piece of pieces) {
    if (piece.kind !== "table") continue;
    const list = words.get(piece.page) ?? [];
    for (const cell of piece.grid.cells) list.push(...cell.words);
    words.set(piece.page, list);
  }
  return words;
}

/** A table that goes on at the top of the next page is one table, whatever stands at the foot of the first. */
function joinTables(pieces: readonly Piece[], vocabulary: DocumentWords, notes: Notes): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const at = piece.kind === "table" ? result.findLastIndex((each) => !notes.has(each) && !isContinued(each)) : -1;
    const last = result[at];
    const end = last?.kind === "table" ? (last.more.at(-1) ?? last) : undefined;
    if (
      piece.kind === "table" &&
      last?.kind === "table" &&
      end &&
      piece.page === end.page + 1 &&
      isSameShape(last.grid, piece.grid)
    ) {
      last.more.push({ page: piece.page, grid: withoutHeader(piece.grid, last.grid, vocabulary) });
      // What says that the table goes on is said by the table.
      result.splice(at + 1, result.length, ...result.slice(at + 1).filter((each) => !isContinued(each)));
    } else result.push(piece);
  }
  return result;
}

const continued = /^\(?(?:table\b.{0,80}|tab\..{0,80}|.{0,60}\()?\b(?:continued|cont(?:['’]d|d\.?|\.)|fortsetzung|suite)\b/i;

function isContinued(piece: Piece): boolean {
  if (piece.kind !== "text" || piece.lines.length > 2) return false;
  return continued.test(piece.lines.flatMap((line) => line.words.map((word) => word.text)).join(" "));
}

function isSameShape(a: TableGrid, b: TableGrid): boolean {
  return a.columns === b.columns && Math.abs(a.x0 - b.x0) < 15 && Math.abs(a.x1 - b.x1) < 15;
}

function withoutHeader(grid: TableGrid, first: TableGrid, vocabulary: DocumentWords): TableGrid {
  const head = (table: TableGrid) =>
    table.cells
      .filter((cell) => cell.row === 0)
      .map((cell) => plainText(cellLines(cell), vocabulary))
      .join("|");
  if (head(grid) !== head(first) || grid.rows < 2) return grid;
  const cells = grid.cells.filter((cell) => cell.row > 0).map((cell) => ({ ...cell, row: cell.row - 1 }));
  return { ...grid, rows: grid.rows - 1, cells };
}

/** A paragraph that stops in the middle of a sentence goes on in the next column or on the next page. */
function joinParagraphs(pieces: readonly Piece[], vocabulary: DocumentWords, notes: Notes): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.findLast((each) => each.kind === "text" && !notes.has(each));
    if (piece.kind === "text" && last?.kind === "text" && goesOn(last, piece, vocabulary)) {
      last.rest = [...(last.rest ?? []), piece];
    } else result.push(piece);
  }
  return result;
}

function goesOn(last: Paragraph, next: Paragraph, vocabulary: DocumentWords): boolean {
  const end = last.rest?.at(-1) ?? last;
  const isElsewhere = next.page !== end.page || next.y0 < end.y0 || Math.abs(next.column.x0 - end.column.x0) > 30;
  if (!isElsewhere || next.page > end.page + 1) return false;
  if (last.isBold !== next.isBold || last.isMono || next.isMono || Math.abs(last.size - next.size) > 0.06 * next.size)
    return false;
  if (end.lines.length < 2 && next.lines.length < 2) return false;
  if (listMarker(readingWords(next.lines[0]?.words ?? []))) return false;
  const tail = plainText(end.lines.slice(-1), vocabulary);
  const head = plainText(next.lines.slice(0, 1), vocabulary);
  return /[\p{L}\p{N},;–—-]$/u.test(tail) && /^\p{Ll}/u.test(head);
}

interface RenderFacts {
  pages: readonly ReadPageBlocks[];
  outline: ReadonlySet<string>;
  styles: Set<number>;
  body: number;
  notes: Notes;
}

function render(pieces: readonly Piece[], writing: Writing, { pages, outline, styles, body, notes }: RenderFacts): string {
  const heights = new Map(pages.map((page) => [page.number, page.height]));
  const paragraphs = pieces.filter((piece) => piece.kind === "text");
  const boldLetters = paragraphs.reduce((sum, each) => sum + (each.isBold ? lettersOf(each) : 0), 0);
  const isBodyBold = boldLetters > 0.4 * paragraphs.reduce((sum, each) => sum + lettersOf(each), 0);
  const recognized = new Set(pages.filter(({ confidence }) => confidence !== undefined).map(({ number }) => number));
  const headings = paragraphs.flatMap((paragraph) => {
    const text = plainText(paragraph.lines, writing.words);
    const facts = {
      text,
      paragraph,
      pageHeight: heights.get(paragraph.page) ?? 0,
      isOnlyPage: pages.length === 1,
      isRecognized: recognized.has(paragraph.page),
    };
    const isNamed = outline.has(outlineKey(text)) && paragraph.size >= 0.95 * body;
    if (paragraph.rest || notes.get(paragraph)?.id) return [];
    return isNamed || isHeading(facts, body, isBodyBold) ? [{ text, paragraph }] : [];
  });
  const levels = new Map(headingLevels(headings, styles).map((level, at) => [headings[at]?.paragraph, level]));
  const parts: string[] = [];
  for (let at = 0; at < pieces.length; ) {
    const piece = pieces[at] as Piece;
    if (piece.kind !== "text") {
      parts.push(piece.kind === "table" ? gridHtml(piece, writing) : toldHtml(piece, writing));
      at += 1;
      continue;
    }
    const level = levels.get(piece);
    if (level !== undefined) {
      parts.push(`<h${level}${writing.place(piece.page, piece)}>${paragraphHtml(piece, writing)}</h${level}>`);
      at += 1;
      continue;
    }
    const note = notes.get(piece);
    if (note?.id) {
      parts.push(noteHtml(piece, note, writing));
      at += 1;
      continue;
    }
    const items = listFrom(pieces, at, levels, notes);
    if (items.length > 0) {
      parts.push(listHtml(items, writing));
      at += items.length;
    } else {
      parts.push(
        piece.isMono && piece.lines.length > 1
          ? `<pre${writing.place(piece.page, piece)}><code>${escapeHtml(codeText(piece.lines))}</code></pre>`
          : `<p${note ? ' class="footnote"' : ""}${writing.place(piece.page, piece)}>${paragraphHtml(piece, writing)}</p>`,
      );
      at += 1;
    }
  }
  return parts.join("\n");
}

function toldHtml({ page, blocks }: ToldPage, { place }: Writing): string {
  return blocks.map((html) => html.replace(/^<[a-z][a-z0-9]*/, (tag) => tag + place(page, null))).join("\n");
}

export function outlineKey(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

const lettersOf = (paragraph: Paragraph) =>
  paragraph.lines.reduce((sum, line) => sum + line.words.reduce((count, word) => count + word.text.length, 0), 0);

interface Item {
  paragraph: Paragraph;
  marker: ListMarker;
}

/** Items from here on: bullets, or numbers that count up. */
function listFrom(
  pieces: readonly Piece[],
  at: number,
  levels: ReadonlyMap<Paragraph | undefined, number>,
  notes: Notes,
): Item[] {
  const items: Item[] = [];
  for (let place = at; place < pieces.length; place += 1) {
    const piece = pieces[place] as Piece;
    if (piece.kind !== "text" || levels.has(piece) || notes.get(piece)?.id) break;
    const marker = listMarker(readingWords(piece.lines[0]?.words ?? []));
    if (!marker) break;
    items.push({ paragraph: piece, marker });
  }
  if (items[0]?.marker.kind !== "number") {
    const end = items.findIndex(({ marker }) => marker.kind === "number");
    return end < 0 ? items : items.slice(0, end);
  }
  const counted = items.filter(
    ({ marker }, at) => marker.kind === "number" && marker.value === (items[0] as Item).marker.value + at,
  );
  return counted.length > 1 ? counted : [];
}

function listHtml(items: readonly Item[], { words: vocabulary, place }: Writing): string {
  const isNumbered = items[0]?.marker.kind === "number";
  const { x0, x1 } = boundsOf(items.map(({ paragraph }) => paragraph));
  const isTurned = isRightToLeft(items.flatMap(({ paragraph }) => paragraph.lines.flatMap((line) => line.words)));
  const indentOf = ({ paragraph }: Item) => (isTurned ? x1 - paragraph.x1 : paragraph.x0 - x0);
  const depthOf = (item: Item) => (isNumbered ? 0 : Math.min(3, Math.floor((indentOf(item) + 2) / 14)));
  let html = "";
  let open = -1;
  for (const item of items) {
    const depth = Math.min(depthOf(item), open + 1);
    if (depth > open) {
      html += isNumbered ? `<ol start="${item.marker.value}">` : "<ul>";
      open = depth;
    } else {
      html += "</li>";
      while (open > depth) {
        html += "</ul></li>";
        open -= 1;
      }
    }
    const lines = withoutMarker(item.paragraph.lines, item.marker.length);
    const rest = (item.paragraph.rest ?? [])
      .map((part) => ` ${inline(runsOf(part.lines, vocabulary), false)}`)
      .join("");
    html += `<li${place(item.paragraph.page, item.paragraph)}>${inline(runsOf(lines, vocabulary), false)}${rest}`;
  }
  html += "</li>";
  while (open > 0) {
    html += "</ul></li>";
    open -= 1;
  }
  return html + (isNumbered ? "</ol>" : "</ul>");
}
