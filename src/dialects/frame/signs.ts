// Headers that tell a caller what a foreign answer has no place for: fields without effect, and the operation's warning.
import type { DialectAnswer } from "./dialect.ts";

const longestWarning = 1000;
const longestList = 4000;

export function signsOf(
  { ignored = [], warning }: DialectAnswer,
  unknownFields: readonly string[],
): Record<string, string> {
  const names = [...new Set([...unknownFields, ...ignored])].sort();
  return {
    ...(names.length > 0 ? { "x-trawl-ignored": headerLine(names.join(", "), longestList) } : {}),
    ...(warning ? { "x-trawl-warning": headerLine(warning, longestWarning) } : {}),
  };
}

/** One line of ASCII: what is beyond it is percent-encoded. */
function headerLine(text: string, longest: number): string {
  const line = text.replace(/\p{Cc}+/gu, " ").replace(/\p{Cs}/gu, "");
  const encoded = line.replace(/[^\x20-\x7e]+/g, encodeURIComponent);
  // Not in the middle of an encoded character.
  return encoded.length <= longest ? encoded : encoded.slice(0, longest).replace(/%[0-9A-F]?$/, "");
}
