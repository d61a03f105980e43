// A hash table from words to two numbers, read straight from UTF-8: a word that was seen before is neither made into a string nor
// looked up in a map. A word is identified by two hashes, 64 bits together, which lie beside its numbers in one array, so that finding
// it touches one place in memory.
import { randomInt } from "node:crypto";
import { foldBytes, isOfWord } from "./fold.ts";

/** A power of two, twice the number of words of a large site; further words replace others. */
const places = 2 ** 17;
/** Two hashes and two numbers: a place lies within one line of the processor's cache. */
const width = 4;
/** A word lies at most this many places after its own. */
const reach = 8;
/** Random for each process, so that no page can make two words collide on purpose. */
const seed = randomInt(2 ** 31);
const factor = 2 * randomInt(2 ** 30) + 1;
/** Bytes as they occur in folded words; 0 for bytes between words. */
const letters = Uint8Array.from({ length: 256 }, (_, byte) => letterOf(byte));

/** Hands out, for each word of a text, what `make` made of it folded (see fold.ts), in order; for the first `most` words. */
export type WordTable = (text: string | Buffer, take: (first: number, second: number) => void, most?: number) => void;

/** `make` gives two numbers from 0 to 2³⁰. */
export function createWordTable(make: (word: string) => readonly [number, number]): WordTable {
  const kept = new Int32Array(width * (places + reach));

  /** `place` is that of the word's hash; if another word has it, the next ones are tried. */
  function findOrMake(word: Buffer, place: number, hash: number, other: number): number {
    const last = place + width * reach;
    let at = place;
    for (; at < last && kept[at + 2] !== 0; at += width) if (kept[at] === hash && kept[at + 1] === other) return at;
    if (at === last) at = place;
    const [first, second] = make(word.toString().toLowerCase());
    kept[at] = hash;
    kept[at + 1] = other;
    // One more: 0 is an empty place.
    kept[at + 2] = first + 1;
    kept[at + 3] = second;
    return at;
  }

  return (text, take, most = Number.POSITIVE_INFINITY) => {
    const bytes = foldBytes(text);
    const { length } = bytes;
    let left = most;
    for (let at = 0; at < length && left > 0; at += 1) {
      let letter = letters[bytes[at] as number] as number;
      if (letter === 0) continue;
      const start = at;
      let hash = 0;
      let other = seed;
      do {
        hash = (Math.imul(hash, 31) + letter) | 0;
        other = Math.imul(other ^ letter, factor);
        other ^= other >>> 13;
        at += 1;
        letter = at < length ? (letters[bytes[at] as number] as number) : 0;
      } while (letter !== 0);
      let place = width * ((hash ^ (hash >>> 15)) & (places - 1));
      if (kept[place] !== hash || kept[place + 1] !== other || kept[place + 2] === 0)
        place = findOrMake(bytes.subarray(start, at), place, hash, other);
      take((kept[place + 2] as number) - 1, kept[place + 3] as number);
      left -= 1;
    }
  };
}

function letterOf(byte: number): number {
  const isCapital = byte >= 65 && byte <= 90;
  const folded = isCapital ? byte + 32 : byte;
  return isOfWord(folded) ? folded : 0;
}
