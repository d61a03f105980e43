// Rich text (rtf) -> HTML.
import { FileFault } from "../file-fault.ts";
import { Blocks } from "../html/blocks.ts";
import { Inline, type Look } from "../html/inline.ts";
import { type Note, noteReference, notesSection, parsedFile } from "../html/page.ts";
import type { ParsedFile } from "../parsed-file.ts";
import { RtfTable } from "./rtf-cells.ts";
import { encodingOfCharset, encodingOfCodepage, RtfLists, type RtfStyle, styleOf } from "./rtf-tables.ts";
import { type RtfToken, rtfTokens } from "./rtf-tokens.ts";

/** Where text goes: into the document, into something that is collected, or nowhere. */
type Destination = "text" | "skip" | "fonts" | "styles" | "field" | "mark" | "title" | "author" | "lists" | "overrides";

interface State {
  to: Destination;
  look: Look & { isHidden?: boolean };
  /** Characters that stand in for a Unicode one. */
  substitutes: number;
  encoding: string;
  isTable: boolean;
  isNote: boolean;
  href: string | undefined;
}

/** The text that is being written: the document's, or a note's. */
interface Flow {
  blocks: Blocks;
  inline: Inline;
  plain: string;
  table: RtfTable;
}

interface ParagraphRules {
  style: number;
  list: number;
  depth: number;
  outline: number | null;
  mark: string;
}

const skipped = new Set(
  (
    "pict object colortbl header headerl headerr headerf footer footerl footerr footerf ftnsep ftnsepc aftnsep generator " +
    "xmlnstbl rsidtbl themedata colorschememapping latentstyles datastore datafield filetbl revtbl pgptbl private " +
    "annotation atnid atnauthor atnref nonshppict bkmkstart bkmkend wgrffmtfilter listpicture mmathPr company operator subject keywords comment doccomm category manager hlinkbase"
  ).split(" "),
);
const maxDepth = 2000;

