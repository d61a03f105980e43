// Lines of a table without a full lattice -> a grid, by what is aligned.

import { boundsOf, median, overlapX, splitWhere } from "./geometry.ts";
import type { Box } from "./page-layer.ts";
import { type Line, piecesOf, type Segment, wordsText } from "./segments.ts";
import type { GridCell, TableGrid } from "./table-grid.ts";

interface Zone {
  x0: number;
  x1: number;
}

interface GridLine {
  line: Line;
  /** Pieces with the columns that they cover. */
  placed: { piece: Segment; from: number; to: number }[];
}

/** Values of a table: numbers with their signs and units, dashes, ticks and crosses. */
export const numeric =
  /^[-–—+(<>≤≥~±]?[$€£¥]?\s?\(?[-–−]?[\d.,\s'%‰]*\d[\d.,\s'%‰]*\)?[%‰*†‡a-dKMB]?[)]?$|^[-–—.*✓✗✔✘xXoO]$|^n\/?a\.?$|^\.\.\.?$/i;

export function gridOf(lines: readonly Line[], rules: readonly Box[]): TableGrid | null {
  const cut = lines.map((line) => piecesOf(line));
  const bounds = boundsOf(lines);
  const underlined = (piece: Segment) => {
    const rule = ruleBelow(piece, rules, bounds);
    const line = cut.find((pieces) => pieces.includes(piece)) ?? [];
    // A rule below several names divides the header from the rows.
    return rule && line.every((other) => other === piece || overlapX(other, rule) <= 0) ? rule : undefined;
  };
  const zones = columnZones(cut, underlined);
  if (zones.length < 2) return null;
  const gridLines = lines.map((line, at) => ({
    line,
    placed: (cut[at] as Segment[]).map((piece) => ({ ...place(underlined(piece) ?? piece, zones), piece })),
  }));
  const starts = rowStarts(gridLines, rules);
  const rows = splitWhere(gridLines, (_line, _row, at) => starts[at] === true);
  const cells = rows.flatMap((row, at) => cellsOf(row, at, zones));
  return { ...bounds, rows: rows.length, columns: zones.length, cells, isRuled: false };
}

/** Where columns are: the stretches that pieces of cells cover, spanning pieces aside. */
function columnZones(cut: readonly (readonly Segment[])[], underlined: (piece: Segment) => Zone | undefined): Zone[] {
  const usual = median(cut.flatMap((pieces) => pieces.map((piece) => piece.size)));
  const plain: Zone[] = [];
  cut.forEach((pieces) => {
    for (const piece of pieces)
      if (!underlined(piece) && !isSpanning(piece, cut)) plain.push({ x0: piece.x0, x1: piece.x1 });
  });
  plain.sort((a, b) => a.x0 - b.x0);
  const zones: Zone[] = [];
  for (const piece of plain) {
    const last = zones.at(-1);
    if (last && piece.x0 < last.x1 + 0.25 * usual) last.x1 = Math.max(last.x1, piece.x1);
    else zones.push({ ...piece });
  }
  return zones;
}

/** Most lines above or below it have several pieces side by side. */
function isSpanning(piece: Segment, cut: readonly (readonly Segment[])[]): boolean {
  let split = 0;
  let whole = 0;
  for (const pieces of cut) {
    if (pieces.includes(piece)) continue;
    const inside = pieces.filter(
      (other) => overlapX(piece, other) > 0.5 * Math.min(other.x1 - other.x0, piece.x1 - piece.x0),
    );
    if (inside.length >= 2) split += 1;
    else if (inside.length === 1) whole += 1;
  }
  return split >= 1 && split >= 0.6 * whole && (split >= 2 || cut.length <= 4);
}

/** A name over several columns often has a rule below it that is as long as they are wide. */
function ruleBelow(piece: Segment, rules: readonly Box[], table: Box): Zone | undefined {
  const width = piece.x1 - piece.x0;
  return rules.find(
    (rule) =>
      rule.y0 > piece.base - 0.1 * piece.size &&
      rule.y1 < piece.base + 1.1 * piece.size &&
      rule.x0 <= piece.x0 + 2 &&
      rule.x1 >= piece.x1 - 2 &&
      rule.x1 - rule.x0 > 1.5 * width &&
      rule.x1 - rule.x0 < 0.85 * (table.x1 - table.x0),
  );
}

function place(piece: Zone, zones: readonly Zone[]): { from: number; to: number } {
  const touched = zones.flatMap((zone, at) => {
    const shared = overlapX(piece, zone);
    return shared > Math.min(2, 0.3 * (piece.x1 - piece.x0)) ? [at] : [];
  });
  if (touched.length > 0) return { from: touched[0] as number, to: touched.at(-1) as number };
  const middle = (piece.x0 + piece.x1) / 2;
  let best = 0;
  zones.forEach((zone, at) => {
    const near = (each: Zone) => Math.max(each.x0 - middle, middle - each.x1);
    if (near(zone) < near(zones[best] as Zone)) best = at;
  });
  return { from: best, to: best };
}

const isNumber = (piece: Segment) => numeric.test(wordsText(piece.words));

