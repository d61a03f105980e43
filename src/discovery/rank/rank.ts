// Orders the links of a map by what a search text asks for: BM25F over the words of URL, title and description, with
// the rarity of each term taken from the links themselves. Figures: bench/map.mjs.
import { setImmediate } from "node:timers/promises";
import { createLinkReader, type RankedLink } from "./rank-link.ts";
import { type RankQuery, readQuery } from "./rank-query.ts";

export type { RankedLink } from "./rank-link.ts";

/** Links ranked before other work gets a turn. */
const batchSize = 2000;
/** How soon more of the same term stops counting (BM25's k1). */
const saturation = 0.8;
/** What two terms side by side, as in the query, count beside the terms themselves. */
const pairWeight = 0.15;

export interface RankOptions {
  /** How many of the best are wanted; all unless given. */
  limit?: number;
  signal?: AbortSignal;
}

/** Links, best first; those that answer equally well, or not at all, keep their order. Rejects when aborted. */
export async function rank<Link extends RankedLink>(
  links: readonly Link[],
  query: string,
  { limit = links.length, signal }: RankOptions = {},
): Promise<Link[]> {
  signal?.throwIfAborted();
  const count = Math.min(limit, links.length);
  const asked = readQuery(query);
  if (!asked || links.length < 2) return links.slice(0, count);
  const reader = createLinkReader(asked);
  const scores = createScores(asked, links.length);
  for (let from = 0; from < links.length; from += batchSize) {
    if (from > 0) await setImmediate();
    signal?.throwIfAborted();
    const to = Math.min(from + batchSize, links.length);
    for (let index = from; index < to; index += 1) {
      const quality = reader.read(links[index] as Link);
      scores.add(reader.slots, reader.values, quality);
    }
  }
  return Array.from(scores.order(count), (index) => links[index] as Link);
}

/** What each link holds of each term, link after link: only when all are read is the rarity of a term known. */
function createScores(query: RankQuery, total: number) {
  const termCount = query.weights.length;
  const spread = new Float64Array(termCount * 2);
  const qualities = new Float32Array(total);
  const ends = new Uint32Array(total);
  let slots = new Uint8Array(1024);
  let values = new Float32Array(1024);
  let length = 0;
  let count = 0;

  const weigh = (): Float64Array =>
    spread.map((links, slot) => {
      const weight = slot < termCount ? (query.weights[slot] as number) : pairWeight;
      return weight * Math.log(1 + (total - links + 0.5) / (links + 0.5));
    });
  return {
    add(found: readonly number[], amounts: Float64Array, quality: number) {
      if (length + found.length > slots.length) {
        slots = grow(slots, new Uint8Array(slots.length * 2));
        values = grow(values, new Float32Array(values.length * 2));
      }
      for (const slot of found) {
        const amount = amounts[slot] as number;
        slots[length] = slot;
        values[length] = amount;
        length += 1;
        spread[slot] = (spread[slot] as number) + Math.min(1, amount);
      }
      qualities[count] = quality;
      ends[count] = length;
      count += 1;
    },
    /** Places of the best links. */
    order(wanted: number): Float64Array {
      const rarity = weigh();
      const all = rarity.reduce((sum, one) => sum + one, 0);
      // Score and place in one number, so that the sort needs no comparing function (100,000 links: 11 against 63 ms).
      const keys = new Float64Array(total);
      let at = 0;
      for (let index = 0; index < total; index += 1) {
        let score = 0;
        for (; at < (ends[index] as number); at += 1) {
          const value = values[at] as number;
          score += ((rarity[slots[at] as number] as number) * value) / (value + saturation);
        }
        const whole = Math.round((score / all) * (1 + (qualities[index] as number)) * 2 ** 28);
        keys[index] = whole * total + (total - 1 - index);
      }
      const best = keys
        .sort()
        .subarray(total - wanted)
        .reverse();
      return best.map((key) => total - 1 - (key % total));
    },
  };
}

function grow<List extends Uint8Array | Float32Array>(old: List, bigger: List): List {
  bigger.set(old);
  return bigger;
}
