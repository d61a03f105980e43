// A table as a grid: cells that may span, each with its words.
import type { Box } from "./page-layer.ts";
import type { Word } from "./words.ts";

export interface GridCell extends Box {
  row: number;
  column: number;
  rows: number;
  columns: number;
  words: Word[];
}

export interface TableGrid extends Box {
  rows: number;
  columns: number;
  cells: GridCell[];
  /** Its cells are drawn, not guessed. */
  isRuled: boolean;
}

/** Removes rows and columns without cells that start in them. */
export function compact(table: TableGrid): TableGrid {
  const rows = used(table.rows, table.cells, "row", "rows");
  const columns = used(table.columns, table.cells, "column", "columns");
  if (rows.count === table.rows && columns.count === table.columns) return table;
  const cells = table.cells.flatMap((cell) => {
    const row = rows.place[cell.row] as number;
    const column = columns.place[cell.column] as number;
    const height = (rows.place[cell.row + cell.rows] as number) - row;
    const width = (columns.place[cell.column + cell.columns] as number) - column;
    return height > 0 && width > 0 ? [{ ...cell, row, column, rows: height, columns: width }] : [];
  });
  return { ...table, rows: rows.count, columns: columns.count, cells };
}

/** A line of the grid is used when a cell with words starts in it, or ends in it beside others. */
function used(
  length: number,
  cells: readonly GridCell[],
  start: "row" | "column",
  span: "rows" | "columns",
): { place: number[]; count: number } {
  const isUsed = new Array<boolean>(length).fill(false);
  for (const cell of cells) if (cell.words.length > 0 && cell[span] === 1) isUsed[cell[start]] = true;
  // A spanning cell over lines that no other cell uses still needs one of them.
  for (const cell of cells) {
    if (cell.words.length === 0 || cell[span] === 1) continue;
    const lines = isUsed.slice(cell[start], cell[start] + cell[span]);
    if (!lines.includes(true)) isUsed[cell[start]] = true;
  }
  const place: number[] = [];
  let count = 0;
  for (let at = 0; at <= length; at += 1) {
    place.push(count);
    if (at < length && isUsed[at]) count += 1;
  }
  return { place, count };
}
