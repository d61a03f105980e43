// What the reader of rich text remembers: where text goes, how it looks, and the rules of the paragraph that is being written.
import { Blocks } from "../html/html-blocks.ts";
import { Inline, type Look } from "../html/inline-html.ts";
import { RtfTable } from "./rtf-cells.ts";

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

export const letterWords: Readonly<Record<string, string>> = {
  tab: "\t",
  emdash: "—",
  endash: "–",
  emspace: "\u2003",
  enspace: "\u2002",
  bullet: "•",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  zwj: "\u200d",
  zwnj: "\u200c",
};

export function newRtfFlow(): RtfFlow {
  return { blocks: new Blocks(), inline: new Inline(), plain: "", isCode: true, table: new RtfTable() };
}

/** Whether the word says how text looks. */
export function applyLook(look: RtfState["look"], word: string, value: number | null): boolean {
  const isOn = (value ?? 1) !== 0 || undefined;
  switch (word) {
    case "b":
      look.isBold = isOn;
      return true;
    case "i":
      look.isItalic = isOn;
      return true;
    case "strike":
    case "striked":
      look.isStruck = isOn;
      return true;
    case "v":
    case "deleted":
      if (isOn) look.isHidden = true;
      else delete look.isHidden;
      return true;
    case "super":
    case "sub":
      look.script = isOn ? (word === "sub" ? "sub" : "sup") : undefined;
      return true;
    case "nosupersub":
      look.script = undefined;
      return true;
    default:
      return false;
  }
}
