// Old PowerPoint presentations (ppt) -> one section per slide: records in a stream, of which texts and pictures are read.

import { FileFault, type ParsedFile, type ReadFileOptions, wantedSlides } from "../file/file-reading.ts";
import { escapeHtml, PictureShelf, parsedFile } from "../html/document-html.ts";
import { Blocks } from "../html/html-blocks.ts";
import { findBlip, OleContainer } from "../packages/containers.ts";

/** A record's content in the document's stream. */
export interface RecordSpan {
  instance: number;
  from: number;
  to: number;
}

export const pictureTypes = { store: 0xf007, properties: 0xf00b };

const pictureProperty = 0x0104;
/** Where a store's entry says where its picture begins. */
const delayField = 28;

export class SlidePictures {
  private readonly data: Buffer;
  private readonly stream: Buffer;
  private readonly places: (number | null)[];
  private readonly shelf: PictureShelf;
  private readonly made = new Map<number, string>();

  /** `stores`: the entries of the document's list of pictures, in their order. */
  constructor(data: Buffer, stream: Buffer, stores: readonly RecordSpan[], shelf: PictureShelf) {
    this.data = data;
    this.stream = stream;
    this.shelf = shelf;
    this.places = stores.map(({ from, to }) =>
      from + delayField + 4 <= to ? data.readUInt32LE(from + delayField) : null,
    );
  }

  /** By the properties of a slide's shapes: paragraphs of HTML. */
  html(properties: readonly RecordSpan[]): string {
    return properties
      .flatMap((span) => this.numbersIn(span))
      .map((number) => this.pictureHtml(number))
      .join("");
  }

  private numbersIn({ instance, from, to }: RecordSpan): number[] {
    const numbers: number[] = [];
    for (let index = 0; index < instance; index += 1) {
      const at = from + 6 * index;
      if (at + 6 > to) break;
      if ((this.data.readUInt16LE(at) & 0x3fff) === pictureProperty) numbers.push(this.data.readUInt32LE(at + 2));
    }
    return numbers;
  }

  private pictureHtml(number: number): string {
    const known = this.made.get(number);
    if (known !== undefined) return known;
    const at = this.places[number - 1] ?? null;
    const html = at === null ? "" : this.read(at);
    this.made.set(number, html);
    return html;
  }

  private read(at: number): string {
    if (at + 8 > this.stream.length) return "";
    const end = at + 8 + this.stream.readUInt32LE(at + 4);
    const blip = findBlip(this.stream.subarray(at + 8, end));
    const source = blip && this.shelf.put(blip.type, blip.bytes);
    return source ? `<p><img alt="" src="${source}"></p>` : "";
  }
}

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

const types = {
  document: 1000,
  slide: 1006,
  notes: 1008,
  notesAtom: 1009,
  slidePersist: 1011,
  outlineReference: 3998,
  textHeader: 3999,
  textChars: 4000,
  textBytes: 4008,
  slideList: 4080,
  userEdit: 4085,
  persistDirectory: 6002,
};

const titleKinds = new Set([0, 6]);
const bodyKinds = new Set([1, 5, 7, 8]);
const maxRecords = 500_000;

export function readPpt(bytes: Uint8Array, options: Partial<ReadFileOptions> = {}): ParsedFile {
  const container = new OleContainer(bytes);
  const data = container.stream("PowerPoint Document");
  if (!data) throw new FileFault("broken", "The presentation has no document");
  if (container.root.streams.has("EncryptedSummary"))
    throw new FileFault("encrypted", "The presentation is encrypted: it needs a password");
  const shelf = new PictureShelf();
  const reader = new PptReader(data, container.stream("Current User"), container.stream("Pictures"), shelf);
  const all = reader.slides();
  const sections = wantedSlides(all, options);
  const facts = { totalPages: all.length, pagesRead: sections.length };
  return parsedFile(
    sections.map(([html, number]) => `<section data-page="${number}">${html}</section>`).join(""),
    facts,
    shelf.warnings(),
  );
}

class PptReader {
  private readonly data: Buffer;
  private readonly places = new Map<number, number>();
  private documentId = 1;
  private count = 0;
  private readonly pictureStream: Buffer | null;
  private readonly shelf: PictureShelf;
  private pictures: SlidePictures | null = null;

  constructor(data: Buffer, user: Buffer | null, pictureStream: Buffer | null, shelf: PictureShelf) {
    this.data = data;
    this.pictureStream = pictureStream;
    this.shelf = shelf;
    this.readPlaces(user && user.length >= 20 ? user.readUInt32LE(16) : null);
  }

  slides(): string[] {
    const at = this.places.get(this.documentId) ?? this.findFirst(types.document);
    const document = at === undefined ? null : this.recordAt(at);
    if (!document) return this.loose();
    if (this.pictureStream) {
      const stores = this.find(document, pictureTypes.store);
      this.pictures = new SlidePictures(this.data, this.pictureStream, stores, this.shelf);
    }
    const lists = this.children(document).filter(({ type }) => type === types.slideList);
    const list = lists.find(({ instance }) => instance === 0);
    const notes = this.notesBySlide(lists.find(({ instance }) => instance === 2));
    const slides = list ? this.slideEntries(list) : [];
    return slides.length > 0
      ? slides.map(({ id, place, texts }) => this.slide(place, texts, notes.get(id) ?? []))
      : this.loose();
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
    if (record && this.pictures) {
      const html = this.pictures.html(this.find(record, pictureTypes.properties));
      if (html !== "") blocks.raw(html);
    }
    const said = notes.flatMap(({ text }) => linesOf(text)).map((line) => `<p>${htmlOf(line)}</p>`);
    if (said.length > 0) blocks.raw(`<blockquote><p>Notes:</p>${said.join("")}</blockquote>`);
    return blocks.toString();
  }

  /** Slides in the order of the show, each with the texts of its outline. */
  private slideEntries(list: PptRecord): { id: number; place: number | undefined; texts: PptText[] }[] {
    const slides: { id: number; place: number | undefined; texts: PptText[] }[] = [];
    let kind = 4;
    for (const record of this.children(list)) {
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
    for (const { place } of list ? this.slideEntries(list) : []) {
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

  /** For a file whose lists are lost: every text that there is. */
  private loose(): string[] {
    const whole = { type: 0, instance: 0, isContainer: true, from: 0, to: this.data.length };
    const blocks = new Blocks();
    for (const text of this.texts(whole, [])) addText(text, blocks);
    return blocks.isEmpty ? [] : [blocks.toString()];
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

  private findFirst(type: number): number | undefined {
    for (let at = 0; at + 8 <= this.data.length; ) {
      const record = this.recordAt(at);
      if (!record) return undefined;
      if (record.type === type) return at;
      at = record.to;
    }
    return undefined;
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

/** Paragraphs; a lone star stands for a number or date that is filled in when it is shown. */
function linesOf(text: string): string[] {
  return text.split(/[\r\n]/).filter((line) => line.trim() !== "" && line.trim() !== "*");
}

function htmlOf(line: string): string {
  return escapeHtml(line.trim()).replaceAll("\v", "<br>");
}
