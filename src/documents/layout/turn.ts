// A page whose text runs up, down or upside down is read as if it were turned upright.
import type { Box } from "./page-layer.ts";

/** Where a point of a page lies after so many quarter turns against the clock. */
export function turnPoint(x: number, y: number, quarterTurns: number, width: number, height: number): [number, number] {
  if (quarterTurns === 1) return [y, width - x];
  if (quarterTurns === 2) return [width - x, height - y];
  if (quarterTurns === 3) return [height - y, x];
  return [x, y];
}

export function turnBox(box: Box, quarterTurns: number, width: number, height: number): Box {
  const [ax, ay] = turnPoint(box.x0, box.y0, quarterTurns, width, height);
  const [bx, by] = turnPoint(box.x1, box.y1, quarterTurns, width, height);
  return { x0: Math.min(ax, bx), y0: Math.min(ay, by), x1: Math.max(ax, bx), y1: Math.max(ay, by) };
}
