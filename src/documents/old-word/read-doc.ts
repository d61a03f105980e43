// Old Word documents (doc, Word 97 to 2003; those of Word 6 and 95 as text) -> HTML.

import type { ParsedFile } from "../file/file-reading.ts";
import {
  type Cell,
  cellContent,
  imageHtml,
  type Note,
  noteReference,
  notesSection,
  PictureShelf,
  parsedFile,
  tableHtml,
} from "../html/document-html.ts";
import { Blocks, Inline, type Look } from "../html/html-blocks.ts";
import { OleContainer } from "../packages/containers.ts";
import { FieldReader } from "../packages/word-fields.ts";
import { readWord6 } from "./read-word6.ts";
import { documentStream, isOfOlderWord, readSprms, WordFile } from "./word-file.ts";

const bullet = 23;
const none = 255;
const listBytes = 28;
const levelBytes = 28;

class WordLists {
  /** Formats of the levels, by the number that paragraphs name. */
  private readonly formats: number[][] = [];
  private readonly counts = new Map<string, number>();

  constructor(file: WordFile) {
    const byId = readLists(file);
    const overrides = file.part("overrides");
    const count = overrides.length >= 4 ? overrides.readUInt32LE(0) : 0;
    for (let index = 0; index < Math.min(count, 5000) && 4 + (index + 1) * 16 <= overrides.length; index += 1)
      this.formats[index + 1] = byId.get(overrides.readInt32LE(4 + index * 16)) ?? [];
  }

  /** Null when the paragraph has no mark. */
  next(list: number, depth: number): { isOrdered: boolean; number: number } | null {
    const levels = this.formats[list];
    if (!levels) return null;
    const format = levels[depth] ?? levels[0] ?? bullet;
    if (format === none) return null;
    for (const key of [...this.counts.keys()])
      if (key.startsWith(`${list}:`) && Number(key.slice(key.indexOf(":") + 1)) > depth) this.counts.delete(key);
    const number = (this.counts.get(`${list}:${depth}`) ?? 0) + 1;
    this.counts.set(`${list}:${depth}`, number);
    return { isOrdered: format !== bullet, number };
  }
}

function readLists(file: WordFile): Map<number, number[]> {
  const lists = new Map<number, number[]>();
  const part = file.part("lists");
  if (part.length < 2) return lists;
  const count = part.readUInt16LE(0);
  const levels = file.after("lists");
  let at = 0;
  for (let index = 0; index < count && 2 + (index + 1) * listBytes <= part.length; index += 1) {
    const from = 2 + index * listBytes;
    const isSimple = ((part[from + 26] ?? 0) & 1) !== 0;
    const formats: number[] = [];
    for (let level = 0; level < (isSimple ? 1 : 9) && at + levelBytes <= levels.length; level += 1) {
      formats.push(levels[at + 4] ?? bullet);
      at += levelBytes + (levels[at + 24] ?? 0) + (levels[at + 25] ?? 0);
      if (at + 2 > levels.length) break;
      at += 2 + levels.readUInt16LE(at) * 2;
    }
    lists.set(part.readInt32LE(from), formats);
  }
  return lists;
}

export function readDoc(bytes: Uint8Array): ParsedFile {
  const container = new OleContainer(bytes);
  const stream = documentStream(container);
  if (isOfOlderWord(stream)) return readWord6(stream);
  const file = new WordFile(container, stream);
  const { main, footnotes, heads, comments, endnotes, boxes } = file.lengths;
  const notes = readReferences(file);
  const lists = new WordLists(file);
  const shelf = new PictureShelf();
  const read = (from: number, to: number) => new TextReader(file, lists, notes, shelf).read(from, to);
  const body = read(0, main);
  const endnotesAt = main + footnotes + heads + comments;
  const noteTexts = [
    ...notesOf(file, "footnoteTexts", main, footnotes, read),
    ...notesOf(file, "endnoteTexts", endnotesAt, endnotes, read),
  ];
  const all = [...notes.values()].map((note, index) => ({ ...note, html: noteTexts[index] ?? "" }));
  const boxesAt = endnotesAt + endnotes;
  const box = boxes > 0 ? read(boxesAt, boxesAt + boxes) : "";
  return parsedFile(body + box + notesSection(all), {}, shelf.warnings());
}

