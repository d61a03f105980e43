// Rows of a drawn table that hold several rows of values each, because no rule divides them.

import { wordsText } from "./segments.ts";
import type { GridCell, TableGrid } from "./table-grid.ts";
import { numeric } from "./word-grid.ts";
import type { Word } from "./words.ts";

export function splitStacked(grid: TableGrid): TableGrid {
  const cells: GridCell[] = [];
  let shift = 0;
  for (let row = 0; row < grid.rows; row += 1) {
    const own = grid.cells.filter((cell) => cell.row === row);
    const bases = own.every((cell) => cell.rows === 1) ? stackedBases(own, grid.cells, row) : [];
    for (const cell of own)
      cells.push(...(bases.length > 1 ? dealt(cell, bases, row + shift) : [{ ...cell, row: row + shift }]));
    if (bases.length > 1) shift += bases.length - 1;
  }
  return shift === 0 ? grid : { ...grid, rows: grid.rows + shift, cells };
}

/** The baselines of the values, if every cell of the row has a line on each of them. */
function stackedBases(own: readonly GridCell[], all: readonly GridCell[], row: number): number[] {
  if (all.some((cell) => cell.row < row && cell.row + cell.rows > row)) return [];
  const filled = own.filter((cell) => cell.words.length > 0);
  const lists = filled.map((cell) => linesIn(cell.words));
  const values = lists
    .filter((lines) => lines.length > 1 && lines.every((line) => numeric.test(wordsText(line))))
    .sort((a, b) => b.length - a.length)[0];
  if (!values || filled.length < 2) return [];
  const bases = values.map((line) => line[0]?.base ?? 0);
  const isAligned = lists.every(
    (lines) =>
      lines.length >= 0.6 * bases.length &&
      lines.every((line) => bases.some((base) => Math.abs((line[0]?.base ?? 0) - base) < 4)),
  );
  return isAligned ? bases : [];
}

function linesIn(words: readonly Word[]): Word[][] {
  const lines: Word[][] = [];
  for (const word of [...words].sort((a, b) => a.base - b.base || a.x0 - b.x0)) {
    const line = lines.at(-1);
    if (line && Math.abs((line[0] as Word).base - word.base) < 0.5 * word.size) line.push(word);
    else lines.push([word]);
  }
  return lines.map((line) => line.sort((a, b) => a.x0 - b.x0));
}

function dealt(cell: GridCell, bases: readonly number[], row: number): GridCell[] {
  const height = (cell.y1 - cell.y0) / bases.length;
  return bases.map((base, at) => ({
    ...cell,
    row: row + at,
    y0: cell.y0 + at * height,
    y1: cell.y0 + (at + 1) * height,
    words: cell.words.filter((word) => Math.abs(word.base - base) < 0.5 * word.size),
  }));
}
