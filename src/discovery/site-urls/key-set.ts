// A set of page keys that keeps eight bytes of each: a million take 16 MB instead of 150. Two keys with the same 63 bits are taken
// for one: among a million that happens in one set of 18 million.
import { type SitePage, siteKeyOf } from "../scope/site-pages.ts";
import { UrlBytes } from "./url-bytes.ts";

const firstSize = 1024;
/** Keys made to meet in one place must not make every further one slow. */
const maxSteps = 64;

const seed: Bits = { low: 0x9e3779b9, high: 0x85ebca6b };
const slash = 47;

export function createKeySet() {
  let table = new Uint32Array(firstSize * 2);
  let count = 0;
  /** The latest host and its bits: it is mostly the same. */
  let head = { text: "", bits: seed };
  /** Keys that found no place near theirs. */
  const others = new Set<string>();
  const scratch = new UrlBytes();

  function grow(): void {
    const bigger = new Uint32Array(table.length * 2);
    for (let at = 0; at < table.length; at += 2) {
      const [low, high] = [table[at] as number, table[at + 1] as number];
      if (high === 0) continue;
      const place = find(bigger, low, high, count);
      bigger[place] = low;
      bigger[place + 1] = high;
    }
    table = bigger;
  }

  function bitsOfHost(host: string): Bits {
    scratch.write({ url: host, pathFrom: 0 });
    return mix(seed, scratch, 0);
  }

  /** The slash at the end of a path is not part of the key. */
  function bitsOf({ url, pathFrom, pathTo }: SitePage, urlBytes: UrlBytes): Bits {
    const last = urlBytes.from + pathTo - 1;
    if (urlBytes.bytes[last] !== slash) return mix(head.bits, urlBytes, pathFrom);
    if (pathTo < url.length) {
      scratch.write({ url: url.slice(0, pathTo - 1) + url.slice(pathTo), pathFrom });
      return mix(head.bits, scratch, pathFrom);
    }
    // What is left of the last word must be 0.
    urlBytes.bytes[last] = 0;
    const bits = mix(head.bits, urlBytes, pathFrom, last);
    urlBytes.bytes[last] = slash;
    return bits;
  }

  return {
    /** Adds the key of a page whose URL is written as bytes already. False when it was there already. */
    add(page: SitePage, urlBytes: UrlBytes): boolean {
      if (others.size > 0 && others.has(siteKeyOf(page))) return false;
      if (page.host !== head.text) head = { text: page.host, bits: bitsOfHost(page.host) };
      const bits = bitsOf(page, urlBytes);
      const low = bits.low >>> 0;
      // Never 0, which marks an empty place.
      const high = (bits.high | 1) >>> 0;
      const at = find(table, low, high, maxSteps);
      if (at === -1) {
        others.add(siteKeyOf(page));
        return true;
      }
      if (table[at + 1] !== 0) return false;
      table[at] = low;
      table[at + 1] = high;
      count += 1;
      if (count * 4 > table.length) grow();
      return true;
    },
  };
}

interface Bits {
  low: number;
  high: number;
}

/** Takes everything in from this place of the URL on, word by word, as MurmurHash3 does. */
function mix(start: Bits, { words, from, to }: UrlBytes, place: number, last = to): Bits {
  let { low, high } = start;
  const end = (last + 3) >> 2;
  for (let at = (from + place) >> 2; at < end; at += 1) {
    const word = words[at] as number;
    let part = Math.imul(word, 0x239b961b);
    low ^= Math.imul((part << 15) | (part >>> 17), 0xab0e9789);
    low = Math.imul(((low << 19) | (low >>> 13)) + high, 5) + 0x561ccd1b;
    part = Math.imul(word, 0x38b34ae5);
    high ^= Math.imul((part << 16) | (part >>> 16), 0xa1e38b93);
    high = Math.imul(((high << 17) | (high >>> 15)) + low, 5) + 0x0bcaa747;
  }
  low = spread(low + high);
  high = spread(high + low);
  return { low, high };
}

/** Every bit makes a difference to all others. */
function spread(bits: number): number {
  const half = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  const most = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return most ^ (most >>> 16);
}

/** Where these bits are, or where they can be put; -1 when neither is found within so many steps. */
function find(table: Uint32Array, low: number, high: number, steps: number): number {
  const mask = table.length / 2 - 1;
  for (let step = 0; step <= steps; step += 1) {
    const at = ((low + step) & mask) * 2;
    const found = table[at + 1];
    if (found === 0 || (found === high && table[at] === low)) return at;
  }
  return -1;
}
