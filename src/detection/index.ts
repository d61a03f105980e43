// The text that bytes are, whatever their encoding, and the language of a text.
export { decodeBytes } from "./encodings/decode-bytes.ts";
export { detectLanguage, languageSample } from "./languages/detect-language.ts";
export { type LanguageTable, readLanguageTable } from "./languages/language-table.ts";
