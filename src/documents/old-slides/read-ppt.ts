// Old PowerPoint presentations (ppt) -> one section per slide: records in a stream, of which texts and pictures are read.

import { FileFault, type ParsedFile, type ReadFileOptions, wantedSlides } from "../file/file-reading.ts";
import { escapeHtml, imageHtml, PictureShelf, parsedFile, slideSection, speakerNotes } from "../html/document-html.ts";
import { Blocks } from "../html/html-blocks.ts";
import { findBlip, OleContainer } from "../packages/containers.ts";

interface PptRecord {
  type: number;
  instance: number;
  isContainer: boolean;
  from: number;
  to: number;
}

interface PptText {
  /** What kind of placeholder it fills. */
  kind: number;
  text: string;
}

interface SlideEntry {
  id: number;
  place: number | undefined;
  texts: PptText[];
}

const types = {
  notesAtom: 1009,
  slidePersist: 1011,
  outlineReference: 3998,
  textHeader: 3999,
  textChars: 4000,
  textBytes: 4008,
  slideList: 4080,
  userEdit: 4085,
  persistDirectory: 6002,
  pictureStore: 0xf007,
  shapeProperties: 0xf00b,
};

/** The property of a shape that names its picture by number. */
const pictureProperty = 0x0104;
/** Where a store's entry says where its picture begins. */
const delayField = 28;

const titleKinds = new Set([0, 6]);
const bodyKinds = new Set([1, 5, 7, 8]);
const maxRecords = 500_000;

export function readPpt(bytes: Uint8Array, options: Partial<ReadFileOptions> = {}): ParsedFile {
  const container = new OleContainer(bytes);
  const data = container.stream("PowerPoint Document");
  if (!data) throw new FileFault("broken", "The presentation has no document");
  if (container.root.streams.has("EncryptedSummary"))
    throw new FileFault("encrypted", "The presentation is encrypted and needs a password");
  const reader = new PptReader(data, container.stream("Current User"), container.stream("Pictures"));
  const all = reader.slides();
  const sections = wantedSlides(all, options).map(([html, number]) => slideSection(number, html));
  const facts = { totalPages: all.length, pagesRead: sections.length };
  return parsedFile(sections.join(""), facts, reader.pictures.warnings());
}

class PptReader {
  readonly pictures = new PictureShelf();
  private readonly data: Buffer;
  private readonly pictureStream: Buffer | null;
  /** Where each picture begins in its stream, in the order of their numbers. */
  private pictureStores: readonly PptRecord[] = [];
  private readonly places = new Map<number, number>();
  private documentId = 1;
  private count = 0;

  constructor(data: Buffer, user: Buffer | null, pictureStream: Buffer | null) {
    this.data = data;
    this.pictureStream = pictureStream;
    this.readPlaces(user && user.length >= 20 ? user.readUInt32LE(16) : null);
  }

  slides(): string[] {
    const at = this.places.get(this.documentId);
    const document = at === undefined ? null : this.recordAt(at);
    if (!document) throw new FileFault("broken", "The list of slides is damaged");
    if (this.pictureStream) this.pictureStores = this.find(document, types.pictureStore);
    const lists = this.children(document).filter(({ type }) => type === types.slideList);
    const list = lists.find(({ instance }) => instance === 0);
    const notes = this.notesBySlide(lists.find(({ instance }) => instance === 2));
    return this.slideEntries(list).map(({ id, place, texts }) => this.slide(place, texts, notes.get(id) ?? []));
  }

  private slide(place: number | undefined, outline: readonly PptText[], notes: readonly PptText[]): string {
    const record = place === undefined ? null : this.recordAt(place);
    const drawn = record ? this.texts(record, outline) : [];
    const all = drawn.length > 0 ? drawn : [...outline];
    const missing = outline.filter((text) => !all.includes(text));
    const blocks = new Blocks();
    const shown = [...all, ...missing];
    const title = shown.find(({ kind }) => titleKinds.has(kind));
    if (title) blocks.heading(2, htmlOf(title.text.replace(/[\r\n\v]+/g, " ").trim()));
    for (const text of shown) if (text !== title) addText(text, blocks);
    const pictures = record ? this.find(record, types.shapeProperties).flatMap((shape) => this.picturesOf(shape)) : [];
    const said = notes.flatMap(({ text }) => linesOf(text)).map((line) => `<p>${htmlOf(line)}</p>`);
    return blocks.toString() + pictures.join("") + speakerNotes(said.join(""));
  }

  /** Shapes name pictures by number, the document says where each begins, and a stream holds them. */
  private picturesOf({ instance, from, to }: PptRecord): string[] {
    const found: string[] = [];
    for (let at = from; at < from + 6 * instance && at + 6 <= to; at += 6) {
      if ((this.data.readUInt16LE(at) & 0x3fff) !== pictureProperty) continue;
      const number = this.data.readUInt32LE(at + 2);
      const source = this.pictures.once(number, () => this.readPicture(this.pictureStores[number - 1]));
      if (source) found.push(`<p>${imageHtml(source)}</p>`);
    }
    return found;
  }

  private readPicture(store: PptRecord | undefined): string | null {
    if (!store || !this.pictureStream || store.from + delayField + 4 > store.to) return null;
    const at = this.data.readUInt32LE(store.from + delayField);
    if (at + 8 > this.pictureStream.length) return null;
    const end = at + 8 + this.pictureStream.readUInt32LE(at + 4);
    const blip = findBlip(this.pictureStream.subarray(at + 8, end));
    return blip && this.pictures.put(blip.type, blip.bytes);
  }

