// Rows of shown values -> a table: blank edges and rows are left out, and large sheets are cut.

import { type Cell, escapeHtml, tableHtml } from "../html/document-html.ts";

/** In all sheets of a file together: more than a reader needs, and within the number of elements that a page may have. */
export const maxCells = 200_000;

export interface SheetCell {
  text: string;
  href?: string | undefined;
}

export interface Merge {
  row: number;
  column: number;
  rows: number;
  columns: number;
}

/** Counts the cells of a whole file. */
export class CellBudget {
  left = maxCells;
  isSpent = false;

  /** How many of these rows may still be shown. */
  take(rows: number, columns: number): number {
    const allowed = Math.min(rows, Math.floor(this.left / Math.max(1, columns)));
    this.left -= allowed * columns;
    if (allowed < rows) this.isSpent = true;
    return allowed;
  }
}

/** Empty when the sheet shows nothing. */
export function sheetTable(
  rows: readonly (readonly SheetCell[])[],
  merges: readonly Merge[],
  budget: CellBudget,
): string {
  const shown = shownArea(rows);
  if (!shown) return "";
  const { top, bottom, left, right } = shown;
  const starts = new Map(merges.map((merge) => [key(merge.row, merge.column), merge]));
  const covered = coveredCells(merges, bottom);
  const columns = shownColumns(rows, merges, left, right);
  const lines: number[] = [];
  for (let row = top; row <= bottom; row += 1)
    if (hasText(rows[row]) || hasCovered(covered, row, left, right)) lines.push(row);
  const taken = lines.slice(0, budget.take(lines.length, columns.length));
  const end = (taken.at(-1) ?? top) + 1;
  const made: Cell[][] = [];
  for (const row of taken) {
    const cells: Cell[] = [];
    for (const [place, column] of columns.entries()) {
      if (covered.has(key(row, column))) continue;
      const merge = starts.get(key(row, column));
      const across = Math.min(merge?.columns ?? 1, columns.length - place);
      cells.push({ html: cellHtml(rows[row]?.[column]), columns: across, rows: Math.min(merge?.rows ?? 1, end - row) });
    }
    if (cells.some(({ html, rows: down }) => html !== "" || down > 1) || hasCovered(covered, row, left, right))
      made.push(cells);
  }
  return tableHtml(made, hasHead(made) ? 1 : 0);
}

function cellHtml(cell: SheetCell | undefined): string {
  if (!cell || cell.text === "") return "";
  const html = escapeHtml(cell.text.trim()).replace(/\r\n?|\n/g, "<br>");
  return cell.href ? `<a href="${escapeHtml(cell.href)}">${html}</a>` : html;
}

/** A first row of names above rows of values. */
function hasHead([first, ...others]: readonly Cell[][]): boolean {
  return (
    first !== undefined &&
    others.length > 0 &&
    first.every(({ html }) => html !== "" && !/^[\d.,\s%$€£()+-]+$/.test(html))
  );
}

function shownArea(rows: readonly (readonly SheetCell[])[]) {
  let top = -1;
  let bottom = -1;
  let left = Number.POSITIVE_INFINITY;
  let right = -1;
  for (const [row, cells] of rows.entries()) {
    if (!cells) continue;
    for (let column = 0; column < cells.length; column += 1) {
      if (isBlank(cells[column])) continue;
      if (top === -1) top = row;
      bottom = row;
      left = Math.min(left, column);
      right = Math.max(right, column);
    }
  }
  return top === -1 ? null : { top, bottom, left, right };
}

/** More blank columns than this side by side are no part of a table's shape, but the way to a cell far from the others. */
const fewBlanks = 8;

function shownColumns(
  rows: readonly (readonly SheetCell[])[],
  merges: readonly Merge[],
  left: number,
  right: number,
): number[] {
  const used = new Set<number>();
  for (const cells of rows)
    for (const [column, cell] of (cells ?? []).entries()) if (!used.has(column) && !isBlank(cell)) used.add(column);
  for (const { column, columns } of merges)
    for (let at = column; at < column + columns && at <= right; at += 1) used.add(at);
  const shown: number[] = [];
  let last = left - 1;
  for (const column of [...used].filter((each) => each >= left && each <= right).sort((one, other) => one - other)) {
    if (column - last - 1 <= fewBlanks) for (let blank = last + 1; blank < column; blank += 1) shown.push(blank);
    shown.push(column);
    last = column;
  }
  return shown;
}

function isBlank(cell: SheetCell | undefined): boolean {
  return cell === undefined || cell.text === "" || cell.text.trim() === "";
}

function hasText(cells: readonly SheetCell[] | undefined): boolean {
  return cells?.some((cell) => !isBlank(cell)) ?? false;
}

const key = (row: number, column: number) => row * 20_000 + column;

function coveredCells(merges: readonly Merge[], bottom: number): Set<number> {
  const covered = new Set<number>();
  for (const { row, column, rows, columns } of merges) {
    for (let down = 0; down < rows && row + down <= bottom; down += 1) {
      for (let across = 0; across < columns; across += 1) {
        if (covered.size > maxCells) return covered;
        if (down + across > 0) covered.add(key(row + down, column + across));
      }
    }
  }
  return covered;
}

function hasCovered(covered: ReadonlySet<number>, row: number, left: number, right: number): boolean {
  for (let column = left; column <= right; column += 1) if (covered.has(key(row, column))) return true;
  return false;
}
