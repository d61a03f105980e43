// Rich text (rtf) -> HTML.

import { FileFault, type ParsedFile } from "../file/file-reading.ts";
import { type Note, noteReference, notesSection, parsedFile } from "../html/document-html.ts";
import { type Blocks, Inline } from "../html/html-blocks.ts";
import { hyperlinkOf } from "../packages/word-fields.ts";
import { encodingOfCodepage, RtfHead } from "./rtf-head.ts";
import {
  applyLook,
  destinations,
  letterWords,
  maxGroups,
  newRtfFlow,
  noParagraphRules,
  type ParagraphRules,
  type RtfDestination,
  type RtfFlow,
  RtfPictures,
  type RtfState,
  RtfTable,
  skippedWords,
  wholeBold,
  writtenMark,
} from "./rtf-state.ts";
import { type RtfToken, rtfTokens } from "./rtf-tokens.ts";

export function readRtf(bytes: Uint8Array): ParsedFile {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  if (!/^\s*\{\\rtf/.test(source)) throw new FileFault("broken", "The file is not rich text (RTF)");
  const reader = new RtfReader();
  for (const token of rtfTokens(source)) reader.take(token);
  return reader.finish();
}

class RtfReader {
  private readonly stack: RtfState[] = [];
  private state: RtfState = {
    to: "text",
    look: {},
    substitutes: 1,
    isTable: false,
    isNote: false,
    href: undefined,
  };
  private readonly main: RtfFlow = newRtfFlow();
  private flow = this.main;
  private paragraph: ParagraphRules = { ...noParagraphRules };
  private pendingBytes: number[] = [];
  private substitutesLeft = 0;
  private isMarked = false;
  private isFresh = false;
  private readonly head = new RtfHead();
  private readonly pictures = new RtfPictures();
  private field = "";
  private readonly facts: { title?: string; author?: string } = {};
  private readonly notes: Note[] = [];
  private readonly counts = new Map<string, number>();

  take(token: RtfToken): void {
    if (token.kind !== "byte") this.flushBytes();
    if (token.kind === "open") {
      if (this.stack.length >= maxGroups) throw new FileFault("limit", "The file's groups are nested too deeply");
      this.stack.push({ ...this.state, look: { ...this.state.look } });
      this.isFresh = true;
      return;
    }
    if (token.kind === "word" && token.word === "*") {
      this.isMarked = true;
      return;
    }
    if (token.kind === "close") this.close();
    else if (token.kind === "text") this.addText(token.text);
    else if (token.kind === "word") {
      this.word(token.word, token.value);
      this.isMarked = false;
    } else if (token.kind === "byte") {
      if (this.substitutesLeft > 0) this.substitutesLeft -= 1;
      else this.pendingBytes.push(token.byte);
    }
    this.isFresh = false;
  }

  finish(): ParsedFile {
    this.flushBytes();
    this.endParagraph();
    this.endTable();
    const body = this.main.blocks.toString() + notesSection(this.notes);
    return parsedFile(body, this.facts, this.pictures.shelf.warnings());
  }

  private close(): void {
    const ended = this.state;
    const outer = this.stack.pop();
    if (!outer) return;
    if (ended.isNote && !outer.isNote) this.endNote();
    if (ended.to === "styles" && outer.to === "styles") this.head.endStyle();
    if (ended.to === "picture" && outer.to === "text") this.addPicture(outer.href);
    if (ended.to === "field" && outer.to !== "field") {
      outer.href = hyperlinkOf(this.field);
      this.field = "";
    }
    this.state = outer;
    this.substitutesLeft = 0;
  }

  private addPicture(href: string | undefined): void {
    const html = this.pictures.end();
    if (html === "") return;
    this.flow.inline.html(html, { href });
    this.flow.isCode = false;
  }

  private addText(text: string): void {
    const replaced = Math.min(this.substitutesLeft, text.length);
    this.substitutesLeft -= replaced;
    if (replaced < text.length) this.write(text.slice(replaced));
  }

  private flushBytes(): void {
    if (this.pendingBytes.length === 0) return;
    const text = new TextDecoder(this.head.encoding).decode(Uint8Array.from(this.pendingBytes));
    this.pendingBytes = [];
    this.write(text);
  }

  private write(text: string): void {
    const { to, look, href } = this.state;
    if (to === "text") {
      const { isHidden, ...shown } = look;
      if (isHidden) return;
      this.flow.inline.text(text, href === undefined ? shown : { ...shown, href });
      this.flow.plain += text;
      if (!shown.isCode && text.trim() !== "") this.flow.isCode = false;
    } else if (to === "field") this.field += text;
    else if (to === "mark") this.paragraph.mark += text;
    else if (to === "styles") this.head.addStyleName(text);
    else if (to === "fonts") this.head.addFontName(text);
    else if (to === "picture") this.pictures.add(text);
    else if (to === "title" || to === "author") this.facts[to] = (this.facts[to] ?? "") + text;
  }

  private word(word: string, value: number | null): void {
    if (this.destination(word)) return;
    if (word === "u") this.unicode(value ?? 0);
    else if (word === "uc") this.state.substitutes = Math.max(0, value ?? 1);
    else if (this.state.to === "picture") this.pictures.word(word);
    else if (this.state.to === "fonts") this.head.fontWord(word, value);
    else if (this.state.to === "styles") this.head.styleWord(word, value);
    else if (this.state.to === "lists" || this.state.to === "overrides")
      this.head.listWord(word, value, this.state.to === "lists");
    else if (word === "ansicpg") this.head.fileEncoding = encodingOfCodepage(value ?? 1252);
    else if (word === "mac") this.head.fileEncoding = "macintosh";
    else if (this.state.to === "text" || this.state.to === "mark") this.textWord(word, value);
  }

  /** Whether the word began a destination. */
  private destination(word: string): boolean {
    const { state } = this;
    const begin = (to: RtfDestination) => {
      if (state.to !== "skip") state.to = to;
      return true;
    };
    const simple = destinations.get(word);
    if (simple !== undefined) return begin(simple);
    if (word === "fldrslt") return true;
    if (word === "title" || word === "author") {
      if (state.to === "skip" && this.isFresh) state.to = word;
    } else if (word === "footnote") {
      if (state.to === "text") this.startNote();
    } else if (word === "pict") {
      this.pictures.start();
      return begin("picture");
    } else if (/^(?:shptxt|shppict|shp|shpinst)$/.test(word)) this.isMarked = false;
    // What is marked as optional and not known is left out.
    else if (skippedWords.has(word) || (this.isMarked && this.isFresh && /^(?:text|picture)$/.test(state.to)))
      return begin("skip");
    else return false;
    return true;
  }

  private unicode(code: number): void {
    if (this.substitutesLeft === 0) this.write(String.fromCharCode(code & 0xffff));
    this.substitutesLeft = this.state.substitutes;
  }

  private textWord(word: string, value: number | null): void {
    const { look } = this.state;
    const letter = letterWords.get(word);
    if (letter !== undefined) this.write(letter);
    else if (word === "plain") this.state.look = {};
    else if (word === "f") {
      this.head.font = value ?? 0;
      look.isCode = this.head.isCode || undefined;
    } else if (word === "line" || word === "lbr") {
      this.flow.inline.break();
      this.flow.plain += "\n";
    } else if (!applyLook(look, word, value)) this.paragraphWord(word, value);
  }

  private paragraphWord(word: string, value: number | null): void {
    const { paragraph, state, flow } = this;
    if (word === "pard") {
      this.paragraph = { ...noParagraphRules, mark: paragraph.mark };
      state.isTable = false;
    } else if (word === "s") paragraph.style = value ?? 0;
    else if (word === "ls") paragraph.list = value ?? 0;
    else if (word === "ilvl") paragraph.depth = Math.min(8, Math.max(0, value ?? 0));
    else if (word === "outlinelevel") paragraph.outline = value;
    else if (word === "li") paragraph.indent = value ?? 0;
    else if (word === "fi") paragraph.firstIndent = value ?? 0;
    else if (word === "intbl") state.isTable = true;
    else if (word === "trowd") flow.table.startRow();
    else if (/^(?:trhdr|clmrg|clvmgf|clvmrg|cellx)$/.test(word)) flow.table.addRule(word);
    else if (word === "cell" || word === "nestcell") {
      this.endParagraph(true);
      if (word === "cell") flow.table.endCell();
    } else if (word === "row") flow.table.endRow();
    else if (/^(?:par|sect|page)$/.test(word)) this.endParagraph();
  }

  private endParagraph(isCell = false): void {
    const { flow, paragraph } = this;
    const { inline, plain, isCode } = flow;
    flow.inline = new Inline();
    flow.plain = "";
    flow.isCode = true;
    const isTable = isCell || this.state.isTable;
    if (!isTable) this.endTable();
    const { mark } = paragraph;
    paragraph.mark = "";
    if (inline.isEmpty) return;
    this.addParagraph(inline, isCode, mark, isTable ? flow.table.cell : flow.blocks, plain);
  }

  private addParagraph(inline: Inline, isCode: boolean, mark: string, blocks: Blocks, plain: string): void {
    const { style: number, list, depth, outline, indent, firstIndent } = this.paragraph;
    const style = this.head.styles.get(number);
    const level = outline !== null && outline < 9 ? outline + 1 : (style?.heading ?? null);
    // Headings are usually bold throughout; the heading element already says so.
    if (level !== null) {
      blocks.heading(level, inline.toString().replace(wholeBold, "$1"));
      return;
    }
    if (style?.isTitle) {
      blocks.heading(1, inline.toString());
      return;
    }
    const written = firstIndent < 0 && mark === "" && list === 0 ? writtenMark.exec(plain) : null;
    if (written) {
      inline.dropStart(written[0].length);
      const place = Math.min(8, Math.max(0, Math.round(indent / -firstIndent) - 1));
      const count = /\d+/.exec(written[0])?.[0];
      blocks.item({
        depth: place,
        isOrdered: written[1] === undefined,
        number: count ? Number(count) : undefined,
        html: inline.toString(),
      });
      return;
    }
    if (style?.isCode || isCode) {
      blocks.code(plain);
      return;
    }
    if (mark.trim() !== "" || list > 0) {
      const isOrdered = mark.trim() !== "" ? /[\p{L}\p{N}][.)]/u.test(mark) : this.head.isOrdered(list, depth);
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
    this.flow = newRtfFlow();
  }

  private endNote(): void {
    const { flow } = this;
    if (!flow.inline.isEmpty) flow.blocks.paragraph(flow.inline.toString());
    const note = this.notes[this.notes.length - 1];
    if (note) note.html = flow.blocks.toString();
    this.flow = this.main;
  }
}
