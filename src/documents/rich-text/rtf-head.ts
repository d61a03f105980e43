// The head of a rich text while it passes by: fonts with their encodings, styles, lists.
import { encodingOfCharset, RtfLists, type RtfStyle, styleOf } from "./rtf-tables.ts";

const monospaced = /courier|consolas|menlo|monaco|mono\b|lucida console/i;

export class RtfHead {
  readonly styles = new Map<number, RtfStyle>();
  readonly lists = new RtfLists();
  fileEncoding = "windows-1252";
  /** The number of the current font. */
  font = 0;
  private readonly fonts = new Map<number, { encoding: string | undefined; isCode: boolean }>();
  private styleName = "";
  private styleNumber = 0;
  private styleOutline: number | null = null;
  private listId = 0;

  get encoding(): string {
    return this.fonts.get(this.font)?.encoding ?? this.fileEncoding;
  }

  get isCode(): boolean {
    return this.fonts.get(this.font)?.isCode === true;
  }

  addFontName(name: string): void {
    const font = this.fonts.get(this.font);
    if (font && monospaced.test(name)) font.isCode = true;
  }

  fontWord(word: string, value: number | null): void {
    if (word === "f") {
      this.font = value ?? 0;
      this.fonts.set(this.font, { encoding: undefined, isCode: false });
    }
    const font = this.fonts.get(this.font);
    if (word === "fcharset" && font) font.encoding = value === 0 ? undefined : encodingOfCharset(value ?? 0);
  }

  addStyleName(name: string): void {
    this.styleName += name;
  }

  styleWord(word: string, value: number | null): void {
    if (word === "s" || word === "cs" || word === "ds") this.styleNumber = word === "s" ? (value ?? 0) : -1;
    else if (word === "outlinelevel") this.styleOutline = value;
  }

  endStyle(): void {
    const name = this.styleName.replace(/;.*$/s, "").trim();
    if (this.styleNumber >= 0 && name !== "") this.styles.set(this.styleNumber, styleOf(name, this.styleOutline));
    this.styleName = "";
    this.styleNumber = 0;
    this.styleOutline = null;
  }

  listWord(word: string, value: number | null, isTable: boolean): void {
    if (word === "list") this.lists.startList();
    else if (word === "levelnfc") this.lists.addFormat(value ?? 0);
    else if (word === "listid" && isTable) this.lists.nameList(value ?? 0);
    else if (word === "listid") this.listId = value ?? 0;
    else if (word === "ls") this.lists.override(this.listId, value ?? 0);
  }
}
