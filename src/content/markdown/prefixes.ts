// Line prefixes: list markers, the indentation under them, quote signs.

interface Prefix {
  first: string | null;
  rest: string;
}

/** Indentation deeper than this only makes output longer: 512 levels of it would multiply a page's size. */
const maxPrefixes = 24;

export class LinePrefixes {
  private readonly stack: Prefix[] = [];
  /** Prefixes that the last line and the current one share: only these are written before blank lines. */
  private common = 0;

  /** `first` is written once, before the first line that comes. */
  push(first: string | null, rest: string): void {
    this.stack.push(this.stack.length < maxPrefixes ? { first, rest } : { first: null, rest: "" });
  }

  pop(): void {
    this.stack.pop();
    this.common = Math.min(this.common, this.stack.length);
  }

  get isEmpty(): boolean {
    return this.stack.length === 0;
  }

  line(): string {
    let line = "";
    for (const prefix of this.stack) {
      line += prefix.first ?? prefix.rest;
      prefix.first = null;
    }
    this.common = this.stack.length;
    return line;
  }

  blankLine(): string {
    if (this.common === 0) return "";
    let line = "";
    for (let index = 0; index < this.common; index += 1) line += this.stack[index]?.rest ?? "";
    return line.trimEnd();
  }
}