export function readRtf(bytes: Uint8Array): ParsedFile {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  if (!/^\s*\{\\rtf/.test(source)) throw new FileFault("broken", "The file is no rich text");
  const reader = new RtfReader();
  for (const token of rtfTokens(source)) reader.take(token);
  return reader.finish();
}

class RtfReader {
  private readonly stack: State[] = [];
  private state: State = { to: "text", look: {}, substitutes: 1, encoding: "windows-1252", isTable: false, isNote: false, href: undefined };
  private readonly main: Flow = newFlow();
  private flow = this.main;
  private paragraph: ParagraphRules = { style: 0, list: 0, depth: 0, outline: null, mark: "" };
  private pendingBytes: number[] = [];
  private substitutesLeft = 0;
  private isMarked = false;
  private isFresh = false;
  private fileEncoding = "windows-1252";
  private readonly fonts = new Map<number, { encoding: string | undefined; isCode: boolean }>();
  private font = 0;
  private readonly styles = new Map<number, RtfStyle>();
  private styleName = "";
  private styleNumber = 0;
  private styleOutline: number | null = null;
  private readonly lists = new RtfLists();
  private listId = 0;
  private field = "";
  private readonly facts: { title?: string; author?: string } = {};
  private readonly notes: Note[] = [];
  private readonly counts = new Map<string, number>();

  take(token: RtfToken): void {
    if (token.kind !== "byte") this.flushBytes();
    switch (token.kind) {
      case "open":
        if (this.stack.length >= maxDepth) throw new FileFault("limit", "The file's groups are nested too deeply");
        this.stack.push({ ...this.state, look: { ...this.state.look } });
        this.isFresh = true;
        return;
      case "close":
        return this.close();
      case "byte":
        if (this.substitutesLeft > 0) this.substitutesLeft -= 1;
        else this.pendingBytes.push(token.byte);
        break;
      case "text":
        this.addText(token.text);
        break;
      case "word":
        this.word(token.word, token.value);
        if (token.word !== "*") this.isMarked = false;
    }
    if (token.kind !== "word" || token.word !== "*") this.isFresh = false;
  }

  finish(): ParsedFile {
    this.flushBytes();
    this.endParagraph();
    this.endTable();
    return parsedFile(this.main.blocks.toString() + notesSection(this.notes), this.facts);
  }

  private close(): void {
    const ended = this.state;
    const outer = this.stack.pop();
    if (!outer) return;
    if (ended.isNote && !outer.isNote) this.endNote();
    if (ended.to === "styles" && outer.to === "styles") this.endStyle();
    if (ended.to === "field" && outer.to !== "field") {
      const [, url] = /^\s*HYPERLINK\s+"([^"]+)"/i.exec(this.field) ?? /^\s*HYPERLINK\s+([^\s"\\]\S*)/i.exec(this.field) ?? [];
      const [, place] = /\\l\s+"([^"]+)"/.exec(this.field) ?? [];
      outer.href = url ?? (place ? `#${place}` : undefined);
      this.field = "";
    }
    this.state = outer;
    this.substitutesLeft = 0;
    this.isFresh = false;
  }

  private addText(text: string): void {
    let shown = text;
    if (this.substitutesLeft > 0) {
      const cut = Math.min(this.substitutesLeft, shown.length);
      shown = shown.slice(cut);
      this.substitutesLeft -= cut;
    }
    if (shown !== "") this.write(shown);
  }

  private flushBytes(): void {
    if (this.pendingBytes.length === 0) return;
    const text = new TextDecoder(this.encoding()).decode(Uint8Array.from(this.pendingBytes));
    this.pendingBytes = [];
    this.write(text);
  }

  private encoding(): string {
    return this.fonts.get(this.font)?.encoding ?? this.fileEncoding;
  }

  private write(text: string): void {
    const { to, look, href } = this.state;
    if (to === "text") {
      const { isHidden, ...shown } = look;
      if (isHidden) return;
      this.flow.inline.text(text, href === undefined ? shown : { ...shown, href });
      this.flow.plain += text;
    } else if (to === "field") this.field += text;
    else if (to === "mark") this.paragraph.mark += text;
    else if (to === "styles") this.styleName += text;
    else if (to === "fonts") this.noteFont(text);
    else if (to === "title" || to === "author") this.facts[to] = (this.facts[to] ?? "") + text;
  }

  private noteFont(name: string): void {
    const font = this.fonts.get(this.font);
    if (font && /courier|consolas|menlo|monaco|mono\b|lucida console/i.test(name)) font.isCode = true;
  }

  private word(word: string, value: number | null): void {
    if (word === "*") {
      this.isMarked = true;
      return;
    }
    if (this.destination(word)) return;
    if (word === "u") return this.unicode(value ?? 0);
    if (word === "uc") this.state.substitutes = Math.max(0, value ?? 1);
    else if (this.state.to === "fonts") this.fontWord(word, value);
    else if (this.state.to === "styles") this.styleWord(word, value);
    else if (this.state.to === "lists" || this.state.to === "overrides") this.listWord(word, value);
    else if (word === "ansicpg") this.fileEncoding = encodingOfCodepage(value ?? 1252);
    else if (word === "mac") this.fileEncoding = "macintosh";
    else if (this.state.to === "text" || this.state.to === "mark") this.textWord(word, value);
  }

  /** Whether the word began a destination. */
  private destination(word: string): boolean {
    const { state } = this;
    const begin = (to: Destination) => {
      if (state.to !== "skip") state.to = to;
      return true;
    };
    switch (word) {
      case "fonttbl":
        return begin("fonts");
      case "stylesheet":
        return begin("styles");
      case "listtable":
        return begin("lists");
      case "listoverridetable":
        return begin("overrides");
      case "fldinst":
        return begin("field");
      case "fldrslt":
        return true;
      case "listtext":
      case "pntext":
        return begin("mark");
      case "pn":
      case "info":
        return begin("skip");
      case "title":
      case "author":
        if (state.to === "skip" && this.isFresh) state.to = word;
        return true;
      case "footnote":
        if (state.to === "text") this.startNote();
        return true;
      case "shptxt":
      case "shppict":
      case "shp":
      case "shpinst":
        this.isMarked = false;
        return word !== "shppict" || begin("skip");
      case "nesttableprops":
      case "pnseclvl":
        return begin("skip");
      default:
        if (skipped.has(word)) return begin("skip");
        // What is marked as optional and not known is left out.
        if (this.isMarked && this.isFresh && state.to === "text") return begin("skip");
        return false;
    }
  }

  private fontWord(word: string, value: number | null): void {
    if (word === "f") {
      this.font = value ?? 0;
      this.fonts.set(this.font, { encoding: undefined, isCode: false });
    }
    const font = this.fonts.get(this.font);
    if (word === "fcharset" && font) font.encoding = value === 0 ? undefined : encodingOfCharset(value ?? 0);
  }

  private styleWord(word: string, value: number | null): void {
    if (word === "s" || word === "cs" || word === "ds") this.styleNumber = word === "s" ? (value ?? 0) : -1;
    else if (word === "outlinelevel") this.styleOutline = value;
  }

  private endStyle(): void {
    const name = this.styleName.replace(/;.*$/s, "").trim();
    if (this.styleNumber >= 0 && name !== "") this.styles.set(this.styleNumber, styleOf(name, this.styleOutline));
    this.styleName = "";
    this.styleNumber = 0;
    this.styleOutline = null;
  }

  private listWord(word: string, value: number | null): void {
    if (word === "list") this.lists.startList();
    else if (word === "levelnfc") this.lists.addFormat(value ?? 0);
    else if (word === "listid" && this.state.to === "lists") this.lists.nameList(value ?? 0);
    else if (word === "listid") this.listId = value ?? 0;
    else if (word === "ls") this.lists.override(this.listId, value ?? 0);
  }

  private unicode(code: number): void {
    if (this.substitutesLeft === 0) this.write(String.fromCharCode(code & 0xffff));
    this.substitutesLeft = this.state.substitutes;
  }

  private textWord(word: string, value: number | null): void {
    const { look } = this.state;
    const isOn = (value ?? 1) !== 0 || undefined;
    switch (word) {
      case "b":
        look.isBold = isOn;
        return;
      case "i":
        look.isItalic = isOn;
        return;
      case "strike":
      case "striked":
        look.isStruck = isOn;
        return;
      case "v":
        if (isOn) look.isHidden = true;
        else delete look.isHidden;
        return;
      case "deleted":
        look.isHidden = true;
        return;
      case "super":
        look.script = isOn ? "sup" : undefined;
        return;
      case "sub":
        look.script = isOn ? "sub" : undefined;
        return;
      case "nosupersub":
        look.script = undefined;
        return;
      case "plain":
        this.state.look = {};
        return;
      case "f":
        this.font = value ?? 0;
        look.isCode = this.fonts.get(this.font)?.isCode || undefined;
        return;
      default:
        if (this.letters(word)) return;
        this.paragraphWord(word, value);
    }
  }

  private letters(word: string): boolean {
    const letter = letterWords[word];
    if (letter !== undefined) this.write(letter);
    if (word === "line" || word === "lbr") {
      this.flow.inline.break();
      this.flow.plain += "\n";
      return true;
    }
    return letter !== undefined;
  }

  private paragraphWord(word: string, value: number | null): void {
    const { paragraph, state, flow } = this;
    switch (word) {
      case "pard":
        this.paragraph = { style: 0, list: 0, depth: 0, outline: null, mark: paragraph.mark };
        state.isTable = false;
        return;
      case "s":
        paragraph.style = value ?? 0;
        return;
      case "ls":
        paragraph.list = value ?? 0;
        return;
      case "ilvl":
        paragraph.depth = Math.min(8, Math.max(0, value ?? 0));
        return;
      case "outlinelevel":
        paragraph.outline = value;
        return;
      case "intbl":
        state.isTable = true;
        return;
      case "trowd":
        return flow.table.startRow();
      case "trhdr":
        return flow.table.markHead();
      case "clmrg":
      case "clvmgf":
      case "clvmrg":
        return flow.table.mark(word);
      case "cellx":
        return flow.table.endRule();
      case "cell":
        this.endParagraph(true);
        return flow.table.endCell();
      case "nestcell":
        return this.endParagraph(true);
      case "row":
        return flow.table.endRow();
      case "par":
      case "sect":
      case "page":
        return this.endParagraph();
      default:
    }
  }

  private endParagraph(isCell = false): void {
    const { flow, paragraph } = this;
    const { inline, plain } = flow;
    flow.inline = new Inline();
    flow.plain = "";
    const isTable = isCell || this.state.isTable;
    if (!isTable) this.endTable();
    const { mark } = paragraph;
    paragraph.mark = "";
    if (inline.isEmpty) return;
    this.addParagraph(inline, plain, mark, isTable ? flow.table.blocks : flow.blocks);
  }

  private addParagraph(inline: Inline, plain: string, mark: string, blocks: Blocks): void {
    const { style: number, list, depth, outline } = this.paragraph;
    const style = this.styles.get(number);
    const level = outline !== null && outline < 9 ? outline + 1 : (style?.heading ?? null);
    if (level !== null) return blocks.heading(level, inline.toString());
    if (style?.isTitle) return blocks.heading(1, inline.toString());
    if (style?.isCode) {
      for (const line of plain.split("\n")) blocks.codeLine(line);
      return;
    }
    if (mark.trim() !== "" || list > 0) {
      const isOrdered = mark.trim() !== "" ? /[\p{L}\p{N}][.)]/u.test(mark) : (this.lists.isOrdered(list, depth) ?? false);
      blocks.item({ depth, isOrdered, number: this.numberOf(list, depth, mark), html: inline.toString() });
    } else if (style?.isQuote) blocks.quote(inline.toString());
    else blocks.paragraph(inline.toString());
  }

  private numberOf(list: number, depth: number, mark: string): number {
    const written = /\d+/.exec(mark)?.[0];
    const key = `${list}:${depth}`;
    const number = written ? Number(written) : (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, number);
    return number;
  }

  private endTable(): void {
    const { flow } = this;
    if (flow.table.isEmpty) return;
    flow.blocks.raw(flow.table.toString());
    flow.table = new RtfTable();
  }

  private startNote(): void {
    const label = String(this.notes.length + 1);
    const note: Note = { id: `n${label}`, label, html: "" };
    this.notes.push(note);
    this.flow.inline.html(noteReference(note));
    this.state.isNote = true;
    this.flow = newFlow();
  }

  private endNote(): void {
    const { flow } = this;
    if (!flow.inline.isEmpty) flow.blocks.paragraph(flow.inline.toString());
    const note = this.notes[this.notes.length - 1];
    if (note) note.html = flow.blocks.toString();
    this.flow = this.main;
  }
}

const letterWords: Readonly<Record<string, string>> = {
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

function newFlow(): Flow {
  return { blocks: new Blocks(), inline: new Inline(), plain: "", table: new RtfTable() };
}
