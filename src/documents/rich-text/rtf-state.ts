// What the reader of rich text keeps: where text goes and how it looks, the rules of its paragraph, its table, its picture.

import { type Cell, cellContent, imageHtml, PictureShelf, tableHtml } from "../html/document-html.ts";
import { Blocks, Inline, type Look } from "../html/html-blocks.ts";

interface CellRule {
  isMergedLeft: boolean;
  startsDown: boolean;
  isMergedUp: boolean;
}

const noRule: CellRule = { isMergedLeft: false, startsDown: false, isMergedUp: false };

export class RtfTable {
  private rules: CellRule[] = [];
  private rule: CellRule = { ...noRule };
  private cells: string[] = [];
  /** The cell that is being written. */
  cell = new Blocks();
  private readonly rows: Cell[][] = [];
  private readonly above = new Map<number, Cell>();
  private headRows = 0;
  private isHeadRow = false;

  get isEmpty(): boolean {
    return this.rows.length === 0 && this.cells.length === 0 && this.cell.isEmpty;
  }

  startRow(): void {
    this.rules = [];
    this.rule = { ...noRule };
    this.isHeadRow = false;
  }

  /** Rules of a cell come before the word that ends them. */
  addRule(word: string): void {
    if (word === "trhdr") this.isHeadRow = true;
    else if (word === "clmrg") this.rule.isMergedLeft = true;
    else if (word === "clvmgf") this.rule.startsDown = true;
    else if (word === "clvmrg") this.rule.isMergedUp = true;
    else {
      this.rules.push(this.rule);
      this.rule = { ...noRule };
    }
  }

  endCell(): void {
    this.cells.push(cellContent(this.cell.toString()));
    this.cell = new Blocks();
  }

  endRow(): void {
    const row: Cell[] = [];
    for (const [index, html] of this.cells.entries()) {
      const rule = this.rules[index] ?? noRule;
      const left = row[row.length - 1];
      const up = this.above.get(index);
      if (rule.isMergedLeft && left) left.columns += 1;
      else if (rule.isMergedUp && up) up.rows += 1;
      else {
        const cell: Cell = { html, columns: 1, rows: 1 };
        row.push(cell);
        if (rule.startsDown) this.above.set(index, cell);
        else this.above.delete(index);
      }
    }
    if (row.length > 0) {
      if (this.isHeadRow && this.headRows === this.rows.length) this.headRows += 1;
      this.rows.push(row);
    }
    this.cells = [];
  }

  toString(): string {
    if (!this.cell.isEmpty) this.endCell();
    if (this.cells.length > 0) this.endRow();
    return this.rows.length > 0 ? tableHtml(this.rows, this.headRows) : "";
  }
}

const types: ReadonlyMap<string, string> = new Map([
  ["pngblip", "image/png"],
  ["jpegblip", "image/jpeg"],
]);

/** Two digits a byte. */
const maxDigits = 2 * 4 * 1024 * 1024;

export class RtfPictures {
  readonly shelf = new PictureShelf();
  private type: string | undefined;
  private digits: string[] = [];
  private length = 0;

  start(): void {
    this.type = undefined;
    this.digits = [];
    this.length = 0;
  }

  word(word: string): void {
    this.type ??= types.get(word);
  }

  add(text: string): void {
    this.length += text.length;
    if (this.length <= maxDigits) this.digits.push(text);
  }

  /** The picture as HTML; "" for a kind that browsers do not show, such as drawings of Windows. */
  end(): string {
    if (this.type === undefined || this.length === 0) return "";
    const bytes = this.length > maxDigits ? null : Buffer.from(this.digits.join("").replace(/[^\da-f]/gi, ""), "hex");
    const source = bytes ? this.shelf.put(this.type, bytes) : this.shelf.refuse();
    return source === null ? "" : imageHtml(source);
  }
}

/** Where text goes: into the document, into something that is collected, or nowhere. */
export type RtfDestination =
  | "text"
  | "skip"
  | "fonts"
  | "styles"
  | "field"
  | "mark"
  | "title"
  | "author"
  | "lists"
  | "overrides"
  | "picture";

export interface RtfState {
  to: RtfDestination;
  look: Look & { isHidden?: boolean };
  /** Characters that replace a Unicode one for older readers. */
  substitutes: number;
  isTable: boolean;
  isNote: boolean;
  href: string | undefined;
}

/** The text that is being written: the document's, or a note's. */
export interface RtfFlow {
  blocks: Blocks;
  inline: Inline;
  plain: string;
  /** Nothing but code so far. */
  isCode: boolean;
  table: RtfTable;
}

export interface ParagraphRules {
  style: number;
  list: number;
  depth: number;
  outline: number | null;
  mark: string;
  /** In twentieths of a point. */
  indent: number;
  firstIndent: number;
}

export const noParagraphRules: ParagraphRules = {
  style: 0,
  list: 0,
  depth: 0,
  outline: null,
  mark: "",
  indent: 0,
  firstIndent: 0,
};
/** A mark that is written as text before a tab. */
export const writtenMark = /^\s*(?:([•◦▪‣●○■–*-])|\(?(?:\d{1,4}|[a-zA-Z]|[ivxIVX]{1,5})[.)])\t/;

/** Words that begin a destination in any context. */
export const destinations: ReadonlyMap<string, RtfDestination> = new Map([
  ["fonttbl", "fonts"],
  ["stylesheet", "styles"],
  ["listtable", "lists"],
  ["listoverridetable", "overrides"],
  ["fldinst", "field"],
  ["listtext", "mark"],
  ["pntext", "mark"],
  ["pn", "skip"],
  ["info", "skip"],
  ["nesttableprops", "skip"],
  ["pnseclvl", "skip"],
] as const);

export const skippedWords = new Set(
  (
    "object colortbl header headerl headerr headerf footer footerl footerr footerf ftnsep ftnsepc aftnsep generator " +
    "xmlnstbl rsidtbl themedata colorschememapping latentstyles datastore datafield filetbl revtbl pgptbl private " +
    "annotation atnid atnauthor atnref nonshppict bkmkstart bkmkend wgrffmtfilter listpicture mmathPr company operator subject keywords comment doccomm category manager hlinkbase"
  ).split(" "),
);
export const maxGroups = 2000;
export const wholeBold = /^<strong>((?:(?!<\/?strong>)[\s\S])*)<\/strong>$/;

export const letterWords: ReadonlyMap<string, string> = new Map([
  ["tab", "\t"],
  ["emdash", "—"],
  ["endash", "–"],
  ["emspace", "\u2003"],
  ["enspace", "\u2002"],
  ["bullet", "•"],
  ["lquote", "‘"],
  ["rquote", "’"],
  ["ldblquote", "“"],
  ["rdblquote", "”"],
  ["zwj", "\u200d"],
  ["zwnj", "\u200c"],
]);

export function newRtfFlow(): RtfFlow {
  return { blocks: new Blocks(), inline: new Inline(), plain: "", isCode: true, table: new RtfTable() };
}

/** Whether the word says how text looks. */
export function applyLook(look: RtfState["look"], word: string, value: number | null): boolean {
  const isOn = (value ?? 1) !== 0 || undefined;
  if (word === "b") look.isBold = isOn;
  else if (word === "i") look.isItalic = isOn;
  else if (word === "strike" || word === "striked") look.isStruck = isOn;
  else if (word === "v" || word === "deleted") {
    if (isOn) look.isHidden = true;
    else delete look.isHidden;
  } else if (word === "super" || word === "sub") look.script = isOn && (word === "sub" ? "sub" : "sup");
  else if (word === "nosupersub") look.script = undefined;
  else return false;
  return true;
}
