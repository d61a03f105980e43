// Tables whose cells are drawn: a lattice of rules that cross.
import type { Box } from "./page-layer.ts";
import type { PageRules } from "./rules.ts";
import { boundsOf } from "./segments.ts";
import type { GridCell, TableGrid } from "./table-grid.ts";
import type { Word } from "./words.ts";

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
  const parent = Array.from({ length: horizontal.length + vertical.length }, (_, at) => at);
  const root = (at: number): number => {
    let top = at;
    while (parent[top] !== top) top = parent[top] as number;
    parent[at] = top;
    return top;
  };
  horizontal.forEach((across, a) => {
    vertical.forEach((down, b) => {
      const isCrossing =
        down.x0 >= across.x0 - reach &&
        down.x1 <= across.x1 + reach &&
        across.y0 >= down.y0 - reach &&
        across.y1 <= down.y1 + reach;
      if (isCrossing) parent[root(a)] = root(horizontal.length + b);
    });
  });
  const groups = new Map<number, PageRules>();
  parent.forEach((_, at) => {
    const top = root(at);
    const group = groups.get(top) ?? { horizontal: [], vertical: [] };
    groups.set(top, group);
    if (at < horizontal.length) group.horizontal.push(horizontal[at] as Box);
    else group.vertical.push(vertical[at - horizontal.length] as Box);
  });
  return [...groups.values()].filter((group) => group.horizontal.length >= 2 && group.vertical.length >= 1);
}

function places(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const found: number[] = [];
  let group: number[] = [];
  for (const value of sorted) {
    if (group.length > 0 && value - (group[0] as number) > reach) {
      found.push(group.reduce((sum, each) => sum + each, 0) / group.length);
      group = [];
    }
    group.push(value);
  }
  if (group.length > 0) found.push(group.reduce((sum, each) => sum + each, 0) / group.length);
  return found;
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
    const x = (word.x0 + word.x1) / 2;
    const y = (word.y0 + word.y1) / 2;
    if (x < bounds.x0 - 1 || x > bounds.x1 + 1 || y < bounds.y0 - 1 || y > bounds.y1 + 1) continue;
    const column = xs.findLastIndex((place) => place <= x);
    const row = ys.findLastIndex((place) => place <= y);
    const at = owner[Math.min(Math.max(row, 0), rows - 1)]?.[Math.min(Math.max(column, 0), columns - 1)];
    if (at !== undefined) cells[at]?.words.push(word);
  }
  return { ...bounds, rows, columns, cells, isRuled: true };
}
