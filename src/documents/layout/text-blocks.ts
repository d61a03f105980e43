// Segments -> blocks of lines that belong together: gutters divide columns, labels of a chart are gathered.

import { boundsOf, centreOf, groupBy, overlapX, overlapY, splitWhere } from "./geometry.ts";
import type { Box } from "./page-layer.ts";
import { type Line, lineOf, linesOf, lineWords, type Segment } from "./segments.ts";

export type Gutter = Box;

const minProseWords = 3;
const minLines = 5;
const margin = 30;

/** Gaps with running text on both sides for several lines. */
export function guttersOf(segments: readonly Segment[], pageWidth: number): Gutter[] {
  const prose = segments.filter(
    (segment) => segment.words.length >= minProseWords && segment.x1 - segment.x0 > 0.12 * pageWidth,
  );
  // Each left neighbour with the nearest prose to its right makes one sighting of a gap.
  const sightings: Gutter[] = [];
  for (const left of prose) {
    let nearest: Segment | undefined;
    for (const right of segments) {
      if (right.x0 <= left.x1 || overlapY(left, right) < 0.3 * (left.y1 - left.y0)) continue;
      if (!nearest || right.x0 < nearest.x0) nearest = right;
    }
    if (nearest && nearest.words.length >= minProseWords && nearest.x1 - nearest.x0 > 0.12 * pageWidth)
      sightings.push({
        x0: left.x1,
        x1: nearest.x0,
        y0: Math.min(left.y0, nearest.y0),
        y1: Math.max(left.y1, nearest.y1),
      });
  }
  sightings.sort((a, b) => a.y0 - b.y0);
  const gutters: (Gutter & { count: number })[] = [];
  for (const sighting of sightings) {
    const home = gutters.find((gutter) => {
      const x0 = Math.max(gutter.x0, sighting.x0);
      const x1 = Math.min(gutter.x1, sighting.x1);
      if (x1 - x0 < 4 || sighting.y0 - gutter.y1 > 250) return false;
      return !segments.some(
        (segment) => segment.x0 < x0 && segment.x1 > x1 && segment.y0 >= gutter.y1 - 1 && segment.y1 <= sighting.y0 + 1,
      );
    });
    if (home) {
      home.x0 = Math.max(home.x0, sighting.x0);
      home.x1 = Math.min(home.x1, sighting.x1);
      home.y1 = Math.max(home.y1, sighting.y1);
      home.count += 1;
    } else gutters.push({ ...sighting, count: 1 });
  }
  return gutters.filter((gutter) => gutter.count >= minLines).map((gutter) => stretched(gutter, segments));
}

/** Up and down until something crosses it, but not far beyond the lines that showed it: a table may follow. */
function stretched(gutter: Gutter, segments: readonly Segment[]): Gutter {
  let top = gutter.y0 - margin;
  let bottom = gutter.y1 + margin;
  const middle = (gutter.x0 + gutter.x1) / 2;
  for (const segment of segments) {
    if (segment.x0 >= middle || segment.x1 <= middle) continue;
    if (segment.y1 <= gutter.y0 + 1) top = Math.max(top, segment.y1);
    if (segment.y0 >= gutter.y1 - 1) bottom = Math.min(bottom, segment.y0);
  }
  return { ...gutter, y0: top, y1: bottom };
}

/** Segments by their column; those outside of all gutters' heights form the first group. */
export function byColumn(segments: readonly Segment[], gutters: readonly Gutter[]): Segment[][] {
  const groups = groupBy(segments, (segment) => {
    const { x, y } = centreOf(segment);
    const sides = gutters.map((gutter) => (y < gutter.y0 || y > gutter.y1 ? "-" : x < centreOf(gutter).x ? "l" : "r"));
    return sides.join("");
  });
  return [...groups.values()];
}

export interface TextBlock extends Box {
  lines: Line[];
  order: number;
  /** Its lines do not go on: entries of a table of contents, labels of a chart. */
  isLines?: boolean;
}

/**
 * A line joins the block above it when it is the only one below that block and the block is the only one above it: where a
 * column splits or two columns meet, blocks end.
 */
export function blocksOf(
  segments: readonly Segment[],
  gutters: readonly Gutter[],
  horizontal: readonly Box[],
): TextBlock[] {
  const units = sideBySide(segments, gutters);
  units.sort((a, b) => a.y0 - b.y0 || a.x0 - b.x0);
  const below = units.map((unit) => neighbours(unit, units, 1));
  const above = units.map((unit) => neighbours(unit, units, -1));
  const index = new Map(units.map((unit, at) => [unit, at]));
  const blockOf = new Map<Line, Line[]>();
  const blocks: Line[][] = [];
  for (const [at, unit] of units.entries()) {
    const before = above[at] as Line[];
    const [only] = before;
    const isSingle = before.length === 1 && only && (below[index.get(only) as number] as Line[]).length === 1;
    const block = isSingle ? blockOf.get(only) : undefined;
    if (block && only && belongs(only, unit, horizontal)) {
      block.push(unit);
      blockOf.set(unit, block);
    } else {
      const fresh = [unit];
      blocks.push(fresh);
      blockOf.set(unit, fresh);
    }
  }
  return blocks.map((lines) => ({
    lines,
    ...boundsOf(lines),
    order: firstOrder(lines),
  }));
}

