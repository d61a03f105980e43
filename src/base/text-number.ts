// A number for a text: 53 bits, so that among a million texts two of them hardly ever share one. For comparing many texts without
// having them; whoever writes the texts can make two share a number, so nothing may depend on it but work that is saved.

export function textNumber(text: string): number {
  let high = 0x811c9dc5;
  let low = 0x2545f491;
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    high = Math.imul(high ^ code, 0x01000193);
    low = (Math.imul(low, 0x5bd1e995) + code) | 0;
  }
  // Each half depends on all bits of both.
  const mixed = spread(high ^ spread(low));
  return (mixed & 0x1fffff) * 2 ** 32 + (spread(low ^ mixed) >>> 0);
}

function spread(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b);
  return twice ^ (twice >>> 16);
}
