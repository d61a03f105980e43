// Pictures of old presentations: shapes name them by number, the document says where each begins, and a stream holds them.
import type { PictureShelf } from "../html/pictures.ts";
import { findBlip } from "../packages/blips.ts";

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
