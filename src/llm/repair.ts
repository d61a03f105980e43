// Reads JSON as models write it: in code fences, between words, with trailing commas, comments, single quotes or bare
// names, or cut off in the middle. One pass over the text for each place where an object may begin.

export interface JsonReading {
  value: unknown;
  /** False: the text ends before the object does. Values that were cut off are left out. */
  isComplete: boolean;
  /** The text had to be repaired to be JSON. */
  isMended: boolean;
}

const maxDepth = 100;
/** Words before the answer may contain braces, too. */
const maxStarts = 5;

/** Null when there is no object in the text. */
export function readModelJson(text: string): JsonReading | null {
  const own = withoutThoughts(text);
  try {
    const value: unknown = JSON.parse(own);
    return typeof value === "object" && value !== null ? { value, isComplete: true, isMended: false } : null;
  } catch {
    return readLoosely(own);
  }
}

/** Reasoning models write their thoughts before the answer. */
export function withoutThoughts(text: string): string {
  const end = text.lastIndexOf("</think>");
  return (end === -1 ? text : text.slice(end + "</think>".length)).trim();
}

function readLoosely(text: string): JsonReading | null {
  let start = text.indexOf("{");
  for (let tries = 0; start !== -1 && tries < maxStarts; tries += 1) {
    const reader = new LooseReader(text, start);
    const value = reader.read();
    if (value !== nothing) return { value, isComplete: !reader.isCutOff, isMended: true };
    start = text.indexOf("{", start + 1);
  }
  return null;
}

/** Stands for a value that is not there or not whole. */
const nothing = Symbol("nothing");

class LooseReader {
  isCutOff = false;
  private at: number;
  private readonly text: string;

  constructor(text: string, start: number) {
    this.text = text;
    this.at = start;
  }

  read(): unknown {
    try {
      return this.readValue(0);
    } catch {
      return nothing;
    }
  }

  private readValue(depth: number): unknown {
    if (depth > maxDepth) throw new RangeError("nested too deep");
    this.skipBlanks();
    const character = this.text[this.at];
    if (character === undefined) return this.cutOff();
    if (character === "{") return this.readObject(depth);
    if (character === "[") return this.readList(depth);
    if (isQuote(character)) return this.readString();
    return this.readWord();
  }

  private readObject(depth: number): unknown {
    const object: Record<string, unknown> = {};
    for (const character of this.partsUntil("}")) {
      const name = isQuote(character) ? this.readString() : this.readName();
      this.skipBlanks();
      if (name === nothing || this.text[this.at] === undefined) {
        this.cutOff();
        break;
      }
      if (this.text[this.at] !== ":") throw new SyntaxError("a name without a value");
      this.at += 1;
      const value = this.readValue(depth + 1);
      if (value !== nothing) {
        Object.defineProperty(object, String(name), { value, enumerable: true, configurable: true, writable: true });
      }
    }
    return object;
  }

  private readList(depth: number): unknown[] {
    const list: unknown[] = [];
    for (const _ of this.partsUntil("]")) {
      const value = this.readValue(depth + 1);
      if (value !== nothing) list.push(value);
    }
    return list;
  }

  /** The first character of each part of an object or list, until it is closed or cut off. */
  private *partsUntil(end: "}" | "]"): Generator<string> {
    this.at += 1;
    while (!this.isCutOff) {
      this.skipBlanks(",");
      const character = this.text[this.at];
      if (character === undefined) this.cutOff();
      else if (character !== end) yield character;
      else {
        this.at += 1;
        return;
      }
    }
  }

  private readString(): unknown {
    const quote = this.text[this.at];
    const parts: string[] = [];
    let from = this.at + 1;
    for (let at = from; at < this.text.length; at += 1) {
      const character = this.text[at];
      if (character === quote) {
        parts.push(this.text.slice(from, at));
        this.at = at + 1;
        return parts.join("");
      }
      if (character !== "\\") continue;
      const escaped = readEscape(this.text, at);
      if (escaped === null) break;
      parts.push(this.text.slice(from, at), escaped.text);
      from = escaped.end;
      at = escaped.end - 1;
    }
    return this.cutOff();
  }

  private readWord(): unknown {
    const word = this.readRun(/[^\s,\]}:"'/]/);
    // A number at the end of the text may have had more digits.
    if (this.at >= this.text.length) return this.cutOff();
    if (words.has(word)) return words.get(word);
    if (/^[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(word)) return Number(word.replaceAll("_", ""));
    throw new SyntaxError("neither a value nor a name");
  }

  private readName(): unknown {
    const name = this.readRun(/[\p{L}\p{N}_$.-]/u);
    if (name === "") throw new SyntaxError("neither a name nor an end");
    return name;
  }

  private readRun(allowed: RegExp): string {
    const start = this.at;
    while (this.at < this.text.length && allowed.test(this.text[this.at] as string)) this.at += 1;
    return this.text.slice(start, this.at);
  }

  /** Blanks, comments, and what else is given. */
  private skipBlanks(also = ""): void {
    for (; this.at < this.text.length; this.at += 1) {
      const character = this.text[this.at] as string;
      if (this.text.startsWith("//", this.at)) this.at = this.endOf("\n", 1) - 1;
      else if (this.text.startsWith("/*", this.at)) this.at = this.endOf("*/", 2) - 1;
      else if (character.trim() !== "" && character !== also) return;
    }
  }

  private endOf(mark: string, length: number): number {
    const end = this.text.indexOf(mark, this.at);
    return end === -1 ? this.text.length : end + length;
  }

  private cutOff(): typeof nothing {
    this.isCutOff = true;
    this.at = this.text.length;
    return nothing;
  }
}

const words = new Map<string, unknown>([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["null", null],
  ["None", null],
  ["undefined", null],
  ["NaN", null],
]);

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "\n": "" };

/** Null when it is cut off. */
function readEscape(text: string, at: number): { text: string; end: number } | null {
  const letter = text[at + 1];
  if (letter === undefined) return null;
  if (letter !== "u") return { text: escapes[letter] ?? letter, end: at + 2 };
  const digits = text.slice(at + 2, at + 6);
  if (/^[0-9a-f]{4}$/i.test(digits)) return { text: String.fromCharCode(Number.parseInt(digits, 16)), end: at + 6 };
  return at + 6 > text.length ? null : { text: "u", end: at + 2 };
}

function isQuote(character: string): boolean {
  return character === '"' || character === "'";
}

/** An answer that went on in another: models begin again with a fence or with their last words. */
export function joinContinuation(start: string, more: string): string {
  const rest = more.replace(/^\s*```(?:json)?[^\S\n]*\n?/, "").replace(/\n?```\s*$/, "");
  const longest = Math.min(maxOverlap, rest.length, start.length);
  for (let length = longest; length >= shortestOverlap; length -= 1) {
    if (start.endsWith(rest.slice(0, length))) return start + rest.slice(length);
  }
  return start + rest;
}

const maxOverlap = 200;
/** Shorter ones come by chance. */
const shortestOverlap = 8;
