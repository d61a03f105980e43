// Rules of a page -> tables whose cells are drawn: lattices of rules that cross.

import { boundsOf, centreOf, createUnions, groupBy, splitWhere } from "./geometry.ts";
import type { Box, PageLayer } from "./page-layer.ts";
import { wordsText } from "./segments.ts";
import type { GridCell, TableGrid } from "./table-grid.ts";
import { numeric } from "./word-grid.ts";
import type { Word } from "./words.ts";

export interface PageRules {
  horizontal: Box[];
  vertical: Box[];
}

const joinGap = 3;

export function rulesOf(layer: PageLayer): PageRules {
  const fills = cellFills(layer);
  return {
    horizontal: joined([...layer.horizontal, ...fills.flatMap(horizontalEdges)], "y0", "y1", "x0", "x1"),
    vertical: joined([...layer.vertical, ...fills.flatMap(verticalEdges)], "x0", "x1", "y0", "y1"),
  };
}

/** Boxes that look like shaded cells: several of them, side by side or one below the other. */
function cellFills(layer: PageLayer): Box[] {
  const cells = layer.fills.filter(
    ({ x0, y0, x1, y1 }) => y1 - y0 >= 6 && y1 - y0 <= 120 && x1 - x0 >= 12 && x1 - x0 < 0.98 * layer.width,
  );
  if (cells.length < 4 || cells.length > 3000) return [];
  return cells.filter((cell) =>
    cells.some(
      (other) =>
        other !== cell &&
        Math.abs(other.y0 - cell.y0) < 2 &&
        Math.abs(other.y1 - cell.y1) < 2 &&
        Math.min(Math.abs(other.x0 - cell.x1), Math.abs(cell.x0 - other.x1)) < 4,
    ),
  );
}

const horizontalEdges = ({ x0, y0, x1, y1 }: Box): Box[] => [
  { x0, y0, x1, y1: y0 },
  { x0, y0: y1, x1, y1 },
];
const verticalEdges = ({ x0, y0, x1, y1 }: Box): Box[] => [
  { x0, y0, x1: x0, y1 },
  { x0: x1, y0, x1, y1 },
];

type Side = keyof Box;

function joined(rules: readonly Box[], a0: Side, a1: Side, b0: Side, b1: Side): Box[] {
  const sorted = rules
    .map((rule) => ({ ...rule }))
    .sort((p, q) => (p[a0] + p[a1]) / 2 - (q[a0] + q[a1]) / 2 || p[b0] - q[b0]);
  const middle = (rule: Box) => (rule[a0] + rule[a1]) / 2;
  const groups = splitWhere(sorted, (rule, [first]) => middle(rule) - middle(first as Box) > 1.6);
  const lines: Box[] = [];
  for (const group of groups) {
    group.sort((p, q) => p[b0] - q[b0]);
    let last: Box | undefined;
    for (const rule of group) {
      if (last && rule[b0] <= last[b1] + joinGap) {
        last[b1] = Math.max(last[b1], rule[b1]);
        last[a0] = Math.min(last[a0], rule[a0]);
        last[a1] = Math.max(last[a1], rule[a1]);
      } else {
        last = rule;
        lines.push(rule);
      }
    }
  }
  return lines;
}

const reach = 3;
const maxLines = 400;

/** Every lattice with at least two cells, with the words inside. */
export function ruledTables(rules: PageRules, words: readonly Word[]): TableGrid[] {
  return lattices(rules).flatMap((lattice) => {
    const table = tableOf(lattice, words);
    return table ? [table] : [];
  });
}

/** Groups of rules that touch each other. */
function lattices({ horizontal, vertical }: PageRules): PageRules[] {
  if (horizontal.length > maxLines || vertical.length > maxLines) return [];
  const { join, rootOf } = createUnions(horizontal.length + vertical.length);
  horizontal.forEach((across, a) => {
    vertical.forEach((down, b) => {
      const isCrossing =
        down.x0 >= across.x0 - reach &&
        down.x1 <= across.x1 + reach &&
        across.y0 >= down.y0 - reach &&
        across.y1 <= down.y1 + reach;
      if (isCrossing) join(horizontal.length + b, a);
    });
  });
  const rules = [...horizontal.keys(), ...vertical.map((_, at) => horizontal.length + at)];
  return [...groupBy(rules, rootOf).values()]
    .map((group) => ({
      horizontal: group.flatMap((at) => horizontal[at] ?? []),
      vertical: group.flatMap((at) => vertical[at - horizontal.length] ?? []),
    }))
    .filter((group) => group.horizontal.length >= 2 && group.vertical.length >= 1);
}

