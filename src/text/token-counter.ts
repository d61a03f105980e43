// How many tokens a model reads in a text: counted by a real tokenizer, piece by piece.

/** The tokenizer takes quadratic time for one endless word; a cut adds at most one token. */
const longestRun = 1500;

export type CountTokens = (text: string) => number;

export async function loadTokenCounter(): Promise<CountTokens> {
  // Loaded with the first use: its table of words takes megabytes that an idle server does without.
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  return (text) => {
    let count = 0;
    for (let from = 0; from < text.length; from += longestRun)
      count += countTokens(text.slice(from, from + longestRun));
    return count;
  };
}
