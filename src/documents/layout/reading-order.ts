// The order in which blocks are read.
import { overlapX, overlapY } from "./geometry.ts";
import type { Box } from "./page-layer.ts";

interface Ordered extends Box {
  order: number;
}

/** Every pair is compared with every other block: a page of crumbs is read from its top down. */
const maxOrdered = 250;
/** Space above a block that starts something new below both columns, in points. */
const minBreak = 30;

/**
 * What is above comes first; what is to the left comes first unless something between them spans both. Blocks that
 * neither rule orders keep the order of the file.
 */
export function inReadingOrder<Item extends Ordered>(items: readonly Item[], isRightToLeft = false): Item[] {
  const count = items.length;
  const byPlace = [...items].sort((a, b) => a.y0 - b.y0 || a.x0 - b.x0);
  if (count > maxOrdered) return byPlace;
  const followers: number[][] = Array.from({ length: count }, () => []);
  const waiting = new Array<number>(count).fill(0);
  for (let a = 0; a < count; a += 1) {
    for (let b = 0; b < count; b += 1) {
      if (a !== b && comesBefore(byPlace[a] as Item, byPlace[b] as Item, byPlace, isRightToLeft)) {
        followers[a]?.push(b);
        waiting[b] = (waiting[b] as number) + 1;
      }
    }
  }
  const done = new Array<boolean>(count).fill(false);
  const result: Item[] = [];
  let last: Item | undefined;
  while (result.length < count) {
    let best = -1;
    for (let at = 0; at < count; at += 1) {
      if (done[at] || (waiting[at] as number) > 0) continue;
      if (best < 0 || rank(byPlace[at] as Item, last) < rank(byPlace[best] as Item, last)) best = at;
    }
    // A ring of rules is broken at the highest block.
    if (best < 0) best = done.indexOf(false);
    done[best] = true;
    last = byPlace[best] as Item;
    result.push(last);
    for (const follower of followers[best] as number[]) waiting[follower] = (waiting[follower] as number) - 1;
  }
  return result;
}

/** Among those that may come next: the one below the last, then the highest. */
function rank(item: Ordered, last: Ordered | undefined): number {
  if (!last) return item.y0;
  const isBelow = overlapX(item, last) > 0 && item.y0 >= last.y0;
  return isBelow ? item.y0 - 100_000 : item.y0;
}

function comesBefore(a: Box, b: Box, all: readonly Box[], isRightToLeft: boolean): boolean {
  const height = Math.min(a.y1 - a.y0, b.y1 - b.y0);
  const isBesides = overlapX(a, b) <= 0.05 * Math.min(a.x1 - a.x0, b.x1 - b.x0);
  if (!isBesides) return a.y0 < b.y0 && (a.y1 <= b.y0 + 0.5 * height || a.y0 + a.y1 < b.y0 + b.y1);
  const isLeft = isRightToLeft ? a.x0 + a.x1 > b.x0 + b.x1 : a.x0 + a.x1 < b.x0 + b.x1;
  if (!isLeft) return startsBelow(b, a, all);
  if (startsBelow(a, b, all)) return false;
  // Something that spans both and lies between them separates them: then height decides.
  const top = Math.min(a.y0, b.y0);
  const bottom = Math.max(a.y1, b.y1);
  return !all.some(
    (other) =>
      other !== a &&
      other !== b &&
      other.y0 >= Math.min(a.y1, b.y1) - 1 &&
      other.y1 <= Math.max(a.y0, b.y0) + 1 &&
      other.y0 >= top &&
      other.y1 <= bottom &&
      overlapX(other, a) > 1 &&
      overlapX(other, b) > 1,
  );
}

/** `lower` is below the column beside it and well below its own: it starts what follows both. */
function startsBelow(lower: Box, other: Box, all: readonly Box[]): boolean {
  if (lower.y0 < other.y1) return false;
  let above: Box | undefined;
  for (const each of all) {
    if (each === lower || each.y1 > lower.y0 + 1 || overlapX(each, lower) <= 0) continue;
    if (!above || each.y1 > above.y1) above = each;
  }
  return above !== undefined && lower.y0 - above.y1 > minBreak && overlapY(above, other) > 0;
}
