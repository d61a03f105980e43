// Finds tables that have no full lattice: between horizontal rules, or by gaps that run down several lines.

import { overlapX } from "./geometry.ts";
import type { Box } from "./page-layer.ts";
import { type Line, piecesOf, type Segment, wordsText } from "./segments.ts";
import type { TableGrid } from "./table-grid.ts";
import { gridOf, numeric } from "./word-grid.ts";

export interface FoundTable {
  /** Null for a table of contents, which is read line by line. */
  grid: TableGrid | null;
  lines: Line[];
  segments: Set<Segment>;
}

/** `lines` are those of one column of the page, from its top down. */
export function openTables(lines: readonly Line[], rules: readonly Box[]): FoundTable[] {
  const found: FoundTable[] = [];
  const taken = new Set<Line>();
  const take = (group: readonly Line[], grid: TableGrid | null) => {
    found.push({ grid, lines: [...group], segments: new Set(group.flatMap((line) => line.segments)) });
    for (const line of group) taken.add(line);
  };
  for (const region of ruleRegions(rules)) {
    const inside = lines.filter(
      (line) =>
        !taken.has(line) &&
        line.base > region.y0 &&
        line.base < region.y1 + 1 &&
        line.x0 > region.x0 - 12 &&
        line.x1 < region.x1 + 12,
    );
    for (const group of withoutProse(inside, region)) {
      const grid = group.length > 1 && isTabular(group, true) ? gridOf(group, rules) : null;
      if (grid && grid.rows > 1) take(group, grid);
    }
  }
  const groups = alignedGroups(lines.filter((line) => !taken.has(line)));
  const contents = groups.filter(isContents);
  if (contents.length > 0) {
    // What is between two parts of a table of contents belongs to it.
    const first = contents[0]?.[0]?.base ?? 0;
    const last = contents.at(-1)?.at(-1)?.base ?? 0;
    take(
      lines.filter((line) => !taken.has(line) && line.base >= first && line.base <= last),
      null,
    );
  }
  for (const group of groups) {
    if (group.some((line) => taken.has(line))) continue;
    if (isTabular(group, false)) {
      const grid = gridOf(group, rules);
      if (grid && grid.rows > 2 && isFilled(grid)) take(group, grid);
    }
  }
  return found;
}

function isFilled({ cells }: TableGrid): boolean {
  return cells.filter((cell) => cell.words.length > 0).length >= 0.45 * cells.length;
}

/** Running text between two tables ends the one and starts the other. */
function withoutProse(lines: readonly Line[], region: Box): Line[][] {
  const groups: Line[][] = [[]];
  for (const line of lines) {
    const [only] = line.segments;
    const isProse =
      line.segments.length === 1 &&
      only &&
      only.words.length >= 8 &&
      line.x1 - line.x0 > 0.7 * (region.x1 - region.x0) &&
      piecesOf(line).length === 1;
    if (isProse) groups.push([]);
    else groups.at(-1)?.push(line);
  }
  return groups;
}

const pageOf = /^(?:\d{1,4}|[ivxl]{1,6})$/i;

/** Entries that end in the number of a page, counting up. */
function isContents(group: readonly Line[]): boolean {
  const pages = group.flatMap((line) => {
    const last = line.segments.at(-1);
    return line.segments.length === 2 && last && last.words.length === 1 && pageOf.test(last.words[0]?.text ?? "")
      ? [Number.parseInt(last.words[0]?.text ?? "", 10)]
      : [];
  });
  if (pages.length < 3 || pages.length < 0.6 * group.length) return false;
  const numbers = pages.filter((page) => !Number.isNaN(page));
  const rising = numbers.filter((page, at) => at === 0 || page >= (numbers[at - 1] as number)).length;
  const texts = group.filter((line) => /\p{L}{3}/u.test(wordsText(line.segments[0]?.words ?? []))).length;
  const isAscending = numbers.length < 4 || (numbers.at(-1) ?? 0) - (numbers[0] ?? 0) >= numbers.length - 2;
  return rising >= 0.9 * numbers.length && texts >= 0.8 * group.length && isAscending;
}

