// Pictures in rich text: hexadecimal digits behind words that say what they are.
import { PictureShelf } from "../html/pictures.ts";

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
    return source === null ? "" : `<img alt="" src="${source}">`;
  }
}
