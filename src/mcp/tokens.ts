// How many tokens a model reads in a text: counted by a real tokenizer, piece by piece.
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

/** The tokenizer takes quadratic time for one endless word; a cut adds at most one token. */
const longestRun = 1500;

export function tokensOf(text: string): number {
  let count = 0;
  for (let from = 0; from < text.length; from += longestRun) count += countTokens(text.slice(from, from + longestRun));
  return count;
}
