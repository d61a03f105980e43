// Builds markdown in one pass. Whitespace, line breaks, prefixes and delimiters are held back until a visible character
// follows, so that delimiters always touch text, nothing empty is written and no blank line is doubled.
import type { Text } from "domhandler";
import { isTight } from "../../html/index.ts";
import { collapseSpaces, escapeLineStart, escapeText, isPlain, isPlainText } from "./escape.ts";
import { beginsWithWord, endsInWord, isGap } from "./letters.ts";
import { LinePrefixes } from "./prefixes.ts";

/** Delimiters around a run of text; written only when text comes, closed and reopened around block boundaries. */
export interface Mark {
  open: string;
  close: string;
  /** Emphasis obeys the flanking rules of CommonMark; a link does not. */
  isEmphasis: boolean;
  isLink: boolean;
}

interface OpenMark extends Mark {
  isWritten: boolean;
  /** True when its delimiters could not be read as such here and are left out. */
  isVoid: boolean;
  openAt: number;
  atLineStart: boolean;
}

interface ClosedMark {
  openAt: number;
  closeAt: number;
  open: string;
  before: string;
  /** True when it is the first on its line: without it, the text begins the line. */
  atLineStart: boolean;
}

/** Punctuation before the first word of a text, and after its last one. */
const leadingSigns = /^[^\p{L}\p{N}\s\\`*_~<>[\]&]{1,10}(?=[\p{L}\p{N}])/u;
const trailingSigns = /(?<=[\p{L}\p{N}])[^\p{L}\p{N}\s\\`*_~<>[\]]{1,10}$/u;

export class MarkdownWriter {
  private readonly parts: string[] = [];
  private readonly prefixes = new LinePrefixes();
  private readonly marks: OpenMark[] = [];
  private readonly isCell: boolean;
  private breaks = 0;
  private singleLine = 0;
  private hasSpace = false;
  private hasHardBreak = false;
  /** A list marker waits for its text: blocks at the start of an item do not part it from the item before. */
  private isMarkerPending = false;
  private isEmpty = true;
  private atLineStart = true;
  /** Last visible text before delimiters, to see what is left of one. */
  private lastText = "";
  /** Where the last text of the page was written: other parts must not be cut. */
  private lastTextAt = -1;
  /** Emphasis closed at the very end of the output: what comes next decides whether it may stay. */
  private justClosed: ClosedMark[] = [];
  private justClosedLink = false;
  private justClosedCode = false;

  /** A cell's writer stays on one line: breaks become `<br>`. */
  constructor(isCell: boolean) {
    this.isCell = isCell;
  }

  toString(): string {
    this.suspendMarks();
    return this.parts.join("");
  }

  /** Text of the page, with whitespace collapsed as a browser does. `node`: whose whole text it is. */
  text(raw: string, node: Text | null = null): void {
    if (isGap(raw)) {
      this.hasSpace = true;
      return;
    }
    const isUsual = node ? isPlainText(node) : isPlain(raw);
    const flat = isUsual ? raw : collapseSpaces(raw);
    if (flat === "") return;
    const last = flat.charCodeAt(flat.length - 1);
    if (flat.charCodeAt(0) === 32) this.hasSpace = true;
    let body = isTight(flat) ? flat : flat.trim();
    if (body === "") return;
    const signs = this.marks.length === 0 ? 0 : this.signsBeforeMark(body);
    if (signs > 0) {
      this.writeSigns(body.slice(0, signs));
      body = body.slice(signs);
    }
    this.begin(body);
    if (!isUsual) this.parts.push(this.escaped(body));
    else this.parts.push(this.atLineStart ? escapeLineStart(body) : body);
    this.lastText = body;
    this.lastTextAt = this.parts.length - 1;
    this.atLineStart = false;
    this.hasSpace = last === 32;
  }

  private escaped(body: string): string {
    const text = escapeText(body, this.atLineStart, this.inLink);
    // Inside of a strikethrough any tilde could be taken for its end, and a sign right behind its own kind for a part of it.
    if (body.includes("~") && this.has("~~")) return text.replace(/\\?~/g, "\\~");
    const [sign = ""] = text;
    return /[*~]/.test(sign) && this.parts[this.parts.length - 1]?.endsWith(sign) ? `\\${text}` : text;
  }

  /** Markdown that is already right: an image, inline HTML. */
  raw(markdown: string): void {
    this.begin(markdown);
    this.parts.push(markdown);
    this.lastText = markdown;
    this.atLineStart = false;
  }

  /** Code between backticks: two of them side by side would be one. */
  code(markdown: string): void {
    if (this.justClosedCode) this.hasSpace = true;
    this.raw(markdown);
    this.justClosedCode = true;
  }

