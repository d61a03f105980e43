// The learned trees: every level of a tree asks one question of all blocks, so a page is read column by column.

export interface Trees {
  /** The odds before any tree has spoken, as a logarithm. */
  base: number;
  depths: Uint8Array;
  /** Column and cut of every level, tree after tree; leaves likewise. */
  features: Uint8Array;
  cuts: Float32Array;
  leaves: Float32Array;
}

/** How likely each block is part of the main text. */
export function probabilitiesOf(trees: Trees, columns: readonly Float32Array[], count: number): Float32Array {
  const sums = new Float32Array(count).fill(trees.base);
  const places = new Uint8Array(count);
  let level = 0;
  let leaf = 0;
  for (const depth of trees.depths) {
    if (depth === usualDepth) addUsual(sums, trees, columns, level, leaf);
    else addAny(sums, places.fill(0), trees, columns, level, depth, leaf);
    level += depth;
    leaf += 1 << depth;
  }
  for (let at = 0; at < count; at += 1) sums[at] = 1 / (1 + Math.exp(-(sums[at] as number)));
  return sums;
}

const usualDepth = 6;

/** Nearly all trees have six levels: evaluating them together takes half the time of one after the other. */
function addUsual(
  sums: Float32Array,
  trees: Trees,
  columns: readonly Float32Array[],
  level: number,
  leaf: number,
): void {
  const { features, cuts, leaves } = trees;
  const column = (at: number) => columns[features[level + at] as number] as Float32Array;
  const cut = (at: number) => cuts[level + at] as number;
  const [c0, c1, c2, c3, c4, c5] = [column(0), column(1), column(2), column(3), column(4), column(5)];
  const [t0, t1, t2, t3, t4, t5] = [cut(0), cut(1), cut(2), cut(3), cut(4), cut(5)];
  for (let at = 0; at < sums.length; at += 1) {
    const place =
      ((c0[at] as number) >= t0 ? 32 : 0) |
      ((c1[at] as number) >= t1 ? 16 : 0) |
      ((c2[at] as number) >= t2 ? 8 : 0) |
      ((c3[at] as number) >= t3 ? 4 : 0) |
      ((c4[at] as number) >= t4 ? 2 : 0) |
      ((c5[at] as number) >= t5 ? 1 : 0);
    sums[at] = (sums[at] as number) + (leaves[leaf + place] as number);
  }
}

function addAny(
  sums: Float32Array,
  places: Uint8Array,
  trees: Trees,
  columns: readonly Float32Array[],
  first: number,
  depth: number,
  leaf: number,
): void {
  for (let level = first; level < first + depth; level += 1) {
    const column = columns[trees.features[level] as number] as Float32Array;
    const cut = trees.cuts[level] as number;
    for (let at = 0; at < sums.length; at += 1) {
      places[at] = ((places[at] as number) << 1) | ((column[at] as number) >= cut ? 1 : 0);
    }
  }
  for (let at = 0; at < sums.length; at += 1) {
    sums[at] = (sums[at] as number) + (trees.leaves[leaf + (places[at] as number)] as number);
  }
}
