// Names of fields, labels and attributes as words that can be compared.

/** Words of a name in camelCase, snake_case, kebab-case or plain text, in lower case and without accents. */
export function wordsOfName(name: string): string[] {
  const spaced = name.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2").replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2");
  return fold(spaced).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Lower case without accents. */
export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
}
