// Paragraphs and tables that go on in the next column or on the next page.

import type { TableGrid } from "../table-grid.ts";
import { type DocumentWords, plainText, readingWords } from "./join-text.ts";
import { cellLines, type DocumentPiece, type Notes } from "./layout-html.ts";
import { listMarker, type Paragraph } from "./paragraph.ts";

/** A table that goes on at the top of the next page is one table, whatever is at the foot of the first. */
export function joinTables(pieces: readonly DocumentPiece[], vocabulary: DocumentWords, notes: Notes): DocumentPiece[] {
  const result: DocumentPiece[] = [];
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

const continued = /^(?:.{0,100}\W)?(?:continued|cont(?:['’]d|d?\.)|fortsetzung)(?: (?:from|on) .{0,40})?\W*$/i;

function isContinued(piece: DocumentPiece): boolean {
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
export function joinParagraphs(
  pieces: readonly DocumentPiece[],
  vocabulary: DocumentWords,
  notes: Notes,
): DocumentPiece[] {
  const result: DocumentPiece[] = [];
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
