export { foldLetters, foldSpelling, foldText, isOfWord, splitWords } from "./fold.ts";
export { hashLines, hashText } from "./hash.ts";
export { diffLines } from "./line-diff.ts";
export { romanize } from "./romanize.ts";
export { stem } from "./stem.ts";
export { englishStopWords, isStopWord } from "./stop-words.ts";
export { type CountTokens, loadTokenCounter } from "./token-counter.ts";
export { estimateTokens } from "./tokens.ts";
export { createWordTable } from "./word-table.ts";
