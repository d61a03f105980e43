// The parts of an old Word file: text in pieces, properties of paragraphs and characters, styles.

import { FileFault } from "../file/file-reading.ts";
import { type Blip, findBlip, type OleContainer } from "../packages/containers.ts";

type Sprm = (operation: number, operand: Buffer) => void;

const tableDefinition = 0xd608;
const longTabs = 0xc615;

/** Calls back for each change; stops where the list is broken. */
export function readSprms(bytes: Buffer, use: Sprm): void {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const operation = bytes.readUInt16LE(at);
    at += 2;
    const { head, size } = operandSize(bytes, at, operation);
    const from = at + head;
    if (from + size > bytes.length) return;
    use(operation, bytes.subarray(from, from + size));
    at = from + size;
  }
}

/** How many bytes say the size, and the size itself. */
function operandSize(bytes: Buffer, at: number, operation: number): { head: number; size: number } {
  // The upper bits give the size; 6 means that the first byte does.
  const size = [1, 1, 2, 4, 2, 2, 0, 3][operation >> 13] as number;
  if (size > 0) return { head: 0, size };
  if (operation === tableDefinition)
    return { head: 2, size: at + 2 <= bytes.length ? Math.max(0, bytes.readUInt16LE(at) - 1) : 0 };
  if (operation === longTabs && bytes[at] === 255) return { head: 1, size: bytes.length };
  return { head: 1, size: bytes[at] ?? 0 };
}

/** Runs of characters (by their place in the file) with the properties that apply to them. */
interface PropertyRun {
  from: number;
  to: number;
  bytes: Buffer;
}

/** From pages of 512 bytes, each of which ends in the number of its runs. */
function readRuns(stream: Buffer, table: Buffer, kind: "paragraphs" | "characters"): PropertyRun[] {
  const count = Math.floor((table.length - 4) / 8);
  const runs: PropertyRun[] = [];
  for (let index = 0; index < count; index += 1) {
    const page = (table.readUInt32LE((count + 1) * 4 + index * 4) & 0x3fffff) * 512;
    if (page + 512 > stream.length) continue;
    const bytes = stream.subarray(page, page + 512);
    const inPage = bytes[511] ?? 0;
    const step = kind === "paragraphs" ? 13 : 1;
    if ((inPage + 1) * 4 + inPage * step > 511) continue;
    for (let run = 0; run < inPage; run += 1) {
      const place = (bytes[(inPage + 1) * 4 + run * step] ?? 0) * 2;
      runs.push({
        from: bytes.readUInt32LE(run * 4),
        to: bytes.readUInt32LE(run * 4 + 4),
        bytes: place === 0 ? Buffer.alloc(0) : propertiesAt(bytes, place, kind),
      });
    }
  }
  return runs.sort((a, b) => a.from - b.from);
}

function propertiesAt(page: Buffer, place: number, kind: "paragraphs" | "characters"): Buffer {
  const first = page[place] ?? 0;
  if (kind === "characters") return page.subarray(place + 1, Math.min(511, place + 1 + first));
  const isLong = first === 0;
  const size = isLong ? (page[place + 1] ?? 0) * 2 : first * 2 - 1;
  const from = place + (isLong ? 2 : 1);
  return page.subarray(from, Math.min(511, from + size));
}

/** The run that holds a place, by halving. */
function runAt(runs: readonly PropertyRun[], place: number): PropertyRun | undefined {
  let low = 0;
  let high = runs.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const run = runs[middle] as PropertyRun;
    if (place < run.from) high = middle - 1;
    else if (place >= run.to) low = middle + 1;
    else return run;
  }
  return undefined;
}

/** Pieces of the text, in the order of its characters. */
interface TextLengths {
  main: number;
  footnotes: number;
  heads: number;
  comments: number;
  endnotes: number;
  boxes: number;
}

interface WordCharacter {
  text: string;
  /** Offset in the file. */
  place: number;
}

interface Piece {
  from: number;
  to: number;
  place: number;
  isWide: boolean;
}

interface WordStyle {
  kind: number;
  base: number;
  paragraph: Buffer;
  character: Buffer;
}

