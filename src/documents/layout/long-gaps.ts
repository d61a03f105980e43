// Gaps between words that lie below each other in many rows: gutters of columns, however narrow.
import type { Box } from "./page-layer.ts";
import type { Row, Word } from "./words.ts";

interface Chain extends Box {
  count: number;
  last: number;
}

const minGap = 0.6;
const minRows = 6;
/** Rows further apart than this do not continue a gap. */
const maxStep = 5;

/** As thin boxes in the middle of each gap, from its first row to its last. */
export function longGaps(rows: readonly Row[]): Box[] {
  const sorted = [...rows].sort((a, b) => a.base - b.base);
  const done: Chain[] = [];
  let chains: Chain[] = [];
  for (const row of sorted) {
    const gaps = gapsOf(row);
    const open: Chain[] = [];
    for (const chain of chains) {
      const gap = gaps.find((each) => Math.min(each.x1, chain.x1) - Math.max(each.x0, chain.x0) > 0.45 * row.size);
      if (gap) {
        open.push({
          x0: Math.max(gap.x0, chain.x0),
          x1: Math.min(gap.x1, chain.x1),
          y0: chain.y0,
          y1: row.base,
          count: chain.count + 1,
          last: row.base,
        });
        gaps.splice(gaps.indexOf(gap), 1);
      } else if (crosses(row, chain) || row.base - chain.last > maxStep * row.size) done.push(chain);
      else open.push(chain);
    }
    chains = [...open, ...gaps.map((gap) => ({ ...gap, count: 1, last: row.base }))];
  }
  return [...done, ...chains]
    .filter(({ count }) => count >= minRows)
    .map(({ x0, x1, y0, y1 }) => ({ x0: (x0 + x1) / 2, x1: (x0 + x1) / 2, y0, y1 }));
}

function gapsOf({ words, base, size }: Row): Box[] {
  const gaps: Box[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const x0 = (words[at - 1] as Word).x1;
    const x1 = (words[at] as Word).x0;
    if (x1 - x0 > minGap * size) gaps.push({ x0, x1, y0: base - size, y1: base });
  }
  return gaps;
}

function crosses({ words }: Row, { x0, x1 }: Box): boolean {
  const middle = (x0 + x1) / 2;
  return words.some((word) => word.x0 < middle && word.x1 > middle);
}
