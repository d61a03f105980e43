// Rich text -> tokens: groups, control words with their numbers, bytes and plain text.

export type RtfToken =
  | { kind: "open" | "close" }
  | { kind: "word"; word: string; value: number | null }
  | { kind: "byte"; byte: number }
  | { kind: "text"; text: string };

/** `source` has one character a byte. */
export function* rtfTokens(source: string): Generator<RtfToken> {
  const word = /([a-zA-Z]{1,32})(-?\d{1,10})? ?/y;
  const plain = /[^\\{}\r\n]+/y;
  for (let at = 0; at < source.length; ) {
    const sign = source[at];
    if (sign === "{" || sign === "}") {
      yield { kind: sign === "{" ? "open" : "close" };
      at += 1;
    } else if (sign === "\\") {
      word.lastIndex = at + 1;
      const match = word.exec(source);
      if (match) {
        const value = match[2] === undefined ? null : Number(match[2]);
        at = word.lastIndex;
        yield { kind: "word", word: match[1] as string, value };
        // Binary data may hold anything, braces too.
        if (match[1] === "bin") at += Math.max(0, value ?? 0);
        continue;
      }
      const next = source[at + 1] ?? "";
      if (next === "'") {
        yield { kind: "byte", byte: Number.parseInt(source.slice(at + 2, at + 4), 16) || 0x3f };
        at += 4;
      } else {
        yield symbolToken(next);
        at += 2;
      }
    } else if (sign === "\r" || sign === "\n") at += 1;
    else {
      plain.lastIndex = at;
      const text = plain.exec(source)?.[0] ?? "";
      at += Math.max(1, text.length);
      yield { kind: "text", text };
    }
  }
}

function symbolToken(sign: string): RtfToken {
  switch (sign) {
    case "~":
      return { kind: "text", text: "\u00a0" };
    case "_":
      return { kind: "text", text: "\u2011" };
    case "-":
      return { kind: "text", text: "" };
    case "\r":
    case "\n":
      return { kind: "word", word: "par", value: null };
    case "*":
      return { kind: "word", word: "*", value: null };
    default:
      return { kind: "text", text: sign };
  }
}
