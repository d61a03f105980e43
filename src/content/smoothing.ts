// Blocks that stand together or look alike are mostly kept or left out together: each one's odds lean on theirs.
import type { Block } from "./blocks.ts";

const containerShare = 0.2;
const alikeShare = 0.2;
const least = 1e-3;

/** `containers` and `groups`: which container a block stands in (-1: none), and which blocks look like it. */
export function smoothed(
  blocks: readonly Block[],
  probabilities: Float32Array,
  containers: Int32Array,
  groups: Int32Array,
): Float32Array {
  const odds = probabilities.map((probability) =>
    Math.log(Math.max(least, probability) / Math.max(least, 1 - probability)),
  );
  const byContainer = meanOdds(blocks, odds, containers);
  const byGroup = meanOdds(blocks, odds, groups);
  return odds.map((own, at) => {
    const sum =
      (1 - containerShare - alikeShare) * own +
      containerShare * (byContainer.get(containers[at] as number) ?? own) +
      alikeShare * (byGroup.get(groups[at] as number) ?? own);
    return 1 / (1 + Math.exp(-sum));
  });
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
