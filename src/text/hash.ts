// A hash of 53 bits, for comparing many texts without keeping them: among a million texts, collisions are very rare. They are easy
// to construct, though, so use it only to decide which work can be skipped.

const highStart = 0x811c9dc5;
const lowStart = 0x2545f491;
const highFactor = 0x01000193;
const lowFactor = 0x5bd1e995;
const lineFeed = 0x0a;

export function hashText(text: string): number {
  let high = highStart;
  let low = lowStart;
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    high = Math.imul(high ^ code, highFactor);
    low = (Math.imul(low, lowFactor) + code) | 0;
  }
  return joinHalves(high, low);
}

/**
 * The hashes of a text's lines, in UTF-8; for ASCII lines, the same as `hashText` returns. Reading the characters of many substrings
 * takes three times as long. Hashes differ by `seed`.
 */
export function hashLines(lines: Buffer, count: number, seed = 0): Float64Array {
  const numbers = new Float64Array(count);
  let high = highStart ^ seed;
  let low = lowStart;
  let line = 0;
  for (let place = 0; place <= lines.length; place += 1) {
    const code = place < lines.length ? (lines[place] as number) : lineFeed;
    if (code === lineFeed) {
      numbers[line] = joinHalves(high, low);
      line += 1;
      high = highStart ^ seed;
      low = lowStart;
    } else {
      high = Math.imul(high ^ code, highFactor);
      low = (Math.imul(low, lowFactor) + code) | 0;
    }
  }
  return numbers;
}

/** Each half of the number depends on all bits of both. */
function joinHalves(high: number, low: number): number {
  const mixed = spread(high ^ spread(low));
  return (mixed & 0x1fffff) * 2 ** 32 + (spread(low ^ mixed) >>> 0);
}

function spread(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b);
  return twice ^ (twice >>> 16);
}
