// What file readers receive, return and throw. Readers open no file and read no clock: callers pass both in.

/** Why a file cannot be read; the runner turns it into the error of the request. */
export type FileFaultKind = "encrypted" | "broken" | "empty" | "limit" | "unsupported";

export class FileFault extends Error {
  readonly kind: FileFaultKind;

  constructor(kind: FileFaultKind, message: string) {
    super(message);
    this.name = "FileFault";
    this.kind = kind;
  }
}

/** What a reader of any kind of file returns: one HTML document for `content`, and what only the file knows. */
export interface ParsedFile {
  /** A whole HTML document. Blocks of paged files carry `data-page` (from 1) and `data-box` ("x0 y0 x1 y1", points from the top left). */
  html: string;
  title?: string;
  author?: string;
  createdAt?: string;
  modifiedAt?: string;
  /** Pages of the file, and those that were read. */
  totalPages?: number;
  pagesRead?: number;
  warnings: string[];
}

/** Grey levels, row by row from the top. */
export interface GreyImage {
  width: number;
  height: number;
  pixels: Uint8Array;
}

export interface RecognizedWord {
  text: string;
  /** 0 to 100. */
  confidence: number;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  /** Words of one line share it. */
  line: string;
}

/** The text of a page image (JPEG) as markdown, from a better reader such as a language model; null when it fails. */
export type Transcribe = (image: Uint8Array, page: number) => Promise<string | null>;

/** Where to search for lines: across the whole image, or in the parts that the page seems to have. */
export type LineSearch = "across" | "parts";

/** Searches for lines across the image by default. */
export type Recognize = (image: GreyImage, search?: LineSearch) => Promise<RecognizedWord[]>;

/** Folders of the PDF library, each ending in a slash: character maps, standard fonts and decoders. */
export interface PdfFolders {
  characterMaps: string;
  standardFonts: string;
  decoders: string;
}

export interface FileTools {
  folders: PdfFolders;
  /** Without it, text in images stays unread. */
  recognize?: Recognize;
  /** Asked before the recognizer. */
  transcribe?: Transcribe;
  /** Bytes of a file in the decoders' folder. */
  loadDecoder?: (name: string) => Promise<Uint8Array>;
}

export interface ReadFileOptions {
  /** Of a PDF: `fast` takes the text that the file holds, `ocr` recognizes every page, `auto` those without usable text. */
  mode: "fast" | "auto" | "ocr";
  firstPage?: number;
  maxPages?: number;
  /** Also what is attached to a mail. */
  withAttachments?: boolean;
  tools: FileTools;
  onPage?: (page: number, total: number) => void;
  /** False when the request is nearly out of time: what was read so far is returned. */
  hasTime?: () => boolean;
}

/** The pages to read of `total`; throws when the file has none of them. */
export function wantedPages(total: number, { firstPage = 1, maxPages = total }: Partial<ReadFileOptions>) {
  if (firstPage > Math.max(1, total)) throw new FileFault("empty", `The file has no page ${firstPage}, only ${total}`);
  return { first: firstPage, last: Math.min(total, firstPage - 1 + maxPages) };
}

/** The slides to read, each with its number. */
export function wantedSlides<Slide>(slides: readonly Slide[], options: Partial<ReadFileOptions>): [Slide, number][] {
  const { first, last } = wantedPages(slides.length, options);
  return slides.slice(first - 1, last).map((slide, index) => [slide, first + index]);
}
