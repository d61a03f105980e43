// Boxes on a page, and the ways in which things on it are put into groups.
import type { Box } from "./page-layer.ts";

/** The least box around others. */
export function boundsOf(boxes: readonly Box[]): Box {
  const box = {
    x0: Number.POSITIVE_INFINITY,
    y0: Number.POSITIVE_INFINITY,
    x1: Number.NEGATIVE_INFINITY,
    y1: Number.NEGATIVE_INFINITY,
  };
  for (const each of boxes) {
    if (each.x0 < box.x0) box.x0 = each.x0;
    if (each.y0 < box.y0) box.y0 = each.y0;
    if (each.x1 > box.x1) box.x1 = each.x1;
    if (each.y1 > box.y1) box.y1 = each.y1;
  }
  return box;
}

/** How much of their widths two boxes share; negative: how far they are apart. */
export function overlapX(a: Pick<Box, "x0" | "x1">, b: Pick<Box, "x0" | "x1">): number {
  return Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
}

/** The same of their heights. */
export function overlapY(a: Pick<Box, "y0" | "y1">, b: Pick<Box, "y0" | "y1">): number {
  return Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
}

export function centreOf({ x0, y0, x1, y1 }: Box): { x: number; y: number } {
  return { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
}

export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] as number;
}

export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Items in their order, in a new group wherever one does not go on with the group before it. */
export function splitWhere<Item>(
  items: readonly Item[],
  isApart: (item: Item, group: Item[], at: number) => boolean,
): Item[][] {
  const groups: Item[][] = [];
  items.forEach((item, at) => {
    const group = groups.at(-1);
    if (group && !isApart(item, group, at)) group.push(item);
    else groups.push([item]);
  });
  return groups;
}

/** Things, by their numbers, that hang together when any of them do. */
export function createUnions(count: number): { join(a: number, b: number): void; rootOf(at: number): number } {
  const parent = Array.from({ length: count }, (_, at) => at);
  const rootOf = (at: number): number => {
    let top = at;
    while (parent[top] !== top) top = parent[top] as number;
    parent[at] = top;
    return top;
  };
  return {
    /** The second's group becomes part of the first's. */
    join(a, b) {
      parent[rootOf(b)] = rootOf(a);
    },
    rootOf,
  };
}
