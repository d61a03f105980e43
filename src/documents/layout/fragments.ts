// Labels of charts and diagrams: many short pieces of text close together, read row by row.

import { linesOf } from "./lines.ts";
import { boundsOf, overlap } from "./segments.ts";
import type { TextBlock } from "./text-blocks.ts";

const minFragments = 6;
const reach = 60;

/** Blocks with the fragments of each chart gathered into one. */
export function gatherFragments(blocks: readonly TextBlock[], pageWidth: number): TextBlock[] {
  const isFragment = (block: TextBlock) =>
    block.lines.length <= 2 &&
    block.x1 - block.x0 < 0.22 * pageWidth &&
    block.lines.every((line) => line.segments.reduce((sum, segment) => sum + segment.words.length, 0) <= 3);
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
        (other) =>
          overlap(bounds.x0, bounds.x1, other.x0, other.x1) > 5 &&
          overlap(bounds.y0, bounds.y1, other.y0, other.y1) > 5 &&
          other.lines.length > 2,
      );
      if (isMixed) return group;
      const lines = linesOf(group.flatMap((block) => block.lines.flatMap((line) => line.segments)));
      return [{ lines, ...bounds, order: Math.min(...group.map((block) => block.order)), isLines: true }];
    }),
  ];
}

function isNear(a: TextBlock, b: TextBlock): boolean {
  const apartX = Math.max(a.x0, b.x0) - Math.min(a.x1, b.x1);
  const apartY = Math.max(a.y0, b.y0) - Math.min(a.y1, b.y1);
  return apartX < reach && apartY < reach / 2;
}
