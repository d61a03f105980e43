// The learned trees: every level of a tree asks one question of all blocks, so a page is read column by column.
//
// Three things make that fast. Numbers are compared as integers, whose difference has its answer in the sign bit: processors guess
// the way of a branch, and here half of the guesses are wrong. Questions of columns with one value on this page (what the page is,
// the rarer elements) are answered once. The others of a tree are asked together.

export interface Trees {
  /** The odds before any tree has spoken, as a logarithm. */
  base: number;
  depths: Uint8Array;
  /** Column and cut of every level, tree after tree; leaves likewise. */
  features: Uint8Array;
  cuts: Float32Array;
  leaves: Float32Array;
}

/** What is left of a tree on one page: the questions that blocks answer differently, and the leaves that they lead to. */
interface Rest {
  columns: Int32Array[];
  cuts: number[];
  leaves: Float32Array;
}

/** How likely each block is part of the main text. The columns are used up: what they hold afterwards are no features. */
export function probabilitiesOf(trees: Trees, columns: readonly Float32Array[], count: number): Float32Array {
  const sums = new Float32Array(count).fill(trees.base);
  const isSame = columns.map((column) => hasOneValue(column));
  const ordered = columns.map((column, at) =>
    isSame[at] ? orderedNumbers(column.slice(0, 1)) : orderedNumbers(column),
  );
  const cuts = orderedNumbers(trees.cuts.slice());
  const rest: Rest = { columns: [], cuts: [], leaves: new Float32Array(1 << Math.max(...trees.depths)) };
  const tree = { depth: 0, level: 0, leaf: 0 };
  for (const depth of trees.depths) {
    tree.depth = depth;
    reduce(trees, cuts, tree, ordered, isSame, rest);
    add(sums, rest);
    tree.level += depth;
    tree.leaf += 1 << depth;
  }
  for (let at = 0; at < count; at += 1) sums[at] = 1 / (1 + Math.exp(-(sums[at] as number)));
  return sums;
}

/**
 * Integers in the same order, in the place of the numbers: as many again would have to be collected with every page. They are a
 * bit narrower, so that the difference of two fits; the last bit of a fraction is given up.
 */
function orderedNumbers(numbers: Float32Array): Int32Array {
  const ordered = new Int32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  for (let at = 0; at < ordered.length; at += 1) {
    const bits = ordered[at] as number;
    const sign = bits >> 31;
    ordered[at] = (((bits & 0x7fffffff) ^ sign) - sign) >> 1;
  }
  return ordered;
}

function hasOneValue(column: Float32Array): boolean {
  const first = column[0];
  for (let at = 1; at < column.length; at += 1) if (column[at] !== first) return false;
  return true;
}

/** One tree, into `rest`. `level` and `leaf`: where its own begin. */
function reduce(
  { features, leaves }: Trees,
  cuts: Int32Array,
  { depth, level, leaf }: { depth: number; level: number; leaf: number },
  columns: readonly Int32Array[],
  isSame: readonly boolean[],
  rest: Rest,
): void {
  rest.columns.length = 0;
  rest.cuts.length = 0;
  let answered = leaf;
  /** The bits of the questions that are left, highest first. */
  const open: number[] = [];
  for (let at = 0; at < depth; at += 1) {
    const question = features[level + at] as number;
    const column = columns[question] as Int32Array;
    const cut = cuts[level + at] as number;
    const bit = 1 << (depth - 1 - at);
    if (isSame[question]) answered += (column[0] as number) >= cut ? bit : 0;
    else {
      rest.columns.push(column);
      rest.cuts.push(cut);
      open.push(bit);
    }
  }
  for (let place = 0; place < 1 << open.length; place += 1) {
    let whole = answered;
    // A sign bit says that a number is below its cut.
    for (let at = 0, bit = place; at < open.length; at += 1, bit >>= 1)
      if ((bit & 1) === 0) whole += open[open.length - 1 - at] as number;
    rest.leaves[place] = leaves[whole] as number;
  }
}

function add(sums: Float32Array, { columns, cuts, leaves }: Rest): void {
  const [c0, c1, c2, c3, c4, c5] = columns;
  const [t0 = 0, t1 = 0, t2 = 0, t3 = 0, t4 = 0, t5 = 0] = cuts;
  if (columns.length === 6 && c0 && c1 && c2 && c3 && c4 && c5) {
    for (let at = 0; at < sums.length; at += 1) {
      const place =
        (isBelow(c0, at, t0) << 5) |
        (isBelow(c1, at, t1) << 4) |
        (isBelow(c2, at, t2) << 3) |
        (isBelow(c3, at, t3) << 2) |
        (isBelow(c4, at, t4) << 1) |
        isBelow(c5, at, t5);
      sums[at] = (sums[at] as number) + (leaves[place] as number);
    }
  } else if (columns.length === 5 && c0 && c1 && c2 && c3 && c4) {
    for (let at = 0; at < sums.length; at += 1) {
      const place =
        (isBelow(c0, at, t0) << 4) |
        (isBelow(c1, at, t1) << 3) |
        (isBelow(c2, at, t2) << 2) |
        (isBelow(c3, at, t3) << 1) |
        isBelow(c4, at, t4);
      sums[at] = (sums[at] as number) + (leaves[place] as number);
    }
  } else if (columns.length === 4 && c0 && c1 && c2 && c3) {
    for (let at = 0; at < sums.length; at += 1) {
      const place =
        (isBelow(c0, at, t0) << 3) | (isBelow(c1, at, t1) << 2) | (isBelow(c2, at, t2) << 1) | isBelow(c3, at, t3);
      sums[at] = (sums[at] as number) + (leaves[place] as number);
    }
  } else if (columns.length === 3 && c0 && c1 && c2) {
    for (let at = 0; at < sums.length; at += 1) {
      const place = (isBelow(c0, at, t0) << 2) | (isBelow(c1, at, t1) << 1) | isBelow(c2, at, t2);
      sums[at] = (sums[at] as number) + (leaves[place] as number);
    }
  } else addAny(sums, columns, cuts, leaves);
}

function addAny(
  sums: Float32Array,
  columns: readonly Int32Array[],
  cuts: readonly number[],
  leaves: Float32Array,
): void {
  for (let at = 0; at < sums.length; at += 1) {
    let place = 0;
    for (let level = 0; level < columns.length; level += 1)
      place = (place << 1) | isBelow(columns[level] as Int32Array, at, cuts[level] as number);
    sums[at] = (sums[at] as number) + (leaves[place] as number);
  }
}

/** 1 or 0. */
function isBelow(column: Int32Array, at: number, cut: number): number {
  return (((column[at] as number) - cut) | 0) >>> 31;
}
