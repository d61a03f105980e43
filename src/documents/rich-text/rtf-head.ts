// The tables at the start of a rich text, read in passing: fonts with their encodings, styles and lists.

const charsets: Readonly<Record<number, string>> = {
  0: "windows-1252",
  2: "windows-1252",
  77: "macintosh",
  128: "shift_jis",
  129: "euc-kr",
  134: "gb18030",
  136: "big5",
  161: "windows-1253",
  162: "windows-1254",
  163: "windows-1258",
  177: "windows-1255",
  178: "windows-1256",
  186: "windows-1257",
  204: "windows-1251",
  222: "windows-874",
  238: "windows-1250",
};

const codepages: Readonly<Record<number, string>> = {
  932: "shift_jis",
  936: "gb18030",
  949: "euc-kr",
  950: "big5",
  874: "windows-874",
  10000: "macintosh",
  65001: "utf-8",
};

export function encodingOfCodepage(page: number): string {
  return codepages[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : "windows-1252");
}

interface RtfStyle {
  heading: number | null;
  isCode: boolean;
  isQuote: boolean;
  isTitle: boolean;
}

function styleOf(name: string, outline: number | null): RtfStyle {
  const [, level] = /^heading (\d)/i.exec(name) ?? [];
  return {
    heading: level ? Number(level) : outline !== null && outline < 9 ? outline + 1 : null,
    isCode: /^(?:source ?code|code|verbatim|preformatted|html pre|plain text code)/i.test(name),
    isQuote: /^(?:quote|block ?(?:text|quote)|intense quote)/i.test(name),
    isTitle: /^title$/i.test(name),
  };
}

const bullet = 23;
const noFormat = 255;
const monospaced = /courier|consolas|menlo|monaco|mono\b|lucida console/i;

export class RtfHead {
  readonly styles = new Map<number, RtfStyle>();
  fileEncoding = "windows-1252";
  /** The number of the current font. */
  font = 0;
  private readonly fonts = new Map<number, { encoding: string | undefined; isCode: boolean }>();
  private styleName = "";
  private styleNumber = 0;
  private styleOutline: number | null = null;
  /** Formats of the levels of each list, and the lists that paragraphs name. */
  private readonly levels = new Map<number, number[]>();
  private readonly lists = new Map<number, number>();
  private formats: number[] = [];
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
    if (word === "fcharset" && font) font.encoding = value === 0 ? undefined : charsets[value ?? 0];
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
    if (word === "list") this.formats = [];
    else if (word === "levelnfc") this.formats.push(value ?? 0);
    else if (word === "listid" && isTable) this.levels.set(value ?? 0, this.formats);
    else if (word === "listid") this.listId = value ?? 0;
    else if (word === "ls") this.lists.set(value ?? 0, this.listId);
  }

  /** Whether a level of a list is numbered; false when the list is not known. */
  isOrdered(list: number, depth: number): boolean {
    const format = this.levels.get(this.lists.get(list) ?? Number.NaN)?.[depth] ?? bullet;
    return format !== bullet && format !== noFormat;
  }
}