/** By their places in the text. */
function readReferences(file: WordFile): Map<number, Note> {
  const notes = new Map<number, Note>();
  for (const kind of ["footnote", "endnote"] as const) {
    const list = file.part(`${kind}Refs`);
    const count = Math.max(0, Math.floor((list.length - 4) / 6));
    for (let index = 0; index < Math.min(count, 20_000); index += 1)
      notes.set(list.readUInt32LE(index * 4), {
        id: `${kind[0]}${index + 1}`,
        label: String(notes.size + 1),
        html: "",
      });
  }
  return notes;
}

function notesOf(
  file: WordFile,
  part: "footnoteTexts" | "endnoteTexts",
  from: number,
  length: number,
  read: (from: number, to: number) => string,
): string[] {
  const list = file.part(part);
  const count = Math.floor(list.length / 4) - 2;
  const texts: string[] = [];
  for (let index = 0; index < Math.min(count, 20_000); index += 1) {
    const start = list.readUInt32LE(index * 4);
    const end = Math.min(length, list.readUInt32LE(index * 4 + 4));
    texts.push(end > start ? read(from + start, from + end) : "");
  }
  return texts;
}

interface ParagraphFacts {
  isCellEnd: boolean;
  isRowEnd: boolean;
  tableDepth: number;
  list: number;
  listDepth: number;
  outline: number | null;
}

/** Control characters with a text, and those around the parts of a field. */
const controlLetters: ReadonlyMap<number, string> = new Map([
  [0x09, "\t"],
  [0x1e, "\u2011"],
]);
const fieldMarks: ReadonlyMap<number, string> = new Map([
  [0x13, "begin"],
  [0x14, "separate"],
  [0x15, "end"],
]);

const noFacts: ParagraphFacts = {
  isCellEnd: false,
  isRowEnd: false,
  tableDepth: 0,
  list: 0,
  listDepth: 0,
  outline: null,
};

class TextReader {
  private readonly file: WordFile;
  private readonly lists: WordLists;
  private readonly notes: ReadonlyMap<number, Note>;
  private readonly shelf: PictureShelf;
  private inline = new Inline();
  private readonly fields = new FieldReader();
  private readonly blocks = new Blocks();
  private rows: Cell[][] = [];
  private row: Cell[] = [];
  private cell = new Blocks();
  private lookRun: { from: number; to: number } | undefined;
  private look: WordLook = {};

  constructor(file: WordFile, lists: WordLists, notes: ReadonlyMap<number, Note>, shelf: PictureShelf) {
    this.file = file;
    this.shelf = shelf;
    this.lists = lists;
    this.notes = notes;
  }

  read(from: number, to: number): string {
    let count = from;
    let text = "";
    const flush = () => {
      this.write(text);
      text = "";
    };
    for (const { text: letter, place } of this.file.characters(from, to)) {
      if (!this.lookRun || place < this.lookRun.from || place >= this.lookRun.to) {
        flush();
        this.enter(place);
      }
      const code = letter.charCodeAt(0);
      if (code >= 0x20) text += letter;
      else {
        flush();
        this.control(code, place, count);
      }
      count += 1;
    }
    flush();
    if (!this.inline.isEmpty) this.paragraph(noFacts, 0);
    this.endTable();
    return this.blocks.toString();
  }

  private control(code: number, place: number, count: number): void {
    const letter = controlLetters.get(code);
    if (code === 0x0d || code === 0x07 || code === 0x0c) this.endParagraph(place, code === 0x07);
    else if (letter !== undefined) this.write(letter);
    else if (code === 0x01) this.picture();
    else if (code === 0x0b) this.inline.break();
    else if (code === 0x02) {
      const note = this.notes.get(count);
      if (note) this.inline.html(noteReference(note));
    } else this.fields.mark(fieldMarks.get(code));
  }

  private write(text: string): void {
    if (text === "") return;
    if (this.fields.isCode) {
      this.fields.addCode(text);
      return;
    }
    const { isHidden, picture: _, ...look } = this.look;
    if (isHidden) return;
    const href = this.fields.href;
    this.inline.text(text, href === undefined ? look : { ...look, href });
  }

  /** The character is a placeholder for a picture, which its properties name. */
  private picture(): void {
    const at = this.look.picture;
    const blip = at === undefined || this.look.isHidden ? null : this.file.pictureAt(at);
    const source = blip && this.shelf.put(blip.type, blip.bytes);
    if (source) this.inline.html(imageHtml(source), { href: this.fields.href });
  }

  /** What the characters from here on look like. */
  private enter(place: number): void {
    const run = this.file.characterAt(place);
    this.lookRun = run ?? { from: place, to: place + 1 };
    const { style } = this.file.paragraphAt(place);
    const base = this.file.headingOf(style) === null ? looksOf(this.file.styleChanges(style, "character"), {}) : {};
    this.look = looksOf(run ? [run.bytes] : [], base, (id) => this.file.styleChanges(id, "character"));
  }