/** The place in the file of what comes first. */
export function firstOrder(lines: readonly Line[]): number {
  return Math.min(...lines.flatMap((line) => line.segments.map((segment) => segment.order)));
}

/** Segments of one line with small gaps are one unit (a bullet and its text); gutters and wide gaps separate. */
function sideBySide(segments: readonly Segment[], gutters: readonly Gutter[]): Line[] {
  return linesOf(segments).flatMap((line) => {
    const groups = splitWhere(line.segments, (segment, group) => {
      const last = group.at(-1) as Segment;
      const gap = segment.x0 - last.x1;
      const isGutter = gutters.some(
        ({ x0, x1, y0, y1 }) => x0 >= last.x1 - 1 && x1 <= segment.x0 + 1 && line.base > y0 && line.base < y1,
      );
      const isMarker =
        last.words.length === 1 && group.length === 1 && last.x1 - last.x0 < 2.2 * last.size && gap < 4 * segment.size;
      return isGutter || (gap > 2.5 * segment.size && !isMarker);
    });
    return groups.map(lineOf);
  });
}

/** The nearest units above or below that overlap it in width. */
function neighbours(unit: Line, units: readonly Line[], side: 1 | -1): Line[] {
  let near = Number.POSITIVE_INFINITY;
  const found: { other: Line; distance: number }[] = [];
  for (const other of units) {
    if (other === unit) continue;
    const distance = side === 1 ? other.base - unit.base : unit.base - other.base;
    if (distance <= 0.3 * unit.size || overlapX(unit, other) <= 0) continue;
    found.push({ other, distance });
    near = Math.min(near, distance);
  }
  return found.filter(({ distance }) => distance <= near + 0.7 * unit.size).map(({ other }) => other);
}

function belongs(upper: Line, lower: Line, horizontal: readonly Box[]): boolean {
  const size = Math.max(upper.size, lower.size);
  const leading = lower.base - upper.base;
  if (leading > 2.1 * size) return false;
  if (Math.min(upper.size, lower.size) < 0.8 * size && leading > 1.1 * size) return false;
  const x0 = Math.max(upper.x0, lower.x0);
  const x1 = Math.min(upper.x1, lower.x1);
  return !horizontal.some(
    (rule) =>
      rule.y0 > upper.base + 0.1 * size &&
      rule.y1 < lower.y0 + 0.25 * size &&
      rule.y0 > upper.y1 - 0.15 * size &&
      overlapX(rule, { x0, x1 }) > 0.7 * (x1 - x0) &&
      rule.y1 - rule.y0 < 3,
  );
}

const minFragments = 6;
const reach = 60;

/** Blocks with the fragments of each chart gathered into one. */
export function gatherFragments(blocks: readonly TextBlock[], pageWidth: number): TextBlock[] {
  const isFragment = (block: TextBlock) =>
    block.lines.length <= 2 &&
    block.x1 - block.x0 < 0.22 * pageWidth &&
    block.lines.every((line) => lineWords(line).length <= 3);
  const fragments = blocks.filter(isFragment);
  const others = blocks.filter((block) => !isFragment(block));
  const groups: TextBlock[][] = [];
  for (const fragment of fragments) {
    const near = groups.filter((group) => group.some((other) => isNear(fragment, other)));
    const joined = [fragment, ...near.flat()];
    for (const group of near) groups.splice(groups.indexOf(group), 1);
    groups.push(joined);
  }
  return [
    ...others,
    ...groups.flatMap((group) => {
      if (group.length < minFragments) return group;
      const bounds = boundsOf(group);
      const isMixed = others.some(
        (other) => overlapX(bounds, other) > 5 && overlapY(bounds, other) > 5 && other.lines.length > 2,
      );
      if (isMixed) return group;
      const lines = linesOf(group.flatMap((block) => block.lines.flatMap((line) => line.segments)));
      return [{ lines, ...bounds, order: Math.min(...group.map((block) => block.order)), isLines: true }];
    }),
  ];
}

function isNear(a: TextBlock, b: TextBlock): boolean {
  return -overlapX(a, b) < reach && -overlapY(a, b) < reach / 2;
}