/** Which lines start a new row; the others go on with the cells above. */
function rowStarts(lines: readonly GridLine[], rules: readonly Box[]): boolean[] {
  const ruled = lines.map((each, at) => at === 0 || isRuledBetween(lines[at - 1] as GridLine, each, rules));
  const count = ruled.filter(Boolean).length;
  if (count > 3 && count >= 0.4 * lines.length && count < lines.length && !isStacked(lines, ruled)) return ruled;
  const gaps = lines.map((each, at) =>
    at === 0 ? 0 : (each.line.base - (lines[at - 1] as GridLine).line.base) / Math.max(each.line.size, 1),
  );
  const inner = gaps.slice(1).filter((gap) => gap > 0.3);
  const least = Math.min(...inner);
  const isLoose = inner.filter((gap) => gap > 1.3 * least).length >= Math.max(2, 0.25 * inner.length);
  const firstData = lines.findIndex(
    (each) => each.placed.filter(({ piece }) => isNumber(piece)).length >= Math.max(1, 0.4 * each.placed.length),
  );
  return lines.map((each, at) => {
    if (at === 0 || ruled[at]) return true;
    const before = lines[at - 1] as GridLine;
    const gap = gaps[at] as number;
    const isTight = gap <= 1.45 && gap <= 1.35 * least;
    if (!isTight) return true;
    const hasSpan = (line: GridLine) => line.placed.some(({ from, to }) => to > from);
    // Lines of a header belong together until one spans columns.
    if (firstData > 0 && at < firstData && !each.placed.some(({ piece }) => isNumber(piece)))
      return hasSpan(before) || hasSpan(each);
    if (at === firstData) return true;
    const numbersAt = (line: GridLine) =>
      new Set(line.placed.filter(({ piece }) => isNumber(piece)).map(({ from }) => from));
    const above = numbersAt(before);
    // A number below a number is the next value, not more of the same.
    if ([...numbersAt(each)].some((column) => above.has(column))) return true;
    if (isLoose && gap <= 1.15 * least) return false;
    const hasFirst = each.placed.some(({ from }) => from === 0);
    const hasNumber = each.placed.some(({ piece }) => isNumber(piece));
    if (!hasFirst && !hasNumber && each.placed.length < before.placed.length) return false;
    const first = wordsText(each.placed[0]?.piece.words ?? []);
    const goesOn = /^[\p{Ll}(&]/u.test(first) && !/^[a-z][.)]/.test(first);
    return !(
      goesOn &&
      each.placed.length <= before.placed.length &&
      !(hasNumber && before.placed.some(({ piece }) => isNumber(piece)))
    );
  });
}

/** There are several rows of values between two rules: rules divide groups of rows here, not rows. */
function isStacked(lines: readonly GridLine[], starts: readonly boolean[]): boolean {
  const widest = Math.max(...lines.map((line) => line.placed.length));
  const isFull = (line: GridLine | undefined) => line !== undefined && line.placed.length >= Math.max(2, 0.7 * widest);
  const stacked = lines.filter((line, at) => !starts[at] && isFull(line) && isFull(lines[at - 1]));
  return stacked.length > 0.2 * lines.length;
}

function isRuledBetween(before: GridLine, after: GridLine, rules: readonly Box[]): boolean {
  const top = before.line.base - 0.2 * before.line.size;
  const bottom = after.line.base - 0.3 * after.line.size;
  const x0 = Math.min(before.line.x0, after.line.x0);
  const x1 = Math.max(before.line.x1, after.line.x1);
  return rules.some((rule) => rule.y0 > top && rule.y1 < bottom && overlapX(rule, { x0, x1 }) > 0.6 * (x1 - x0));
}

function cellsOf(row: readonly GridLine[], at: number, zones: readonly Zone[]): GridCell[] {
  const cells: GridCell[] = [];
  const placed = row.flatMap((line) => line.placed);
  for (const { piece, from, to } of placed) {
    const same = cells.find((cell) => cell.column <= to && cell.column + cell.columns - 1 >= from);
    if (same) {
      same.words.push(...piece.words);
      const end = Math.max(same.column + same.columns - 1, to);
      same.column = Math.min(same.column, from);
      same.columns = end - same.column + 1;
      Object.assign(same, boundsOf([same, piece]));
    } else
      cells.push({
        row: at,
        column: from,
        rows: 1,
        columns: to - from + 1,
        words: [...piece.words],
        x0: piece.x0,
        y0: piece.y0,
        x1: piece.x1,
        y1: piece.y1,
      });
  }
  // Cells that grew into each other are one.
  cells.sort((a, b) => a.column - b.column);
  const merged: GridCell[] = [];
  for (const cell of cells) {
    const last = merged.at(-1);
    if (last && cell.column < last.column + last.columns) {
      last.words.push(...cell.words);
      last.columns = Math.max(last.column + last.columns, cell.column + cell.columns) - last.column;
      Object.assign(last, boundsOf([last, cell]));
    } else merged.push(cell);
  }
  const y0 = Math.min(...row.map(({ line }) => line.y0));
  const y1 = Math.max(...row.map(({ line }) => line.y1));
  const full: GridCell[] = [];
  for (let column = 0; column < zones.length; ) {
    const cell = merged.find((each) => each.column === column);
    const zone = zones[column] as Zone;
    full.push(cell ?? { row: at, column, rows: 1, columns: 1, words: [], x0: zone.x0, y0, x1: zone.x1, y1 });
    column += cell?.columns ?? 1;
  }
  return full;
}
