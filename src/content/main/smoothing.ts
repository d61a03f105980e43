// Blocks that are neighbors, look alike, or have the same place in similar records (prices in a product list, names above posts)
// are mostly kept or left out together, so each block's odds lean on theirs. On articles they also lean on what a reading view
// would keep.
import { type Block, wordCount } from "./blocks.ts";

const containerShare = 0.2;
const alikeShare = 0.2;
const slotShare = 0.5;
const least = 1e-3;
/** How far the logarithms of odds move on an article: those of all blocks, and of those a reading view leaves out. */
const articleLean = 0.75;
const readerLean = 0.5;
/** Lists and forums are often taken for articles a little: what leans counts little there. */
const leanPower = 3;
/** Replies are left out only where a page is surely an article: in forums they are the text. */
const repliesLean = 3;
const surelyArticle = 0.9;

/** Blocks that lean on each other have the same number; -1: on none. */
export interface BlockPeers {
  /** The container of a block, and the blocks that look like it. */
  containers: Int32Array;
  groups: Int32Array;
  /** The same place in records alike. */
  slots: Int32Array;
}

export function smoothed(
  blocks: readonly Block[],
  probabilities: Float32Array,
  { containers, groups, slots }: BlockPeers,
): Float32Array {
  const odds = probabilities.map(oddsOf);
  const leans: [Int32Array, number][] = [
    [containers, containerShare],
    [groups, alikeShare],
    [slots, slotShare],
  ];
  const sums = odds.slice();
  for (const [places, share] of leans) {
    const means = meanOdds(blocks, odds, places);
    for (let at = 0; at < odds.length; at += 1) {
      const place = places[at] as number;
      if (place >= 0) sums[at] = (sums[at] as number) + share * ((means[place] as number) - (odds[at] as number));
    }
  }
  return sums.map(probabilityOf);
}

/** `reader`: 1 for each block that a reading view keeps; `replies`: 1 for each in comments and the like. */
export function leaned(
  probabilities: Float32Array,
  reader: Float32Array,
  replies: Float32Array,
  articleProbability: number,
): Float32Array {
  const repliesMove = articleProbability >= surelyArticle ? repliesLean : 0;
  const strength = articleProbability ** leanPower;
  return probabilities.map((own, at) => {
    const lean = strength * (articleLean + (reader[at] === 1 ? 0 : readerLean));
    return probabilityOf(oddsOf(own) - lean - (replies[at] === 1 ? repliesMove : 0));
  });
}

/** `moves`: what is added to the logarithm of each one's odds. */
export function moved(probabilities: Float32Array, moves: Float32Array): Float32Array {
  return probabilities.map((own, at) => (moves[at] === 0 ? own : probabilityOf(oddsOf(own) + (moves[at] as number))));
}

function oddsOf(probability: number): number {
  return Math.log(Math.max(least, probability) / Math.max(least, 1 - probability));
}

function probabilityOf(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}

function meanOdds(blocks: readonly Block[], odds: Float32Array, places: Int32Array): Float64Array {
  const count = places.reduce((most, place) => Math.max(most, place), -1) + 1;
  const sums = new Float64Array(count);
  const masses = new Float64Array(count);
  for (let at = 0; at < blocks.length; at += 1) {
    const place = places[at] as number;
    if (place < 0) continue;
    const mass = wordCount(blocks[at] as Block) + 1;
    sums[place] = (sums[place] as number) + (odds[at] as number) * mass;
    masses[place] = (masses[place] as number) + mass;
  }
  return sums.map((sum, place) => sum / (masses[place] as number));
}
