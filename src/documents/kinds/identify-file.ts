// Which kind of file bytes are: by the bytes where they are unmistakable, then by the name, then by the declared type.
import { type FileKind, fileKindRow, kindOfExtension, kindOfType } from "./file-kinds.ts";

export interface FileName {
  /** The file's name, or the last part of its URL. */
  name: string;
  /** As declared, with its parameters; "" when nothing was. */
  contentType: string;
}

export interface IdentifiedFile {
  kind: FileKind;
  /** A sentence when the name contradicts the bytes. */
  contradiction: string | null;
  /** The bytes do not show it: a name or type says so. */
  isOnlyNamed: boolean;
}

/** Null when neither bytes nor name nor type say what it is. */
export function identifyFile(bytes: Uint8Array, { name, contentType }: FileName): IdentifiedFile | null {
  const named = kindOfExtension(name);
  const declared = kindOfType(contentType);
  const seen = kindOfBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), named ?? declared);
  const kind = seen ?? named ?? declared;
  if (kind === null) return null;
  const contradiction =
    seen !== null && named !== null && familyOf(seen) !== familyOf(named)
      ? `The file is named ${name}, but its bytes are those of ${fileKindRow(seen).label}, so it was read as one`
      : null;
  return { kind, contradiction, isOnlyNamed: seen === null };
}

const families: Partial<Record<FileKind, string>> = {
  docm: "docx",
  xlsm: "xlsx",
  xlsb: "xlsx",
  pptm: "pptx",
  xhtml: "html",
  mhtml: "eml",
};
const familyOf = (kind: FileKind) => families[kind] ?? kind;

/** Null when the bytes could be several kinds. `likely`: what the name says, for kinds that bytes do not tell apart. */
function kindOfBytes(bytes: Buffer, likely: FileKind | null): FileKind | null {
  const start = bytes.toString("latin1", 0, 1024);
  if (start.includes("%PDF-")) return "pdf";
  if (start.startsWith("PK\x03\x04") || start.startsWith("PK\x05\x06")) return containerKind(bytes, likely);
  if (start.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return oleKind(bytes, likely);
  const image = imageKind(start);
  if (image !== null) return image;
  if (start.startsWith("{\\rtf")) return "rtf";
  const text = start.replace(/^(?:\xef\xbb\xbf|\s)+/, "");
  if (/^(?:<!doctype html|<html[\s>])/i.test(text) && likely !== "mhtml" && likely !== "eml") {
    return likely === "xhtml" || likely === "md" || likely === "txt" ? likely : "html";
  }
  return null;
}

const bitmapHeads = new Set([12, 40, 52, 56, 64, 108, 124]);

/** By the first bytes, each as a character. */
export function imageKind(start: string): FileKind | null {
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (start.startsWith("\xff\xd8\xff")) return "jpg";
  if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) return "gif";
  if (start.startsWith("RIFF") && start.startsWith("WEBP", 8)) return "webp";
  if (start.startsWith("II*\0") || start.startsWith("MM\0*")) return "tiff";
  if (/^ftyp(?:avif|avis)/.test(start.slice(4, 12))) return "avif";
  if (start.startsWith("\0\0\0\x0cjP  ") || start.startsWith("\xff\x4f\xff\x51")) return "jp2";
  // Two letters begin many texts: the size of the head and four NULs do not.
  const isBitmap = start.startsWith("BM") && start.startsWith("\0\0\0\0", 6) && start.startsWith("\0\0\0", 15);
  return isBitmap && bitmapHeads.has(start.charCodeAt(14)) ? "bmp" : null;
}

/** By the names in the container. They are searched in its bytes, since a broken directory must not hide them. */
function containerKind(bytes: Buffer, likely: FileKind | null): FileKind {
  const has = (name: string) => bytes.includes(name, 0, "latin1");
  const head = bytes.toString("latin1", 0, 200);
  const declared = /mimetypeapplication\/(epub\+zip|vnd\.oasis\.opendocument\.(text|spreadsheet|presentation))/.exec(
    head,
  );
  if (declared) {
    if (declared[1] === "epub+zip") return "epub";
    return declared[2] === "text" ? "odt" : declared[2] === "spreadsheet" ? "ods" : "odp";
  }
  const isOneOf = (...kinds: FileKind[]) => (likely !== null && kinds.includes(likely) ? likely : null);
  if (has("[Content_Types].xml") || has("_rels/.rels")) {
    if (has("word/")) return isOneOf("docm") ?? "docx";
    if (has("xl/workbook.bin")) return "xlsb";
    if (has("xl/")) return isOneOf("xlsm") ?? "xlsx";
    if (has("ppt/")) return isOneOf("pptm") ?? "pptx";
  }
  if (has("META-INF/container.xml") && has(".opf")) return "epub";
  const open = isOneOf("odt", "ods", "odp", "epub", "docx", "docm", "xlsx", "xlsm", "xlsb", "pptx", "pptm");
  return (has("content.xml") || has("[Content_Types]") ? open : null) ?? "zip";
}

function oleKind(bytes: Buffer, likely: FileKind | null): FileKind | null {
  const has = (name: string) => bytes.includes(Buffer.from(name, "utf16le"));
  if (has("WordDocument")) return "doc";
  if (has("PowerPoint Document")) return "ppt";
  if (has("__properties_version1.0")) return "msg";
  if (has("Workbook") || has("Book")) return "xls";
  // An encrypted office file is such a container; its reader says so.
  if (has("EncryptedPackage")) return likely ?? "docx";
  return null;
}
