// Segments -> lines: joins what is side by side.
import type { Box } from "./page-layer.ts";
import { boundsOf, overlap, type Segment, segmentOf } from "./segments.ts";
import { median, type Word } from "./words.ts";

export interface Line extends Box {
  segments: Segment[];
  base: number;
  size: number;
}

export function lineOf(segments: Segment[]): Line {
  segments.sort((a, b) => a.x0 - b.x0);
  const bounds = boundsOf(segments);
  return {
    segments,
    ...bounds,
    base: median(segments.map((segment) => segment.base)),
    size: Math.max(...segments.map((segment) => segment.size)),
  };
}

/** Segments whose heights overlap for the most part form one line. */
export function linesOf(segments: readonly Segment[]): Line[] {
  const sorted = [...segments].sort((a, b) => a.base - b.base || a.x0 - b.x0);
  const groups: Segment[][] = [];
  let bottom = Number.NEGATIVE_INFINITY;
  let top = 0;
  for (const segment of sorted) {
    const group = groups.at(-1);
    const shared = overlap(top, bottom, segment.y0, segment.y1);
    const least = Math.min(bottom - top, segment.y1 - segment.y0);
    if (group && shared > 0.55 * least) {
      group.push(segment);
      top = Math.max(top, segment.y0);
      bottom = Math.min(bottom, segment.y1);
      if (bottom - top < 0.5 * (segment.y1 - segment.y0)) {
        top = segment.y0;
        bottom = segment.y1;
      }
    } else {
      groups.push([segment]);
      top = segment.y0;
      bottom = segment.y1;
    }
  }
  return groups.map(lineOf);
}

/** Lines again, cut at every gap wider than a word space: the pieces that cells are made of. */
export function piecesOf(line: Line): Segment[] {
  const words = line.segments.flatMap((segment) => segment.words).sort((a, b) => a.x0 - b.x0);
  const gaps = words.slice(1).map((word, at) => word.x0 - (words[at] as Word).x1);
  const small = gaps.filter((gap) => gap > 0.05 * line.size && gap < 0.7 * line.size);
  const limit = Math.max(0.62 * line.size, 1.7 * median(small));
  const pieces: Segment[] = [];
  let current: Word[] = [];
  words.forEach((word, at) => {
    if (at > 0 && (gaps[at - 1] as number) > limit && !word.isGlued) {
      pieces.push(segmentOf(current));
      current = [];
    }
    current.push(word);
  });
  if (current.length > 0) pieces.push(segmentOf(current));
  return pieces;
}
