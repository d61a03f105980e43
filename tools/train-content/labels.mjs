// How much of each block is in the truth: both texts are aligned word by word, runs before single words.

/** Tables larger than this are not made; then only runs of four words count. */
const maxCells = 120e6;
const runLength = 4;

/**
 * The share of each block's words that the truth has; NaN for blocks without words. Runs of words count outside of the
 * truth's order too, but no more often than the truth has them: what a page repeats is wanted once.
 */
export function labelBlocks({ blocks, words }, truth) {
  const hits = align(words, truth);
  const runs = runsOf(truth);
  if (hits) for (const block of blocks) takeAligned(words, hits, block, runs);
  const truthWords = new Set(truth);
  return Float32Array.from(blocks, ({ wordFirst, wordEnd }) => {
    const count = wordEnd - wordFirst;
    if (count === 0) return Number.NaN;
    let aligned = 0;
    if (hits) for (let at = wordFirst; at < wordEnd; at += 1) aligned += hits[at];
    const share = aligned / count;
    if (count >= 6) return runShare(words, hits, wordFirst, wordEnd, runs);
    if (hits) return share;
    for (let at = wordFirst; at < wordEnd; at += 1) if (!truthWords.has(words[at])) return 0;
    return 0.5;
  });
}

/** How often the truth has each run. */
function runsOf(words) {
  const runs = new Map();
  for (let at = 0; at + runLength <= words.length; at += 1) {
    const run = words.slice(at, at + runLength).join();
    runs.set(run, (runs.get(run) ?? 0) + 1);
  }
  return runs;
}

function takeAligned(words, hits, { wordFirst, wordEnd }, runs) {
  let inRow = 0;
  for (let at = wordFirst; at < wordEnd; at += 1) {
    inRow = hits[at] === 1 ? inRow + 1 : 0;
    if (inRow < runLength) continue;
    const run = words.slice(at + 1 - runLength, at + 1).join();
    const left = runs.get(run);
    if (left > 0) runs.set(run, left - 1);
  }
}

/** Of the words that are aligned or in a run that the truth has still left. */
function runShare(words, hits, first, end, runs) {
  const covered = hits ? hits.slice(first, end) : new Uint8Array(end - first);
  for (let at = first; at + runLength <= end; at += 1) {
    const place = at - first;
    if (covered[place] + covered[place + 1] + covered[place + 2] + covered[place + 3] === runLength) continue;
    const run = words.slice(at, at + runLength).join();
    const left = runs.get(run) ?? 0;
    if (left === 0) continue;
    runs.set(run, left - 1);
    covered.fill(1, place, place + runLength);
  }
  return covered.reduce((sum, value) => sum + value, 0) / covered.length;
}

/** Marks the words of the page that the best alignment uses. Null when the table would be too large. */
function align(words, truth) {
  const hits = new Uint8Array(words.length);
  const known = new Set(truth);
  const places = [];
  for (let at = 0; at < words.length; at += 1) if (known.has(words[at])) places.push(at);
  const width = truth.length + 1;
  if (places.length * width > maxCells) return null;
  // Bits 1 and 2: where the best way comes from (3: a match); bit 4: the match goes on from the one before.
  const ways = new Uint8Array((places.length + 1) * width);
  const never = -1e9;
  let best = new Int32Array(width);
  let matched = new Int32Array(width).fill(never);
  let nextBest = new Int32Array(width);
  let nextMatched = new Int32Array(width);
  for (let row = 1; row <= places.length; row += 1) {
    const word = words[places[row - 1]];
    const goesOn = row > 1 && places[row - 1] === places[row - 2] + 1;
    nextBest[0] = 0;
    nextMatched[0] = never;
    for (let column = 1; column < width; column += 1) {
      let value = never;
      let way = 0;
      if (word === truth[column - 1]) {
        const fresh = best[column - 1] + 2;
        const run = goesOn ? matched[column - 1] + 5 : never;
        value = Math.max(fresh, run);
        if (run >= fresh) way = 4;
      }
      nextMatched[column] = value;
      const up = best[column];
      const left = nextBest[column - 1];
      if (value >= up && value >= left) way |= 3;
      else way |= up >= left ? 1 : 2;
      nextBest[column] = Math.max(value, up, left);
      ways[row * width + column] = way;
    }
    [best, nextBest] = [nextBest, best];
    [matched, nextMatched] = [nextMatched, matched];
  }
  let row = places.length;
  let column = truth.length;
  let isRun = false;
  while (row > 0 && column > 0) {
    const way = ways[row * width + column];
    if (isRun || (way & 3) === 3) {
      hits[places[row - 1]] = 1;
      isRun = (way & 4) !== 0;
      row -= 1;
      column -= 1;
    } else if ((way & 3) === 1) row -= 1;
    else column -= 1;
  }
  return hits;
}
