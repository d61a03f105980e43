// Segments -> blocks: lines one below the other that belong together.

import type { Gutter } from "./gutters.ts";
import { type Line, lineOf, linesOf } from "./lines.ts";
import type { Box } from "./page-layer.ts";
import { boundsOf, overlap, type Segment } from "./segments.ts";

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
    order: Math.min(...lines.flatMap((line) => line.segments.map((segment) => segment.order))),
  }));
}

/** Segments of one line with small gaps are one unit (a bullet and its text); gutters and wide gaps separate. */
function sideBySide(segments: readonly Segment[], gutters: readonly Gutter[]): Line[] {
  const units: Line[] = [];
  for (const line of linesOf(segments)) {
    let current: Segment[] = [];
    for (const segment of line.segments) {
      const last = current.at(-1);
      if (last) {
        const gap = segment.x0 - last.x1;
        const isGutter = gutters.some(
          (gutter) =>
            gutter.x0 >= last.x1 - 1 && gutter.x1 <= segment.x0 + 1 && line.base > gutter.y0 && line.base < gutter.y1,
        );
        const isMarker =
          last.words.length === 1 &&
          current.length === 1 &&
          last.x1 - last.x0 < 2.2 * last.size &&
          gap < 4 * segment.size;
        if (isGutter || (gap > 2.5 * segment.size && !isMarker)) {
          units.push(lineOf(current));
          current = [];
        }
      }
      current.push(segment);
    }
    if (current.length > 0) units.push(lineOf(current));
  }
  return units;
}

/** The nearest units above or below that overlap it in width. */
function neighbours(unit: Line, units: readonly Line[], side: 1 | -1): Line[] {
  let near = Number.POSITIVE_INFINITY;
  const found: { other: Line; distance: number }[] = [];
  for (const other of units) {
    if (other === unit) continue;
    const distance = side === 1 ? other.base - unit.base : unit.base - other.base;
    if (distance <= 0.3 * unit.size || overlap(unit.x0, unit.x1, other.x0, other.x1) <= 0) continue;
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
      overlap(rule.x0, rule.x1, x0, x1) > 0.7 * (x1 - x0) &&
      rule.y1 - rule.y0 < 3,
  );
}