/** Between the first and last of rules that start and end at the same places. */
function ruleRegions(rules: readonly Box[]): Box[] {
  const long = rules.filter((rule) => rule.x1 - rule.x0 > 90).sort((a, b) => a.y0 - b.y0);
  const groups: Box[][] = [];
  for (const rule of long) {
    const group = groups.find((each) => {
      const [first] = each as [Box];
      const last = each.at(-1) as Box;
      return Math.abs(first.x0 - rule.x0) < 8 && Math.abs(first.x1 - rule.x1) < 8 && rule.y0 - last.y1 < 450;
    });
    if (group) group.push(rule);
    else groups.push([rule]);
  }
  return groups
    .filter((group) => group.length >= 2)
    .map((group) => ({
      x0: (group[0] as Box).x0,
      x1: (group[0] as Box).x1,
      y0: (group[0] as Box).y0,
      y1: (group.at(-1) as Box).y1,
    }));
}

/** Runs of lines that share at least one gap. */
function alignedGroups(lines: readonly Line[]): Line[][] {
  const groups: Line[][] = [];
  let group: Line[] = [];
  let gutters: { x0: number; x1: number }[] = [];
  let singles: Line[] = [];
  const end = () => {
    if (group.length >= 2) groups.push(group);
    group = [];
    gutters = [];
    singles = [];
  };
  for (const line of lines) {
    const last = singles.at(-1) ?? group.at(-1);
    const isNear = last && line.base - last.base < 2.6 * Math.max(line.size, last.size);
    const gaps = line.segments
      .slice(1)
      .map((segment, at) => ({ x0: (line.segments[at] as Segment).x1, x1: segment.x0 }));
    if (gaps.length === 0) {
      // One segment inside a column may go on with a cell; two of them end the table.
      const isInside = gutters.every((gutter) => overlapX(line, gutter) < 0.5 * (gutter.x1 - gutter.x0));
      if (group.length > 0 && isNear && isInside && singles.length < 2) singles.push(line);
      else end();
      continue;
    }
    const shared = gutters.flatMap((gutter) =>
      gaps.flatMap((gap) => {
        const x0 = Math.max(gutter.x0, gap.x0);
        const x1 = Math.min(gutter.x1, gap.x1);
        return x1 - x0 > 0.5 * line.size ? [{ x0, x1 }] : [];
      }),
    );
    if (group.length > 0 && isNear && shared.length > 0) {
      group.push(...singles, line);
      singles = [];
      // Gaps that this line says nothing about stay.
      gutters = [...shared, ...gutters.filter((gutter) => gutter.x0 >= line.x1 || gutter.x1 <= line.x0)];
      continue;
    }
    end();
    group = [line];
    gutters = gaps;
  }
  end();
  return groups;
}

const bullet = /^(?:[•▪◦●○■□➢✓❖–—*·-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d+(?:\.\d+)*\.?)$/;

function isTabular(group: readonly Line[], isBounded: boolean): boolean {
  const cut = group.map((line) => piecesOf(line));
  const multi = cut.filter((pieces) => pieces.length >= 2);
  if (multi.length < 2) return false;
  const pieces = multi.flat();
  const texts = pieces.map((piece) => wordsText(piece.words));
  const wordsPerPiece = pieces.reduce((sum, piece) => sum + piece.words.length, 0) / pieces.length;
  const numbers = texts.filter((text) => numeric.test(text)).length / texts.length;
  const columns = Math.max(...cut.map((each) => each.length));
  const listed = multi.filter((each) => each.length === 2 && bullet.test(wordsText((each[0] as Segment).words))).length;
  if (listed > 0.6 * multi.length) return false;
  const dots = texts.filter((text) => /\.{4,}|(?:\. ){3,}|…{2,}/.test(text)).length;
  if (dots > 0.3 * multi.length) return false;
  const labels = multi.filter((each) => /:$/.test(wordsText((each[0] as Segment).words))).length;
  if (labels >= 3 && labels >= 0.7 * multi.length) return multi.length >= 0.6 * cut.length;
  if (isBounded) return multi.length >= 0.4 * cut.length && wordsPerPiece < 9;
  if (multi.length < 0.5 * cut.length) return false;
  if (columns >= 3 && multi.length >= 3) return wordsPerPiece <= 4 || numbers > 0.35;
  if (columns === 2) return multi.length >= 3 && numbers >= 0.3 && wordsPerPiece <= 5;
  return multi.length >= 2 && numbers >= 0.4;
}