const markWord = 0xa5ec;
const markOlderWord = 0xa5dc;
const maxCharacters = 20_000_000;
/** Numbers of the tables that the head of the file names. */
const tables = {
  styles: 1,
  footnoteRefs: 2,
  footnoteTexts: 3,
  characters: 12,
  paragraphs: 13,
  pieces: 33,
  endnoteRefs: 46,
  endnoteTexts: 47,
  lists: 73,
  overrides: 74,
};

/** The part of the file that holds the text. */
export function documentStream(container: OleContainer): Buffer {
  const stream = container.stream("WordDocument");
  if (!stream || stream.length < 426) throw new FileFault("broken", "The file has no Word document");
  return stream;
}

/** Of Word 6 or Word 95, whose files are built otherwise. */
export function isOfOlderWord(stream: Buffer): boolean {
  return stream.readUInt16LE(0) === markOlderWord;
}

export class WordFile {
  readonly lengths: TextLengths;
  readonly container: OleContainer;
  private readonly stream: Buffer;
  private readonly table: Buffer;
  private readonly pieces: Piece[];
  private readonly paragraphRuns: PropertyRun[];
  private readonly characterRuns: PropertyRun[];
  private readonly styles: WordStyle[];
  private data: Buffer | undefined;

  constructor(container: OleContainer, stream: Buffer) {
    if (stream.readUInt16LE(0) !== markWord)
      throw new FileFault("unsupported", "The file was written by a version of Word older than 6");
    this.container = container;
    this.stream = stream;
    const flags = stream.readUInt16LE(10);
    if ((flags & 0x0100) !== 0) throw new FileFault("encrypted", "The document is encrypted and needs a password");
    const names = (flags & 0x0200) !== 0 ? ["1Table", "0Table"] : ["0Table", "1Table"];
    const found = names.map((name) => this.container.stream(name)).find((table) => table !== null);
    this.table = found ?? Buffer.alloc(0);
    const length = (at: number) => Math.max(0, Math.min(maxCharacters, stream.readInt32LE(at)));
    this.lengths = {
      main: length(0x4c),
      footnotes: length(0x50),
      heads: length(0x54),
      comments: length(0x5c),
      endnotes: length(0x60),
      boxes: length(0x64),
    };
    this.pieces = this.readPieces();
    this.paragraphRuns = readRuns(stream, this.part("paragraphs"), "paragraphs");
    this.characterRuns = readRuns(stream, this.part("characters"), "characters");
    this.styles = this.readStyles();
  }

  part(name: keyof typeof tables): Buffer {
    const at = 154 + 8 * tables[name];
    if (at + 8 > this.stream.length) return Buffer.alloc(0);
    const from = this.stream.readUInt32LE(at);
    return this.table.subarray(from, from + this.stream.readUInt32LE(at + 4));
  }

  /** The picture at a place among the file's data. */
  pictureAt(at: number): Blip | null {
    this.data ??= this.container.stream("Data") ?? Buffer.alloc(0);
    if (at + 6 > this.data.length) return null;
    const size = this.data.readUInt32LE(at);
    return findBlip(this.data.subarray(at + this.data.readUInt16LE(at + 4), at + size));
  }

  /** What follows a part in the table's stream. */
  after(name: keyof typeof tables): Buffer {
    const at = 154 + 8 * tables[name];
    return this.table.subarray(this.stream.readUInt32LE(at) + this.stream.readUInt32LE(at + 4));
  }

  /** The characters between two counts. */
  *characters(from: number, to: number): Generator<WordCharacter> {
    for (const piece of this.pieces) {
      const start = Math.max(from, piece.from);
      const end = Math.min(to, piece.to);
      for (let count = start; count < end; count += 1) {
        const place = piece.place + (count - piece.from) * (piece.isWide ? 2 : 1);
        if (place + (piece.isWide ? 2 : 1) > this.stream.length) return;
        const code = piece.isWide ? this.stream.readUInt16LE(place) : (this.stream[place] as number);
        yield { text: piece.isWide ? String.fromCharCode(code) : narrow(code), place };
      }
    }
  }

