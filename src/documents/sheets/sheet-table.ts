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
  const count = budget.take(bottom - top + 1, right - left + 1);
  const starts = new Map(merges.map((merge) => [key(merge.row, merge.column), merge]));
  const covered = coveredCells(merges, bottom);
  const made: Cell[][] = [];
  for (let row = top; row < top + count; row += 1) {
    const line = rows[row] ?? [];
    const cells: Cell[] = [];
    for (let column = left; column <= right; column += 1) {
      if (covered.has(key(row, column))) continue;
      const merge = starts.get(key(row, column));
      const columns = Math.min(merge?.columns ?? 1, right - column + 1);
      cells.push({ html: cellHtml(line[column]), columns, rows: Math.min(merge?.rows ?? 1, top + count - row) });
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
      const text = cells[column]?.text ?? "";
      if (text === "" || text.trim() === "") continue;
      if (top === -1) top = row;
      bottom = row;
      left = Math.min(left, column);
      right = Math.max(right, column);
    }
  }
  return top === -1 ? null : { top, bottom, left, right };
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