  private endParagraph(place: number, isCellMark: boolean): void {
    const { style, changes } = this.file.paragraphAt(place);
    const facts = { ...noFacts, isCellEnd: isCellMark };
    for (const list of [...this.file.styleChanges(style, "paragraph"), changes]) readParagraphSprms(list, facts);
    if (isCellMark && facts.tableDepth === 0) facts.tableDepth = 1;
    this.paragraph(facts, style);
  }

  private paragraph(facts: ParagraphFacts, style: number): void {
    const { inline } = this;
    this.inline = new Inline();
    if (facts.tableDepth === 0) this.endTable();
    const blocks = facts.tableDepth === 0 ? this.blocks : this.cell;
    if (facts.isRowEnd) {
      if (this.row.length > 0) this.rows.push(this.row);
      this.row = [];
      this.cell = new Blocks();
      return;
    }
    this.addParagraph(inline, facts, style, blocks);
    // Tables inside of cells are read as the text of their cell.
    if (facts.isCellEnd && facts.tableDepth === 1) {
      this.row.push({ html: cellContent(this.cell.toString()), columns: 1, rows: 1 });
      this.cell = new Blocks();
    }
  }

  private addParagraph(inline: Inline, facts: ParagraphFacts, style: number, blocks: Blocks): void {
    const { list, listDepth, outline } = facts;
    if (inline.isEmpty) return;
    const html = inline.toString();
    const heading = this.file.headingOf(style);
    const level = heading ?? (outline !== null && outline < 9 ? outline + 1 : null);
    if (level !== null) {
      blocks.heading(level === 0 ? 1 : level, html);
      return;
    }
    const item = list > 0 ? this.lists.next(list, listDepth) : null;
    if (item) blocks.item({ depth: listDepth, ...item, html });
    else blocks.paragraph(html);
  }

  private endTable(): void {
    if (this.row.length > 0) this.rows.push(this.row);
    if (this.rows.length > 0) this.blocks.raw(tableHtml(this.rows, 0));
    this.rows = [];
    this.row = [];
    if (!this.cell.isEmpty) this.blocks.raw(this.cell.toString());
    this.cell = new Blocks();
  }
}

function readParagraphSprms(bytes: Buffer, facts: ParagraphFacts): void {
  readSprms(bytes, (operation, operand) => {
    const value = operand[0] ?? 0;
    if (operation === 0x2416) facts.tableDepth = Math.max(facts.tableDepth, value);
    else if (operation === 0x2417) facts.isRowEnd = value === 1;
    else if (operation === 0x6649) facts.tableDepth = operand.length >= 4 ? operand.readUInt32LE(0) : 1;
    else if (operation === 0x244b) facts.isCellEnd = facts.isCellEnd || value === 1;
    else if (operation === 0x260a) facts.listDepth = Math.min(8, value);
    else if (operation === 0x460b) facts.list = operand.length >= 2 ? operand.readUInt16LE(0) : 0;
    else if (operation === 0x2640) facts.outline = value;
  });
}

/** With the offset of a picture in the file's data. */
type WordLook = Look & { isHidden?: boolean; picture?: number };

function looksOf(lists: readonly Buffer[], base: Look, styleOf?: (id: number) => Buffer[]): WordLook {
  const look: WordLook = { ...base };
  const toggle = (value: number, was: boolean | undefined) =>
    (value === 0x80 ? was : value === 0x81 ? !was : value === 1) || undefined;
  const use = (operation: number, operand: Buffer) => {
    const value = operand[0] ?? 0;
    if (operation === 0x0835) look.isBold = toggle(value, base.isBold);
    else if (operation === 0x0836) look.isItalic = toggle(value, base.isItalic);
    else if (operation === 0x0837) look.isStruck = toggle(value, base.isStruck);
    else if ((operation === 0x083c || operation === 0x0800) && value === 1) look.isHidden = true;
    else if (operation === 0x6a03 && operand.length >= 4) look.picture = operand.readUInt32LE(0);
    else if (operation === 0x2a48) look.script = value === 1 ? "sup" : value === 2 ? "sub" : undefined;
    else if (operation === 0x4a30 && operand.length >= 2)
      for (const list of styleOf?.(operand.readUInt16LE(0)) ?? []) readSprms(list, use);
  };
  for (const list of lists) readSprms(list, use);
  return look;
}
