// Reads data in scripts of pages.

const maxScriptLength = 2_000_000;

/** JSON as sites write it: in comments, with line breaks in strings, with a comma too many. */
export function readLooseJson(written: string): unknown {
  if (written.length > maxScriptLength) return null;
  const text = written
    .replace(/^\s*(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|\/\/\s*<!\[CDATA\[|<!\[CDATA\[)/, "")
    .replace(/(?:-->|\/\*\s*\]\]>\s*\*\/|\/\/\s*\]\]>|\]\]>)\s*;?\s*$/, "")
    .trim()
    .replace(/;$/, "");
  try {
    return JSON.parse(text);
  } catch {
    try {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: line breaks in strings are what breaks these texts
      return JSON.parse(text.replace(/[\u0000-\u001f]+/g, " ").replace(/,\s*([}\]])/g, "$1"));
    } catch {
      return null;
    }
  }
}

/** What JSON calls an object. */
export type Thing = Record<string, unknown>;

export function isThing(value: unknown): value is Thing {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