/** Where lines are: values that are close to each other are one. */
function places(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const groups = splitWhere(sorted, (value, group) => value - (group[0] as number) > reach);
  return groups.map((group) => group.reduce((sum, each) => sum + each, 0) / group.length);
}

function tableOf(lattice: PageRules, words: readonly Word[]): TableGrid | null {
  const bounds = boundsOf([...lattice.horizontal, ...lattice.vertical]);
  // Open sides are closed by the ends of the rules that reach them.
  const xs = places([bounds.x0, bounds.x1, ...lattice.vertical.map((rule) => (rule.x0 + rule.x1) / 2)]);
  const ys = places([bounds.y0, bounds.y1, ...lattice.horizontal.map((rule) => (rule.y0 + rule.y1) / 2)]);
  const columns = xs.length - 1;
  const rows = ys.length - 1;
  if (columns < 1 || rows < 1 || columns * rows < 2 || columns * rows > 20_000) return null;
  const hasDown = (x: number, y0: number, y1: number) =>
    lattice.vertical.some(
      (rule) =>
        Math.abs((rule.x0 + rule.x1) / 2 - x) <= reach &&
        rule.y0 <= y0 + (y1 - y0) * 0.35 &&
        rule.y1 >= y1 - (y1 - y0) * 0.35,
    );
  const hasAcross = (y: number, x0: number, x1: number) =>
    lattice.horizontal.some(
      (rule) =>
        Math.abs((rule.y0 + rule.y1) / 2 - y) <= reach &&
        rule.x0 <= x0 + (x1 - x0) * 0.35 &&
        rule.x1 >= x1 - (x1 - x0) * 0.35,
    );
  const owner: number[][] = Array.from({ length: rows }, () => new Array<number>(columns).fill(-1));
  const cells: GridCell[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      if (owner[row]?.[column] !== -1) continue;
      const top = ys[row] as number;
      const bottom = ys[row + 1] as number;
      let right = column;
      while (right + 1 < columns && owner[row]?.[right + 1] === -1 && !hasDown(xs[right + 1] as number, top, bottom))
        right += 1;
      let low = row;
      const isOpen = (at: number) => {
        for (let each = column; each <= right; each += 1) {
          if (owner[at + 1]?.[each] !== -1) return false;
          if (hasAcross(ys[at + 1] as number, xs[each] as number, xs[each + 1] as number)) return false;
          if (each > column && hasDown(xs[each] as number, ys[at + 1] as number, ys[at + 2] as number)) return false;
        }
        return true;
      };
      while (low + 1 < rows && isOpen(low)) low += 1;
      for (let y = row; y <= low; y += 1)
        for (let x = column; x <= right; x += 1) (owner[y] as number[])[x] = cells.length;
      cells.push({
        row,
        column,
        rows: low - row + 1,
        columns: right - column + 1,
        words: [],
        x0: xs[column] as number,
        y0: top,
        x1: xs[right + 1] as number,
        y1: ys[low + 1] as number,
      });
    }
  }
  for (const word of words) {
    const { x, y } = centreOf(word);
    if (x < bounds.x0 - 1 || x > bounds.x1 + 1 || y < bounds.y0 - 1 || y > bounds.y1 + 1) continue;
    const column = xs.findLastIndex((place) => place <= x);
    const row = ys.findLastIndex((place) => place <= y);
    const at = owner[Math.min(Math.max(row, 0), rows - 1)]?.[Math.min(Math.max(column, 0), columns - 1)];
    if (at !== undefined) cells[at]?.words.push(word);
  }
  return { ...bounds, rows, columns, cells, isRuled: true };
}

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
  const sorted = [...words].sort((a, b) => a.base - b.base || a.x0 - b.x0);
  const lines = splitWhere(sorted, (word, [first]) => Math.abs((first as Word).base - word.base) >= 0.5 * word.size);
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
