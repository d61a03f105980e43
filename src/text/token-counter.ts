// How many tokens a model reads in a text: counted by a real tokenizer, piece by piece, or estimated.

/** The tokenizer takes quadratic time for one endless word; a cut adds at most one token. */
const longestRun = 1500;

export type CountTokens = (text: string) => number;

export async function loadTokenCounter(): Promise<CountTokens> {
  // Loaded on first use: its table takes megabytes that an idle server does not need.
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  return (text) => {
    let count = 0;
    for (let from = 0; from < text.length; from += longestRun)
      count += countTokens(text.slice(from, from + longestRun));
    return count;
  };
}

/** Characters per token in alphabetic scripts; other scripts have about one token per character. */
const charactersPerToken = 4;
const wideCharacter = /[\u0e00-\u0eff\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]/g;

/** An estimate: models count differently, and their tokenizers are large. */
export function estimateTokens(text: string): number {
  const wide = text.match(wideCharacter)?.length ?? 0;
  return Math.ceil((text.length - wide) / charactersPerToken) + wide;
}