  /** The style's number, and the changes of the paragraph that ends at a place. */
  paragraphAt(place: number): { style: number; changes: Buffer } {
    const { bytes } = runAt(this.paragraphRuns, place) ?? { bytes: Buffer.alloc(0) };
    return { style: numberAt(bytes, 0), changes: bytes.subarray(2) };
  }

  characterAt(place: number): PropertyRun | undefined {
    return runAt(this.characterRuns, place);
  }

  /** 1 to 9 for headings, by the style or one that it is based on; 0 for a title; null for text. */
  headingOf(style: number): number | null {
    for (let number = style, depth = 0; depth < 20; depth += 1) {
      const found = this.styles[number];
      if (!found) return null;
      if (found.kind >= 1 && found.kind <= 9) return found.kind;
      if (found.kind === 62) return 0;
      number = found.base;
    }
    return null;
  }

  /** Changes of a style and of those that it is based on, the base first. */
  styleChanges(style: number, kind: "paragraph" | "character", depth = 0): Buffer[] {
    const found = this.styles[style];
    if (!found || depth > 20) return [];
    return [...this.styleChanges(found.base, kind, depth + 1), found[kind]];
  }

  private readPieces(): Piece[] {
    const clx = this.part("pieces");
    let at = 0;
    while (at + 3 <= clx.length && clx[at] === 1) at += 3 + clx.readUInt16LE(at + 1);
    if (clx[at] !== 2 || at + 5 > clx.length) throw new FileFault("broken", "The list of text pieces is damaged");
    const list = clx.subarray(at + 5, at + 5 + clx.readUInt32LE(at + 1));
    const count = Math.floor((list.length - 4) / 12);
    const pieces: Piece[] = [];
    for (let index = 0; index < count; index += 1) {
      const written = list.readUInt32LE((count + 1) * 4 + index * 8 + 2);
      const isWide = (written & 0x40000000) === 0;
      const place = isWide ? written : (written & 0x3fffffff) / 2;
      pieces.push({ from: list.readUInt32LE(index * 4), to: list.readUInt32LE(index * 4 + 4), place, isWide });
    }
    return pieces.filter(({ from, to }) => to > from && to - from <= maxCharacters);
  }

  private readStyles(): WordStyle[] {
    const sheet = this.part("styles");
    if (sheet.length < 8) return [];
    const headSize = sheet.readUInt16LE(0);
    const count = sheet.readUInt16LE(2);
    const fixedSize = sheet.readUInt16LE(4);
    const styles: WordStyle[] = [];
    for (let at = 2 + headSize; at + 2 <= sheet.length && styles.length < Math.min(count, 5000); ) {
      const size = sheet.readUInt16LE(at);
      styles.push(styleOf(sheet.subarray(at + 2, at + 2 + size), fixedSize));
      at += 2 + size;
    }
    return styles;
  }
}

const noStyle: WordStyle = { kind: 0xfff, base: 0xfff, paragraph: Buffer.alloc(0), character: Buffer.alloc(0) };

function styleOf(bytes: Buffer, fixedSize: number): WordStyle {
  if (bytes.length < 10) return noStyle;
  const type = bytes.readUInt16LE(2) & 15;
  const style: WordStyle = { ...noStyle, kind: bytes.readUInt16LE(0) & 0xfff, base: bytes.readUInt16LE(2) >> 4 };
  let at = fixedSize + (numberAt(bytes, fixedSize) + 2) * 2;
  for (let part = type === 1 ? 0 : 1; part < 2 && at + 2 <= bytes.length; part += 1) {
    const size = bytes.readUInt16LE(at);
    const changes = bytes.subarray(at + 2, at + 2 + size);
    if (part === 0) style.paragraph = changes.subarray(2);
    else style.character = changes;
    at += 2 + size + (size % 2);
  }
  return style;
}

function numberAt(bytes: Buffer, at: number): number {
  return at + 2 <= bytes.length ? bytes.readUInt16LE(at) : 0;
}

const decoder = new TextDecoder("windows-1252");
const narrowLetters = Array.from({ length: 256 }, (_, code) => decoder.decode(Uint8Array.of(code)));

function narrow(code: number): string {
  return code < 0x20 ? String.fromCharCode(code) : (narrowLetters[code] ?? "");
}
