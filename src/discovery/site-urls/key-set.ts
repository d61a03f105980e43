// A set of page keys that keeps eight bytes of each: a million take 16 MB instead of 150. Two keys with the same 63 bits are taken
// for one: among a million that happens in one set of 18 million.
import { keyText, type PageKey } from "../scope/site-pages.ts";

const firstSize = 1024;
/** Keys made to meet in one place must not make every further one slow. */
const maxSteps = 64;

const seed: Bits = { low: 0x9e3779b9, high: 0x85ebca6b };

export function createKeySet() {
  let table = new Uint32Array(firstSize * 2);
  let count = 0;
  /** The latest host and its bits: it is mostly the same. */
  let head = { text: "", bits: seed };
  /** Keys that found no place near theirs. */
  const others = new Set<string>();

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

  return {
    /** Adds the key of a page whose URL is so many ASCII bytes. False when it was there already. */
    add(key: PageKey, url: Buffer, length: number): boolean {
      const { host, restFrom, skipped } = key;
      if (others.size > 0 && others.has(keyText(key, url.toString("latin1", 0, length)))) return false;
      if (host !== head.text) head = { text: host, bits: mix(seed, Buffer.from(host), 0, host.length, -1) };
      let { low, high } = mix(head.bits, url, restFrom, length, skipped);
      low = Math.imul(low ^ (low >>> 16) ^ (high >>> 13), 0x85ebca6b) >>> 0;
      // Never 0, which marks an empty place.
      high = (high | 1) >>> 0;
      const at = find(table, low, high, maxSteps);
      if (at === -1) {
        others.add(keyText(key, url.toString("latin1", 0, length)));
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

function mix(start: Bits, text: Buffer, from: number, to: number, skipped: number): Bits {
  let { low, high } = start;
  for (let at = from; at < to; at += 1) {
    if (at === skipped) continue;
    const code = text[at] as number;
    low = Math.imul(low ^ code, 0x9e3779b1);
    high = Math.imul(high ^ code, 0x5f356495);
  }
  return { low, high };
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