  /** Slides in the order of the show, each with the texts of its outline. */
  private slideEntries(list: PptRecord | undefined): SlideEntry[] {
    const slides: SlideEntry[] = [];
    let kind = 4;
    for (const record of list ? this.children(list) : []) {
      const current = slides[slides.length - 1];
      if (record.type === types.slidePersist && record.from + 16 <= record.to)
        slides.push({
          id: this.data.readUInt32LE(record.from + 12),
          place: this.places.get(this.data.readUInt32LE(record.from)),
          texts: [],
        });
      else if (record.type === types.textHeader && record.from + 4 <= record.to)
        kind = this.data.readUInt32LE(record.from);
      else {
        const text = this.textOf(record);
        if (text !== null) current?.texts.push({ kind, text });
      }
    }
    return slides;
  }

  private notesBySlide(list: PptRecord | undefined): Map<number, PptText[]> {
    const notes = new Map<number, PptText[]>();
    for (const { place } of this.slideEntries(list)) {
      const record = place === undefined ? null : this.recordAt(place);
      const atom = record && this.children(record).find(({ type }) => type === types.notesAtom);
      if (!record || !atom || atom.from + 4 > atom.to) continue;
      const texts = this.texts(record, []).filter(({ kind }) => kind === 2);
      notes.set(this.data.readUInt32LE(atom.from), texts);
    }
    return notes;
  }

  /** All texts below a record in their order; a reference takes one of the outline. */
  private texts(record: PptRecord, outline: readonly PptText[]): PptText[] {
    const found: PptText[] = [];
    let kind = 4;
    const visit = (each: PptRecord, depth: number) => {
      if (depth > 40) return;
      for (const child of this.children(each)) {
        if (child.type === types.textHeader && child.from + 4 <= child.to) kind = this.data.readUInt32LE(child.from);
        else if (child.type === types.outlineReference && child.from + 4 <= child.to) {
          const text = outline[this.data.readUInt32LE(child.from)];
          if (text && !found.includes(text)) found.push(text);
        } else if (child.isContainer) visit(child, depth + 1);
        else {
          const text = this.textOf(child);
          if (text !== null) found.push({ kind, text });
        }
      }
    };
    visit(record, 0);
    return found;
  }

  /** All records of a type below one. */
  private find(record: PptRecord, type: number, depth = 0): PptRecord[] {
    if (depth > 40) return [];
    return this.children(record).flatMap((child) => {
      if (child.type === type) return [child];
      return child.isContainer ? this.find(child, type, depth + 1) : [];
    });
  }

  private textOf({ type, from, to }: PptRecord): string | null {
    if (type === types.textChars) return this.data.toString("utf16le", from, to);
    return type === types.textBytes ? this.data.toString("latin1", from, to) : null;
  }

  private recordAt(at: number): PptRecord | null {
    const { data } = this;
    this.count += 1;
    if (this.count > maxRecords || at < 0 || at + 8 > data.length) return null;
    const head = data.readUInt16LE(at);
    const to = Math.min(data.length, at + 8 + data.readUInt32LE(at + 4));
    return { type: data.readUInt16LE(at + 2), instance: head >> 4, isContainer: (head & 15) === 15, from: at + 8, to };
  }

  private children({ from, to, isContainer }: PptRecord): PptRecord[] {
    const children: PptRecord[] = [];
    if (!isContainer) return children;
    for (let at = from; at + 8 <= to; ) {
      const record = this.recordAt(at);
      if (!record) break;
      children.push({ ...record, to: Math.min(record.to, to) });
      at = record.to;
    }
    return children;
  }

  /** Offset of each object. The newest edit comes first, so the first offset found counts. */
  private readPlaces(current: number | null): void {
    const { data } = this;
    let at = current;
    for (let edits = 0; at !== null && edits < 1000; edits += 1) {
      const edit = this.recordAt(at);
      if (edit?.type !== types.userEdit || edit.from + 20 > edit.to) return;
      if (edits === 0) this.documentId = data.readUInt32LE(edit.from + 16);
      const directory = this.recordAt(data.readUInt32LE(edit.from + 12));
      if (directory?.type === types.persistDirectory) this.readDirectory(directory);
      const earlier = data.readUInt32LE(edit.from + 8);
      at = earlier === 0 ? null : earlier;
    }
  }

  private readDirectory({ from, to }: PptRecord): void {
    for (let at = from; at + 4 <= to; ) {
      const head = this.data.readUInt32LE(at);
      at += 4;
      for (let index = 0; index < head >>> 20 && at + 4 <= to; index += 1) {
        const id = (head & 0xfffff) + index;
        if (!this.places.has(id)) this.places.set(id, this.data.readUInt32LE(at));
        at += 4;
      }
    }
  }
}

function addText({ kind, text }: PptText, blocks: Blocks): void {
  for (const line of linesOf(text)) {
    if (bodyKinds.has(kind)) blocks.item({ depth: 0, isOrdered: false, html: htmlOf(line) });
    else blocks.paragraph(htmlOf(line));
  }
}

/** Paragraphs; a lone asterisk is a placeholder for a number or date. */
function linesOf(text: string): string[] {
  return text.split(/[\r\n]/).filter((line) => line.trim() !== "" && line.trim() !== "*");
}

function htmlOf(line: string): string {
  return escapeHtml(line.trim()).replaceAll("\v", "<br>");
}
