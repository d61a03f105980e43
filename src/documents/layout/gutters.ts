// Gutters between columns of running text.
import { overlap, type Segment } from "./segments.ts";

export interface Gutter {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}

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
      if (right.x0 <= left.x1 || overlap(left.y0, left.y1, right.y0, right.y1) < 0.3 * (left.y1 - left.y0)) continue;
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
  const groups = new Map<string, Segment[]>();
  for (const segment of segments) {
    const middle = (segment.y0 + segment.y1) / 2;
    const key = gutters
      .map((gutter) => {
        if (middle < gutter.y0 || middle > gutter.y1) return "-";
        return (segment.x0 + segment.x1) / 2 < (gutter.x0 + gutter.x1) / 2 ? "l" : "r";
      })
      .join("");
    const group = groups.get(key) ?? [];
    group.push(segment);
    groups.set(key, group);
  }
  return [...groups.values()];
}
