// What was made of words, found again by the words as they stand in a text: no string is made of a word that was met before,
// and none is looked up in a map or compared. A word is known by two hashes, 64 bits together, side by side in one array, so
// that finding it touches two places of memory.
import { randomInt } from "node:crypto";
import { ownCopy } from "../base/index.ts";
import { isOfWord } from "./fold.ts";

/** A power of two, and twice the words that a large site has; words beyond push out others. */
const places = 2 ** 17;
/** A word may lie so many places after its own. */
const reach = 8;
/** Drawn by each process, so that nobody can make a word that is taken for another. */
const seed = randomInt(2 ** 31);
const factor = 2 * randomInt(2 ** 30) + 1;

/** Hands out, for each word of a folded text (see fold.ts), what `make` made of it, in their order; for the first `most` words. */
export type WordMemory<Value> = (folded: string, take: (value: Value) => void, most?: number) => void;

export function createWordMemory<Value>(make: (word: string) => Value): WordMemory<Value> {
  const hashes = new Int32Array(2 * (places + reach));
  const kept: Value[] = [];
  /** Places of `hashes` to places of `kept`, one more: 0 is none. */
  const keptAt = new Int32Array(places + reach);

  function valueAt(text: string, start: number, end: number, hash: number, other: number): Value {
    const first = (hash ^ (hash >>> 15)) & (places - 1);
    let place = first;
    for (; place < first + reach && keptAt[place] !== 0; place += 1) {
      if (hashes[2 * place] === hash && hashes[2 * place + 1] === other) return kept[(keptAt[place] ?? 0) - 1] as Value;
    }
    const value = make(ownCopy(text.slice(start, end)));
    if (place === first + reach) {
      place = first;
      kept[(keptAt[place] ?? 0) - 1] = value;
    } else keptAt[place] = kept.push(value);
    hashes[2 * place] = hash;
    hashes[2 * place + 1] = other;
    return value;
  }

  return (text, take, most = Number.POSITIVE_INFINITY) => {
    const { length } = text;
    let left = most;
    let place = 0;
    while (place < length) {
      let code = text.charCodeAt(place);
      if (!isOfWord(code)) {
        place += 1;
        continue;
      }
      if (left <= 0) return;
      left -= 1;
      const start = place;
      let hash = 0;
      let other = seed;
      do {
        hash = (Math.imul(hash, 31) + code) | 0;
        other = Math.imul(other ^ code, factor);
        other ^= other >>> 13;
        place += 1;
        code = place < length ? text.charCodeAt(place) : 0;
      } while (isOfWord(code));
      take(valueAt(text, start, place, hash, other));
    }
  };
}