  /** Asks for that many line ends before what comes next; at least two make a new block. */
  break(count: number): void {
    this.hasHardBreak = false;
    if (this.singleLine > 0) {
      this.hasSpace = true;
      return;
    }
    this.suspendMarks();
    this.hasSpace = false;
    if (count > this.breaks && !this.isMarkerPending) this.breaks = count;
  }

  /** After an item of a list: exactly one line end, so that lists stay tight. */
  endItem(): void {
    this.break(1);
    if (this.singleLine === 0) this.breaks = 1;
  }

  /** A line break inside a block; two in a row begin a new block. */
  hardBreak(): void {
    if (this.singleLine > 0) this.hasSpace = true;
    else if (this.breaks > 0 || this.isEmpty) return;
    else if (this.hasHardBreak) this.break(2);
    else this.hasHardBreak = true;
  }

  /** Until the returned function is called, breaks are spaces: headings are one line. */
  holdLine(): () => void {
    this.singleLine += 1;
    return () => {
      this.singleLine -= 1;
    };
  }

  /** True before the first text of an item, a note or a quote. */
  get isAtItemStart(): boolean {
    return this.isMarkerPending;
  }

  /** Grows with everything that is written. */
  get length(): number {
    return this.parts.length;
  }

  /** The end of a heading: a run of `#` there would be taken for its frame. */
  endHeading(): void {
    const last = this.parts.length - 1;
    this.parts[last] = (this.parts[last] ?? "").replace(/(?<=^|\s)#+$/, "\\$&");
  }

  pushPrefix(first: string | null, rest: string): void {
    this.isMarkerPending = first !== null;
    this.prefixes.push(first, rest);
  }

  popPrefix(): void {
    this.prefixes.pop();
    this.isMarkerPending = false;
  }

  openMark(mark: Mark): void {
    const { open, close, isEmphasis, isLink } = mark;
    // Written out: objects made by spreading were four times as slow here.
    this.marks.push({
      open,
      close,
      isEmphasis,
      isLink,
      isWritten: false,
      isVoid: false,
      openAt: -1,
      atLineStart: false,
    });
  }

  closeMark(): void {
    const mark = this.marks.pop();
    if (mark) this.endMark(mark);
  }

  /** Lines that are kept as they are, behind the prefixes. */
  lines(lines: readonly string[], gap = 2): void {
    if (lines.length === 0) return;
    this.break(gap);
    for (const [index, line] of lines.entries()) {
      if (index === 0) this.beginLine();
      else this.parts.push(`\n${line === "" ? this.prefixes.line().trimEnd() : this.prefixes.line()}`);
      this.parts.push(line);
    }
    this.atLineStart = false;
    this.lastText = "";
    this.break(gap);
  }

  get inLink(): boolean {
    for (const mark of this.marks) if (mark.isLink) return true;
    return false;
  }

  has(open: string): boolean {
    for (const mark of this.marks) if (mark.open === open) return true;
    return false;
  }

  /** Writes everything that was held back, just before the visible `next`. */
  private begin(next: string): void {
    if (this.breaks > 0 || this.isEmpty) this.beginLine();
    else if (this.hasHardBreak) this.beginSoftLine();
    else if (this.hasSpace) {
      this.settle(" ");
      this.parts.push(" ");
      this.lastText = " ";
      this.justClosedLink = false;
    }
    this.hasSpace = false;
    this.justClosedCode = false;
    this.openMarks(next);
    this.settle(next);
    if (next.charCodeAt(0) === 40 && this.lastText.endsWith("]") && !this.justClosedLink) this.parts.push("\\");
    this.justClosedLink = false;
  }

  private beginLine(): void {
    this.settle(" ");
    if (this.isCell) {
      if (!this.isEmpty) this.parts.push("<br>");
    } else if (!this.isEmpty) {
      this.parts.push(this.breaks > 1 ? `\n${this.prefixes.blankLine()}\n` : "\n");
    }
    if (!this.isCell && !this.prefixes.isEmpty) this.parts.push(this.prefixes.line());
    this.breaks = 0;
    this.isEmpty = false;
    this.hasSpace = false;
    this.hasHardBreak = false;
    this.startLine();
  }

  private beginSoftLine(): void {
    this.settle(" ");
    this.parts.push(this.isCell ? "<br>" : `  \n${this.prefixes.line()}`);
    this.hasHardBreak = false;
    this.startLine();
  }

  private startLine(): void {
    this.isMarkerPending = false;
    // Not so in a cell. In a heading nothing could be read as a block, but programs that take its marks away would read it so.
    this.atLineStart = !this.isCell;
    this.lastText = "";
    this.justClosedLink = false;
    this.justClosedCode = false;
  }

  /** How many characters at the start of a text must come before a delimiter, so that it is read as one. */
  private signsBeforeMark(body: string): number {
    if (this.hasSpace || this.hasHardBreak || this.breaks > 0 || this.isEmpty) return 0;
    const opens = this.marks.some((mark) => mark.isEmphasis && !mark.isWritten && !mark.isVoid);
    if (!opens || this.hasUnwrittenLink(0) || !endsInWord(this.lastText)) return 0;
    return leadingSigns.exec(body)?.[0].length ?? 0;
  }

  private writeSigns(signs: string): void {
    this.settle(signs);
    this.parts.push(escapeText(signs, false, this.inLink));
    this.lastText = signs;
  }

  private openMarks(next: string): void {
    if (this.justClosedLink && this.hasUnwrittenLink(0)) this.partLinks();
    for (let index = 0; index < this.marks.length; index += 1) {
      const mark = this.marks[index] as OpenMark;
      if (mark.isWritten || mark.isVoid) continue;
      const inner = this.hasUnwrittenLink(index + 1) ? "[" : (this.marks[index + 1]?.open.match(/^_/)?.[0] ?? next);
      if (mark.isEmphasis && this.rejoin(mark)) continue;
      if (mark.isEmphasis && endsInWord(this.lastText) && (mark.open[0] === "_" || !beginsWithWord(inner))) {
        mark.isVoid = true;
        continue;
      }
      this.settle(mark.isLink ? "[" : inner);
      this.writeOpen(mark);
    }
  }

  private hasUnwrittenLink(from: number): boolean {
    for (let index = from; index < this.marks.length; index += 1) {
      const mark = this.marks[index] as OpenMark;
      if (mark.isLink && !mark.isWritten) return true;
    }
    return false;
  }

  /** Two links side by side were apart on the screen. */
  private partLinks(): void {
    this.settle(" ");
    this.parts.push(" ");
    this.lastText = " ";
    this.justClosedLink = false;
  }

  private writeOpen(mark: OpenMark): void {
    const last = this.parts.length - 1;
    // `!` before a link would make it an image.
    if (mark.isLink && this.parts[last]?.endsWith("!")) this.parts[last] = `${this.parts[last]?.slice(0, -1)}\\!`;
    mark.openAt = this.parts.length;
    mark.isWritten = true;
    mark.atLineStart = this.atLineStart;
    this.parts.push(mark.open);
    this.atLineStart = false;
  }

  /** `**a****b**` would not be read as emphasis: the earlier run goes on instead. */
  private rejoin(mark: OpenMark): boolean {
    const earlier = this.justClosed[this.justClosed.length - 1];
    if (!earlier || earlier.open !== mark.open || earlier.closeAt !== this.parts.length - 1) return false;
    this.parts.pop();
    this.justClosed = [];
    mark.openAt = earlier.openAt;
    mark.atLineStart = earlier.atLineStart;
    mark.isWritten = true;
    return true;
  }

  private endMark(mark: OpenMark): void {
    if (!mark.isWritten) return;
    const before = this.lastText;
    if (mark.isEmphasis) {
      const { openAt, open, atLineStart } = mark;
      this.justClosed.push({ openAt, closeAt: this.parts.length, open, before, atLineStart });
    } else {
      this.settle(mark.close);
      this.lastText = mark.close;
      this.justClosedLink = mark.isLink;
    }
    this.parts.push(mark.close);
  }

  /** A closing delimiter after punctuation and before a letter does not close: punctuation moves after it, or it is dropped. */
  private settle(next: string): void {
    if (this.justClosed.length === 0) return;
    if (beginsWithWord(next) && !this.moveSigns()) {
      for (const { openAt, closeAt, open, before, atLineStart } of this.justClosed) {
        if (endsInWord(before) && open[0] !== "_") continue;
        this.parts[openAt] = "";
        this.parts[closeAt] = "";
        if (atLineStart) this.parts[openAt + 1] = escapeLineStart(this.parts[openAt + 1] ?? "");
      }
    }
    this.justClosed = [];
  }

  /** `**Label:**text` is not read as bold, `**Label**:text` is. */
  private moveSigns(): boolean {
    const [first] = this.justClosed;
    const last = this.parts.length - 1;
    if (!first || first.closeAt !== last - this.justClosed.length + 1 || first.closeAt - 1 !== this.lastTextAt)
      return false;
    const text = this.parts[first.closeAt - 1] ?? "";
    const [signs = ""] = trailingSigns.exec(text.slice(-12)) ?? [];
    if (signs === "") return false;
    this.parts[first.closeAt - 1] = text.slice(0, -signs.length);
    this.parts[last] += signs;
    return true;
  }

  private suspendMarks(): void {
    for (let index = this.marks.length - 1; index >= 0; index -= 1) {
      const mark = this.marks[index] as OpenMark;
      this.endMark(mark);
      mark.isWritten = false;
      mark.isVoid = false;
    }
  }
}
