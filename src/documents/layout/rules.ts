// The rules of a page, with pieces of one line put together.
import type { Box, PageLayer } from "./page-layer.ts";

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
  const lines: Box[] = [];
  let group: Box[] = [];
  const end = () => {
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
    group = [];
  };
  let at = Number.NEGATIVE_INFINITY;
  for (const rule of sorted) {
    const middle = (rule[a0] + rule[a1]) / 2;
    if (middle - at > 1.6) {
      end();
      at = middle;
    }
    group.push(rule);
  }
  end();
  return lines;
}
