// How many tokens a text will be to a language model.

/** Characters of a token in languages with an alphabet; other scripts come near one token a character. */
const charactersPerToken = 4;
const wideCharacter = /[\u0e00-\u0eff\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]/g;

/** An estimate: models count differently, and their tokenizers are large. */
export function estimateTokens(text: string): number {
  const wide = text.match(wideCharacter)?.length ?? 0;
  return Math.ceil((text.length - wide) / charactersPerToken) + wide;
}
