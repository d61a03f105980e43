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
    return { cuts: Float32Array.from(cuts), bins: binsOf(column, Float32Array.from(cuts)) };
  });
}

function binsOf(column, cuts) {
  const bins = new Uint8Array(column.length);
  for (let row = 0; row < column.length; row += 1) {
    let low = 0;
    let high = cuts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cuts[middle] <= column[row]) low = middle + 1;
      else high = middle;
    }
    bins[row] = low;
  }
  return bins;
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
  const leaves = new Uint8Array(count);
  const usable = binned.flatMap(({ cuts }, column) => (cuts.length > 0 ? [column] : []));
  const found = [];
  for (let tree = 0; tree < trees; tree += 1) {
    const sample = sampleRows(scores, labels, weights, rowShare, random);
    const columns = usable
      .filter(() => random() < columnShare)
      .map((column) => sampleColumn(binned, column, sample, depth));
    const questions = [];
    leaves.fill(0);
    while (questions.length < depth) {
      const half = smallerHalves(sample, questions.length);
      for (const column of columns) countLevel(column, half, questions.length);
      const question = bestQuestion(columns, 1 << questions.length, smoothing);
      if (question === null) break;
      questions.push(question);
      const { bins } = binned[question.column];
      for (let row = 0; row < count; row += 1) leaves[row] = leaves[row] * 2 + (bins[row] > question.bin ? 1 : 0);
      for (let at = 0; at < sample.rows.length; at += 1) sample.leaves[at] = leaves[sample.rows[at]];
    }
    const values = leafValues(sample, 1 << questions.length, rate, smoothing);
    for (let row = 0; row < count; row += 1) scores[row] += values[leaves[row]];
    found.push({
      features: questions.map(({ column }) => column),
      cuts: questions.map(({ column, bin }) => binned[column].cuts[bin]),
      values,
    });
  }
  return { base, trees: found };
}

/** The rows that a tree learns from, with the first and second derivatives of their loss. */
function sampleRows(scores, labels, weights, rowShare, random) {
  const rows = new Int32Array(scores.length);
  const slopes = new Float32Array(scores.length);
  const curves = new Float32Array(scores.length);
  let count = 0;
  for (let row = 0; row < scores.length; row += 1) {
    if (random() >= rowShare) continue;
    const probability = 1 / (1 + Math.exp(-scores[row]));
    rows[count] = row;
    slopes[count] = weights[row] * (labels[row] - probability);
    curves[count] = weights[row] * Math.max(1e-4, probability * (1 - probability));
    count += 1;
  }
  return {
    rows: rows.subarray(0, count),
    slopes: slopes.subarray(0, count),
    curves: curves.subarray(0, count),
    leaves: new Uint8Array(count),
  };
}

/** The bins of the sampled rows, and room for the sums of every leaf's bins: slope and curve side by side. */
function sampleColumn(binned, column, { rows }, depth) {
  const { cuts, bins } = binned[column];
  const own = new Uint8Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) own[at] = bins[rows[at]];
  return { column, cuts, bins: own, sums: new Float64Array(leafSpace << depth) };
}

/** A level's leaves are halves of those above: only the smaller side is counted, the other is the rest. */
function smallerHalves({ slopes, curves, leaves }, level) {
  let second = 0;
  for (const leaf of leaves) second += leaf & 1;
  const side = level > 0 && second * 2 <= leaves.length ? 1 : 0;
  const count = level === 0 ? leaves.length : side === 1 ? second : leaves.length - second;
  const half = {
    side,
    places: new Int32Array(count),
    rooms: new Int32Array(count),
    slopes: new Float32Array(count),
    curves: new Float32Array(count),
  };
  let next = 0;
  for (let at = 0; at < leaves.length; at += 1) {
    if (level > 0 && (leaves[at] & 1) !== side) continue;
    half.places[next] = at;
    half.rooms[next] = leaves[at] * leafSpace;
    half.slopes[next] = slopes[at];
    half.curves[next] = curves[at];
    next += 1;
  }
  return half;
}

function countLevel({ bins, sums }, { side, places, rooms, slopes, curves }, level) {
  for (let leaf = (1 << level) / 2 - 1; level > 0 && leaf >= 0; leaf -= 1) {
    const from = leaf * leafSpace;
    const counted = from * 2 + side * leafSpace;
    sums.copyWithin(from * 2 + (1 - side) * leafSpace, from, from + leafSpace);
    sums.fill(0, counted, counted + leafSpace);
  }
  for (let at = 0; at < places.length; at += 1) {
    const place = rooms[at] + bins[places[at]] * 2;
    sums[place] += slopes[at];
    sums[place + 1] += curves[at];
  }
  for (let leaf = side; level > 0 && leaf < 1 << level; leaf += 2) {
    const counted = leaf * leafSpace;
    const rest = (leaf ^ 1) * leafSpace;
    for (let at = 0; at < leafSpace; at += 1) sums[rest + at] -= sums[counted + at];
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
