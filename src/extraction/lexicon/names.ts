// Names of fields, labels and attributes as words that can be compared.
import { foldLetters } from "../../text/index.ts";

/** Words of a name in camelCase, snake_case, kebab-case or plain text, in lower case and without accents. */
export function wordsOfName(name: string): string[] {
  const spaced = name.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2").replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2");
  return fold(spaced).match(/[\p{L}\p{N}\p{M}#]+/gu) ?? [];
}

/** Lower case without accents; signs stay. */
export function fold(text: string): string {
  return foldLetters(text).toLowerCase();
}

/** Letters and digits alone: what two writings of the same thing share. */
export function keyOf(text: string): string {
  return fold(text).replace(/[^\p{L}\p{N}]+/gu, "");
}

const grammar = new Set(
  "the a an of for and or in to by per your this der die das den des le la les de du el los las il lo del da do".split(
    " ",
  ),
);

/** A phrase as labels are compared: words without a plural s, joined; grammar left out unless nothing else is there. */
export function phraseOf(words: readonly string[]): string {
  const telling = words.filter((word) => !grammar.has(word));
  return (telling.length > 0 ? telling : words).map(singular).join(" ");
}

export function phraseOfText(text: string): string {
  return phraseOf(
    fold(text)
      .replace(/['’]s\b/g, "")
      .match(/[\p{L}\p{N}\p{M}#]+/gu) ?? [],
  );
}

/** Without a plural s, and with one ending for -y, -ies and -ie. Only for comparing. */
export function singular(word: string): string {
  const bare = word.length > 3 && word.endsWith("s") && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
  return bare.length > 3 ? bare.replace(/(?:ie|y)$/, "i") : bare;
}
