// Gradient boosting with trees that ask the same question on a whole level, on columns cut into bins. Logistic loss with
// labels between 0 and 1. Deterministic: the same rows and the same seed make the same trees.

const maxBins = 48;
/** Room of a leaf: two sums for each of 64 bins. */
const leafSpace = 128;

/** A row's bin is the number of cuts that are not above its value. */
export function makeBins(columns) {
  return columns.map((column) => {
    const sample = column.filter((_, at) => at % 3 === 0).sort();
    const cuts = [];
    for (let bin = 1; bin < maxBins; bin += 1) {
      const cut = sample[Math.floor((sample.length * bin) / maxBins)];
      if (cut !== sample[0] && cut !== cuts.at(-1)) cuts.push(cut);
    }
    return { cuts: Float32Array.from(cuts), bins: column.length === 0 ? new Uint8Array() : binsOf(column, cuts) };
  });
}

function binsOf(column, cuts) {
  return Uint8Array.from(column, (value) => {
    let low = 0;
    let high = cuts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cuts[middle] <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  });
}

function randomFrom(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function trainTrees(binned, labels, weights, { trees, depth, rate, smoothing, columnShare, rowShare, seed }) {
  const random = randomFrom(seed);
  const count = labels.length;
  let all = 0;
  let positive = 0;
  for (let row = 0; row < count; row += 1) {
    all += weights[row];
    positive += weights[row] * labels[row];
  }
  const base = Math.fround(Math.log(positive / (all - positive)));
  const scores = new Float32Array(count).fill(base);
  const slopes = new Float32Array(count);
  const curves = new Float32Array(count);
  const leaves = new Uint8Array(count);
  const usable = binned.flatMap(({ cuts }, column) => (cuts.length > 0 ? [column] : []));
  const model = { base, trees: [] };
  for (let tree = 0; tree < trees; tree += 1) {
    const rows = [];
    for (let row = 0; row < count; row += 1) {
      const probability = 1 / (1 + Math.exp(-scores[row]));
      slopes[row] = weights[row] * (labels[row] - probability);
      curves[row] = weights[row] * Math.max(1e-4, probability * (1 - probability));
      leaves[row] = 0;
      if (random() < rowShare) rows.push(row);
    }
    const sample = {
      slopes: Float32Array.from(rows, (row) => slopes[row]),
      curves: Float32Array.from(rows, (row) => curves[row]),
      leaves: new Uint8Array(rows.length),
    };
    const columns = usable.filter(() => random() < columnShare).map((column) => sampleColumn(binned, column, rows, depth));
    const questions = [];
    while (questions.length < depth) {
      for (const column of columns) countLevel(column, sample, questions.length);
      const question = bestQuestion(columns, 1 << questions.length, smoothing);
      if (question === null) break;
      questions.push(question);
      const { bins } = binned[question.column];
      for (let row = 0; row < count; row += 1) leaves[row] = leaves[row] * 2 + (bins[row] > question.bin ? 1 : 0);
      for (let at = 0; at < rows.length; at += 1) sample.leaves[at] = leaves[rows[at]];
    }
    const values = leafValues(sample, 1 << questions.length, rate, smoothing);
    for (let row = 0; row < count; row += 1) scores[row] += values[leaves[row]];
    model.trees.push({
      features: questions.map(({ column }) => column),
      cuts: questions.map(({ column, bin }) => binned[column].cuts[bin]),
      values,
    });
  }
  return model;
}

/** The bins of the rows that a tree sees, and room for the sums of every leaf's bins: slope and curve side by side. */
function sampleColumn(binned, column, rows, depth) {
  const { cuts, bins } = binned[column];
  const own = new Uint8Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) own[at] = bins[rows[at]];
  return { column, cuts, bins: own, sums: new Float64Array(leafSpace << depth) };
}

/** A level's leaves are halves of those above: only the rows of the second halves are read, the first are the rest. */
function countLevel({ bins, sums }, { slopes, curves, leaves }, level) {
  if (level > 0) {
    for (let leaf = (1 << (level - 1)) - 1; leaf >= 0; leaf -= 1) {
      const from = leaf * leafSpace;
      sums.copyWithin(from * 2, from, from + leafSpace);
      sums.fill(0, from * 2 + leafSpace, from * 2 + leafSpace * 2);
    }
  }
  for (let at = 0; at < bins.length; at += 1) {
    const leaf = leaves[at];
    if (level > 0 && (leaf & 1) === 0) continue;
    const place = leaf * leafSpace + bins[at] * 2;
    sums[place] += slopes[at];
    sums[place + 1] += curves[at];
  }
  for (let leaf = 1; level > 0 && leaf < 1 << level; leaf += 2) {
    const second = leaf * leafSpace;
    for (let at = second; at < second + leafSpace; at += 1) sums[at - leafSpace] -= sums[at];
  }
}

function bestQuestion(columns, leafCount, smoothing) {
  let best = null;
  let bestGain = 1e-6;
  for (const { column, cuts, sums } of columns) {
    const gains = new Float64Array(cuts.length);
    for (let leaf = 0; leaf < leafCount; leaf += 1) addGains(gains, sums, leaf * leafSpace, smoothing);
    for (let bin = 0; bin < gains.length; bin += 1) {
      if (gains[bin] <= bestGain) continue;
      bestGain = gains[bin];
      best = { column, bin };
    }
  }
  return best;
}

function addGains(gains, sums, first, smoothing) {
  let slope = 0;
  let curve = 0;
  for (let bin = 0; bin <= gains.length; bin += 1) {
    slope += sums[first + bin * 2];
    curve += sums[first + bin * 2 + 1];
  }
  const whole = (slope * slope) / (curve + smoothing);
  let lowSlope = 0;
  let lowCurve = 0;
  for (let bin = 0; bin < gains.length; bin += 1) {
    lowSlope += sums[first + bin * 2];
    lowCurve += sums[first + bin * 2 + 1];
    const highSlope = slope - lowSlope;
    const low = (lowSlope * lowSlope) / (lowCurve + smoothing);
    gains[bin] += low + (highSlope * highSlope) / (curve - lowCurve + smoothing) - whole;
  }
}

function leafValues({ slopes, curves, leaves }, leafCount, rate, smoothing) {
  const slopeSums = new Float64Array(leafCount);
  const curveSums = new Float64Array(leafCount);
  for (let at = 0; at < leaves.length; at += 1) {
    slopeSums[leaves[at]] += slopes[at];
    curveSums[leaves[at]] += curves[at];
  }
  return Float32Array.from(slopeSums, (slope, leaf) => (rate * slope) / (curveSums[leaf] + smoothing));
}
