// Blocks that stand together or look alike are mostly kept or left out together: each one's odds lean on theirs. On
// pages that are articles they lean on what a reading view would keep as well.
import type { Block } from "./blocks.ts";

const containerShare = 0.2;
const alikeShare = 0.2;
const least = 1e-3;
/** How far the logarithms of odds move on an article: those of all blocks, and of those a reading view leaves out. */
const articleLean = 0.75;
const readerLean = 0.5;
/** Lists and forums are often taken for articles a little: what leans counts little there. */
const leanPower = 3;
/** Replies are left out only where a page is surely an article: in forums they are the text. */
const repliesLean = 3;
const surelyArticle = 0.9;

/** `containers` and `groups`: which container a block stands in (-1: none), and which blocks look like it. */
export function smoothed(
  blocks: readonly Block[],
  probabilities: Float32Array,
  containers: Int32Array,
  groups: Int32Array,
): Float32Array {
  const odds = probabilities.map(oddsOf);
  const byContainer = meanOdds(blocks, odds, containers);
  const byGroup = meanOdds(blocks, odds, groups);
  return odds.map((own, at) => {
    const sum =
      (1 - containerShare - alikeShare) * own +
      containerShare * (byContainer.get(containers[at] as number) ?? own) +
      alikeShare * (byGroup.get(groups[at] as number) ?? own);
    return probabilityOf(sum);
  });
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

function meanOdds(blocks: readonly Block[], odds: Float32Array, places: Int32Array): Map<number, number> {
  const sums = new Map<number, { odds: number; mass: number }>();
  for (let at = 0; at < blocks.length; at += 1) {
    const place = places[at] as number;
    if (place < 0) continue;
    const { wordFirst, wordEnd } = blocks[at] as Block;
    const mass = wordEnd - wordFirst + 1;
    const sum = sums.get(place);
    if (sum === undefined) sums.set(place, { odds: (odds[at] as number) * mass, mass });
    else {
      sum.odds += (odds[at] as number) * mass;
      sum.mass += mass;
    }
  }
  return new Map(Array.from(sums, ([place, { odds: total, mass }]) => [place, total / mass]));
}
