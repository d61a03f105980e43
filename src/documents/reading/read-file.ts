// Bytes of a known kind -> HTML, by the reader of that kind. Runs in a separate process.

import { FileFault, type ParsedFile, type ReadFileOptions } from "../file/file-reading.ts";
import { bodyOf, unplaced } from "../html/document-html.ts";
import { type FileKind, fileKindRow, fileKinds } from "../kinds/file-kinds.ts";
import { identifyFile } from "../kinds/identify-file.ts";
import type { ReadInside } from "../mail/mail-page.ts";

type Read = (bytes: Uint8Array, options: ReadFileOptions) => Promise<ParsedFile> | ParsedFile;

/** Longer HTML is data, not a document. */
const maxHtmlLength = 64 * 1024 * 1024;

// Each reader is loaded with the first file of its kind: a process that reads one kind stays small.
const docx = async () => (await import("../word/read-docx.ts")).readDocx;
const workbook = async () => (await import("../sheets/read-workbook.ts")).readWorkbook;
const pptx = async () => (await import("../slides/read-pptx.ts")).readPptx;

const image = async () => (await import("../ocr/read-image.ts")).readImage;

const readers: Partial<Record<FileKind, () => Promise<Read>>> = {
  pdf: async () => (await import("../pdf/read-pdf.ts")).readPdf,
  // Texts
  docx,
  docm: docx,
  doc: async () => (await import("../old-word/read-doc.ts")).readDoc,
  odt: async () => (await import("../open-document/read-odt.ts")).readOdt,
  rtf: async () => (await import("../rich-text/read-rtf.ts")).readRtf,
  epub: async () => (await import("../books/read-epub.ts")).readEpub,
  // Texts with their own marks
  md: async () => (await import("../text/read-markdown.ts")).readMarkdown,
  ipynb: async () => (await import("../notebooks/read-ipynb.ts")).readIpynb,
  // Sheets
  xlsx: workbook,
  xlsm: workbook,
  xlsb: workbook,
  xls: workbook,
  ods: async () => (await import("../open-document/read-ods.ts")).readOds,
  csv: async () => (await import("../sheets/read-csv.ts")).readCsv,
  tsv: async () => (await import("../sheets/read-csv.ts")).readTsv,
  // Slides
  pptx,
  pptm: pptx,
  ppt: async () => (await import("../old-slides/read-ppt.ts")).readPpt,
  odp: async () => (await import("../open-document/read-odp.ts")).readOdp,
  // Mails and archives
  eml: async () => readMailWith((await import("../mail/read-eml.ts")).readEml),
  mhtml: async () => (await import("../mail/read-eml.ts")).readMhtml,
  msg: async () => readMailWith((await import("../mail/read-msg.ts")).readMsg),
  zip: readerOfZip,
  // Images
  png: image,
  jpg: image,
  webp: image,
  tiff: image,
  gif: image,
  bmp: image,
  avif: image,
  jp2: image,
};

/** A file inside an archive or a mail becomes one section, whatever its kind. */
async function readInside(name: string, bytes: Uint8Array, options: ReadFileOptions): Promise<string> {
  const found = identifyFile(bytes, { name, contentType: "" });
  if (!found || found.kind === "zip") throw new FileFault("unsupported", `${name} cannot be read here`);
  // Loaded only in the process that reads files: the server itself stays small.
  if (fileKindRow(found.kind).isText) return (await import("../archives/read-zip.ts")).textHtml(found.kind, bytes);
  const { onPage: _, firstPage: __, ...silent } = options;
  // Its pages are not those of the whole.
  return unplaced(bodyOf((await readFile(found.kind, bytes, silent)).html));
}

async function readerOfZip(): Promise<Read> {
  // Like the readers above.
  const { readZip } = await import("../archives/read-zip.ts");
  return (bytes, options) => readZip(bytes, (name, inside) => readInside(name, inside, options));
}

function readMailWith(read: (bytes: Uint8Array, inside: ReadInside | null) => Promise<ParsedFile>): Read {
  return (bytes, options) => {
    // A mail that is attached to a mail only lists what is attached to it.
    const inner = { ...options, withAttachments: false };
    return read(bytes, options.withAttachments ? (name, inside) => readInside(name, inside, inner) : null);
  };
}

/** Whether this version reads files of a kind. */
export function isReadable(kind: FileKind): boolean {
  return fileKindRow(kind).isText === true || readers[kind] !== undefined;
}

/** Of documents for which there is a reader; neither texts nor archives. */
export const documentExtensions: readonly string[] = (Object.keys(fileKinds) as FileKind[]).flatMap((name) => {
  const { kind, isText, extensions } = fileKindRow(name);
  return kind === "document" && !isText && name !== "zip" && isReadable(name) ? extensions : [];
});

export async function readFile(kind: FileKind, bytes: Uint8Array, options: ReadFileOptions): Promise<ParsedFile> {
  const load = readers[kind];
  if (!load) throw new FileFault("unsupported", `This version cannot read ${kind} files`);
  if (bytes.byteLength === 0) throw new FileFault("empty", "The file is empty");
  if (hasEncryptedPackage(bytes)) throw new FileFault("encrypted", "The file is encrypted and needs a password");
  const read = await load();
  const file = await Promise.resolve()
    .then(() => read(bytes, options))
    .catch((error: unknown) => {
      // The file names an offset beyond its end.
      if (error instanceof RangeError && "code" in error)
        throw new FileFault("broken", "The file is truncated or damaged");
      throw error;
    });
  if (file.html.length > maxHtmlLength) throw new FileFault("limit", "The text of the file is too large");
  return file;
}

/** Office files with a password are encrypted in an OLE container. */
function hasEncryptedPackage(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (
    buffer.length > 8 &&
    buffer.readUInt32BE(0) === 0xd0cf11e0 &&
    buffer.includes(Buffer.from("EncryptedPackage", "utf16le"))
  );
}
