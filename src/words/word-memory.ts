// Numbers made of words, found again by the words as they stand in a text: no string is made of a word that was met before,
// and none is looked up in a map or compared. A word is known by two hashes, 64 bits together, next to its number in one
// array, so that finding it touches one place of memory.
import { randomInt } from "node:crypto";
import { foldBytes, isOfWord } from "./fold.ts";

/** A power of two, and twice the words that a large site has; words beyond push out others. */
const places = 2 ** 17;
/** Two hashes and the number, one more: 0 is none. The fourth keeps a place within one line of the processor's cache. */
const width = 4;
/** A word may lie so many places after its own. */
const reach = 8;
/** Drawn by each process, so that nobody can make a word that is taken for another. */
const seed = randomInt(2 ** 31);
const factor = 2 * randomInt(2 ** 30) + 1;
/** Bytes as they stand in folded words; 0 for those between words. */
const letters = Uint8Array.from({ length: 256 }, (_, byte) => letterOf(byte));

/** Hands out, for each word of a text, the number that `make` made of it folded (see fold.ts), in order; for the first `most` words. */
export type WordMemory = (text: string | Buffer, take: (value: number) => void, most?: number) => void;

/** `make` gives numbers from 0 to 2³⁰. */
export function createWordMemory(make: (word: string) => number): WordMemory {
  const kept = new Int32Array(width * (places + reach));

  function valueAt(text: Buffer, start: number, end: number, hash: number, other: number): number {
    const first = width * ((hash ^ (hash >>> 15)) & (places - 1));
    const last = first + width * reach;
    let place = first;
    for (; place < last && kept[place + 2] !== 0; place += width) {
      if (kept[place] === hash && kept[place + 1] === other) return (kept[place + 2] as number) - 1;
    }
    if (place === last) place = first;
    const value = make(text.toString("utf8", start, end).toLowerCase());
    kept[place] = hash;
    kept[place + 1] = other;
    kept[place + 2] = value + 1;
    return value;
  }

  return (text, take, most = Number.POSITIVE_INFINITY) => {
    const bytes = foldBytes(text);
    const { length } = bytes;
    let left = most;
    for (let place = 0; place < length && left > 0; place += 1) {
      let letter = letters[bytes[place] as number] as number;
      if (letter === 0) continue;
      const start = place;
      let hash = 0;
      let other = seed;
      do {
        hash = (Math.imul(hash, 31) + letter) | 0;
        other = Math.imul(other ^ letter, factor);
        other ^= other >>> 13;
        place += 1;
        letter = place < length ? (letters[bytes[place] as number] as number) : 0;
      } while (letter !== 0);
      take(valueAt(bytes, start, place, hash, other));
      left -= 1;
    }
  };
}

function letterOf(byte: number): number {
  const isCapital = byte >= 65 && byte <= 90;
  const folded = isCapital ? byte + 32 : byte;
  return isOfWord(folded) ? folded : 0;
}
