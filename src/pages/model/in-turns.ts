// Several questions of one request, in parallel only while its tokens suffice for all of them: otherwise they could exceed
// its limit.
import type { ModelUse } from "./language-model.ts";

const atOnce = 4;

/** Ends early when `isEnd` says so of a result. */
export async function inTurns<Item, Result>(
  { allowance, contextTokens, maxOutputTokens }: ModelUse,
  items: readonly Item[],
  ask: (item: Item) => Promise<Result>,
  isEnd: (result: Result) => boolean = () => false,
): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < items.length) {
    const affordable = Math.floor(allowance.left() / (contextTokens + maxOutputTokens));
    const count = Math.max(1, Math.min(atOnce, affordable));
    const turn = await Promise.all(items.slice(results.length, results.length + count).map(ask));
    results.push(...turn);
    if (turn.some(isEnd)) break;
  }
  return results;
}
