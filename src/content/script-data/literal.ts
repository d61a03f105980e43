// Reads data as frameworks write the state of a page into a script: JSON, and a few forms beyond it.
// Nothing is run: anything but data makes the whole text unreadable.

const maxDepth = 200;
const maxValues = 1_000_000;

const space = /(?:\s+|\/\*[\s\S]*?\*\/|\/\/[^\n]*)*/y;
const numeral = /-?(?:0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)/iy;
const word = /[A-Za-z_$][\w$]*/y;
/** Forms that evaluate to the value in their brackets. */
const wrapped = /(?:new\s+(?:Date|Set|Map|URL|Array)|Array|JSON\.parse|Object\.freeze|Object\.create)\s*\(/y;
const program = /\(\s*function\s*\(\s*([\w$,\s]*)\)\s*\{\s*return\b/y;

const words: Readonly<Record<string, unknown>> = {
  true: true,
  false: false,
  null: null,
  undefined,
  NaN: null,
  Infinity: null,
};

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  "0": "\0",
  "\n": "",
};

class NoData extends Error {}

type Holder = Record<string | number, unknown>;

/** The parameter of a function that is called where it is written: its arguments follow its body. */
class Parameter {
  readonly place: number;
  constructor(place: number) {
    this.place = place;
  }
}

/** The value that begins at `from`; undefined for anything but data. */
export function readLiteral(text: string, from: number): unknown {
  try {
    return new LiteralReader(text, from).value(0);
  } catch (error) {
    if (error instanceof NoData || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

class LiteralReader {
  private readonly text: string;
  private at: number;
  private left = maxValues;
  private scope: Map<string, Parameter> | null = null;
  private open: { holder: Holder; key: string | number; place: number }[] = [];

  constructor(text: string, from: number) {
    this.text = text;
    this.at = from;
  }

  value(depth: number): unknown {
    this.left -= 1;
    if (depth > maxDepth || this.left < 0) throw new NoData();
    this.skip();
    const next = this.text[this.at];
    switch (next) {
      case "{":
        return this.object(depth);
      case "[":
        return this.list(depth);
      case '"':
      case "'":
      case "`":
        return this.string(next);
      case "!":
        this.at += 1;
        return !this.value(depth + 1);
      case "(":
        return this.call(depth);
      default:
        return this.plain(depth);
    }
  }

  private object(depth: number): Holder {
    const holder: Holder = {};
    this.each("}", () => {
      const key = this.key();
      this.need(":");
      this.put(holder, key, this.value(depth + 1));
    });
    return holder;
  }

  private list(depth: number): unknown[] {
    const items: unknown[] = [];
    this.each("]", () => {
      if (this.text[this.at] === ",") items.push(undefined);
      else this.put(items as unknown as Holder, items.length, this.value(depth + 1));
    });
    return items;
  }

  private put(holder: Holder, key: string | number, value: unknown): void {
    if (key === "__proto__") return;
    if (value instanceof Parameter) this.open.push({ holder, key, place: value.place });
    holder[key] = value instanceof Parameter ? null : value;
  }

  private key(): string {
    this.skip();
    const next = this.text[this.at];
    if (next === '"' || next === "'") return this.string(next);
    return this.match(word) ?? this.match(numeral) ?? this.fail();
  }

  private string(quote: string): string {
    const { text } = this;
    let read = "";
    let from = this.at + 1;
    for (let at = from; at < text.length; at += 1) {
      const char = text[at];
      if (char === quote) {
        this.at = at + 1;
        return read + text.slice(from, at);
      }
      if (char === "$" && quote === "`" && text[at + 1] === "{") break;
      if (char !== "\\") continue;
      read += text.slice(from, at);
      const { char: escaped, end } = this.escape(at + 1);
      read += escaped;
      at = end - 1;
      from = end;
    }
    return this.fail();
  }

  private escape(at: number): { char: string; end: number } {
    const { text } = this;
    const sign = text[at] ?? this.fail();
    const long = sign === "u" && text[at + 1] === "{" ? text.indexOf("}", at) : -1;
    const length = sign === "u" ? 4 : sign === "x" ? 2 : 0;
    if (length === 0) return { char: escapes[sign] ?? sign, end: at + 1 };
    const from = long < 0 ? at + 1 : at + 2;
    const end = long < 0 ? from + length : long;
    const code = Number.parseInt(text.slice(from, end), 16);
    if (!(code <= 0x10ffff)) this.fail();
    return { char: String.fromCodePoint(code), end: long < 0 ? end : long + 1 };
  }

  private plain(depth: number): unknown {
    const number = this.match(numeral);
    if (number !== null) return Number(number);
    if (this.match(wrapped) !== null) return this.inBrackets(depth);
    const name = this.match(word) ?? this.fail();
    if (name === "void") {
      this.value(depth + 1);
      return undefined;
    }
    if (Object.hasOwn(words, name)) return words[name];
    return this.scope?.get(name) ?? this.fail();
  }

  /** Of a date its time, of a set its members, of JSON in a string what that holds. */
  private inBrackets(depth: number): unknown {
    const isJson = this.text.startsWith("JSON.parse", this.at - "JSON.parse(".length);
    if (this.takes(")")) return null;
    const value = this.value(depth + 1);
    this.need(")");
    return isJson && typeof value === "string" ? JSON.parse(value) : value;
  }

  /** `(function(a,b){return {…}}(1,2))`: the same values are written once. Also a value in brackets. */
  private call(depth: number): unknown {
    program.lastIndex = this.at;
    const found = program.exec(this.text);
    if (found === null) {
      this.at += 1;
      const value = this.value(depth + 1);
      this.need(")");
      return value;
    }
    if (this.scope !== null) this.fail();
    this.at += found[0].length;
    const names = (found[1] ?? "").split(",").map((name) => name.trim());
    this.scope = new Map(names.map((name, place) => [name, new Parameter(place)]));
    const body = this.value(depth + 1);
    this.takes(";");
    this.need("}");
    this.takes(")");
    this.need("(");
    this.at -= 1;
    this.scope = null;
    const given = this.givenValues(depth);
    for (const { holder, key, place } of this.open) holder[key] = given[place];
    this.open = [];
    return body instanceof Parameter ? given[body.place] : body;
  }

  private givenValues(depth: number): unknown[] {
    const values: unknown[] = [];
    this.each(")", () => values.push(this.value(depth + 1)));
    return values;
  }

  /** What commas part, up to the sign that ends it; one more comma may be before that. */
  private each(end: string, read: () => void): void {
    this.at += 1;
    while (!this.takes(end)) {
      read();
      if (this.takes(",")) continue;
      this.need(end);
      break;
    }
  }

  private skip(): void {
    const code = this.text.charCodeAt(this.at);
    if (code > 32 && code !== 47) return;
    space.lastIndex = this.at;
    space.exec(this.text);
    this.at = space.lastIndex;
  }

  private takes(sign: string): boolean {
    this.skip();
    if (this.text[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  private need(sign: string): void {
    if (!this.takes(sign)) this.fail();
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return null;
    this.at += found[0].length;
    return found[0];
  }

  private fail(): never {
    throw new NoData();
  }
}
