export { csvLine } from "./csv-line.ts";
export {
  foldLetters,
  foldSpelling,
  foldText,
  groupLetters,
  isOfWord,
  romanize,
  splitWords,
  wholeWords,
} from "./fold.ts";
export { hashLines, hashText } from "./hash.ts";
export { diffLines, filesOf, readDiff } from "./line-diff.ts";
export { type LlmsPage, llmsIndex, llmsLine, llmsPart, llmsRule } from "./llms-text.ts";
export { modelText, modelWarning } from "./model-text.ts";
export { schemaWords, spacedName } from "./schema-words.ts";
export { stem } from "./stem.ts";
export { englishStopWords, isStopWord } from "./stop-words.ts";
export { type CountTokens, estimateTokens, loadTokenCounter } from "./token-counter.ts";
export { asWindows1252 } from "./windows-1252.ts";
export { createWordTable } from "./word-table.ts";
