// Lines made only of `agent-browser` commands joined by `&&`, `;` or line ends. They are read here, and no shell ever sees
// them; anything with a meaning to a shell is left to a shell.
import type { VerbCommand } from "./inside/work.ts";

const name = "agent-browser";
/** Outside of quotes these mean something to a shell. */
const special = /[$`|&<>(){}*?[\]~#!\\]/;
const maxCommands = 200;

/** Null when the text is anything else than such commands. */
export function readVerbLines(text: string): VerbCommand[] | null {
  const commands: VerbCommand[] = [];
  let words: string[] = [];
  let needsSuccess = false;
  let at = 0;

  const end = (isAnd: boolean): boolean => {
    const isEmpty = words.length === 0;
    if (!isEmpty) {
      const [first, ...rest] = words;
      if (first !== name || rest.length === 0 || commands.length === maxCommands) return false;
      commands.push({ words: rest, needsSuccess });
    }
    // One side of an `&&` is empty.
    if (isEmpty && (isAnd || needsSuccess)) return false;
    words = [];
    needsSuccess = isAnd;
    return true;
  };

  while (at < text.length) {
    const sign = text[at] ?? "";
    if (sign === " " || sign === "\t" || sign === "\r") at += 1;
    else if (sign === ";" || sign === "\n") {
      // A line may end behind `&&` and go on in the next one.
      if (!(sign === "\n" && needsSuccess && words.length === 0) && !end(false)) return null;
      at += 1;
    } else if (text.startsWith("&&", at)) {
      if (!end(true)) return null;
      at += 2;
    } else {
      const word = readWord(text, at);
      if (word === null) return null;
      words.push(word.text);
      at = word.end;
    }
  }
  return end(false) && commands.length > 0 ? commands : null;
}

/** One word, its quotes taken off. Null when a shell would make something of it. */
function readWord(text: string, start: number): { text: string; end: number } | null {
  let word = "";
  let at = start;
  while (at < text.length) {
    const sign = text[at] ?? "";
    if (/[\s;]/.test(sign) || text.startsWith("&&", at)) break;
    if (sign === "'" || sign === '"') {
      const quoted = readQuoted(text, at, sign);
      if (quoted === null) return null;
      word += quoted.text;
      at = quoted.end;
    } else if (special.test(sign)) return null;
    else {
      word += sign;
      at += 1;
    }
  }
  return { text: word, end: at };
}

function readQuoted(text: string, start: number, quote: string): { text: string; end: number } | null {
  let inside = "";
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (sign === quote) return { text: inside, end: at + 1 };
    if (quote === '"' && (sign === "$" || sign === "`")) return null;
    if (quote === '"' && sign === "\\") {
      at += 1;
      const next = text[at] ?? "";
      inside += '"\\$`'.includes(next) ? next : `\\${next}`;
    } else inside += sign;
  }
  return null;
}
