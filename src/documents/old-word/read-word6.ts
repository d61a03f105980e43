// Documents of Word 6 and Word 95 (doc) -> paragraphs. Their text is in one stream of single bytes; looks and tables are not read.

import { decodeBytes } from "../../detection/index.ts";
import { FileFault, type ParsedFile } from "../file/file-reading.ts";
import { escapeHtml, parsedFile } from "../html/document-html.ts";

const firstTextAt = 0x18;
const lengthsAt = 0x34;
const fontsAt = 0xd0;
const piecesAt = 0x160;
const isInPieces = 0x0004;
const isEncrypted = 0x0100;
/** Main text, footnotes, running heads, macros, comments, endnotes, text boxes. */
const kinds = ["text", "text", "head", "head", "head", "text", "text"] as const;
const maxBytes = 20_000_000;

/** Encodings by the number that a font has for its characters; the others are for western Europe. */
const encodings: ReadonlyMap<number, string> = new Map([
  [128, "shift_jis"],
  [129, "euc-kr"],
  [134, "gbk"],
  [136, "big5"],
  [161, "windows-1253"],
  [162, "windows-1254"],
  [177, "windows-1255"],
  [178, "windows-1256"],
  [186, "windows-1257"],
  [204, "windows-1251"],
  [222, "windows-874"],
  [238, "windows-1250"],
]);

/** `stream`: the part of the file that a document of either version has. */
export function readWord6(stream: Buffer): ParsedFile {
  const flags = stream.readUInt16LE(10);
  if ((flags & isEncrypted) !== 0) throw new FileFault("encrypted", "The document is encrypted and needs a password");
  const bytes = (flags & isInPieces) !== 0 ? textInPieces(stream) : stream.subarray(stream.readUInt32LE(firstTextAt));
  const parts: Buffer[] = [];
  let at = 0;
  for (const [index, kind] of kinds.entries()) {
    const length = Math.max(0, Math.min(maxBytes, stream.readInt32LE(lengthsAt + index * 4)));
    if (kind === "text") parts.push(bytes.subarray(at, at + length));
    at += length;
  }
  // Text that contradicts the fonts is read as what it is.
  const contentType = `text/plain; charset=${encodingOfFonts(stream)}`;
  const body = paragraphsOf(decodeBytes(Buffer.concat(parts), { contentType }).text)
    .map((text) => `<p>${escapeHtml(text).replaceAll("\n", "<br>")}</p>`)
    .join("");
  return parsedFile(body, {}, [
    "Files of Word 6 and Word 95 are read as plain paragraphs: looks and tables are left out",
  ]);
}

function encodingOfFonts(stream: Buffer): string {
  const from = stream.readUInt32LE(fontsAt);
  const fonts = stream.subarray(from, from + stream.readUInt32LE(fontsAt + 4));
  for (let at = 2; at + 5 <= fonts.length; at += 1 + (fonts[at] ?? 0)) {
    const encoding = encodings.get(fonts[at + 4] ?? 0);
    if (encoding !== undefined) return encoding;
  }
  return "windows-1252";
}

/** A document that was saved in a hurry: its text is the pieces, in their order. */
function textInPieces(stream: Buffer): Buffer {
  const from = stream.readUInt32LE(piecesAt);
  const list = stream.subarray(from, from + stream.readUInt32LE(piecesAt + 4));
  let at = 0;
  while (at + 3 <= list.length && list[at] === 1) at += 3 + list.readUInt16LE(at + 1);
  if (list[at] !== 2 || at + 5 > list.length) throw new FileFault("broken", "The list of text pieces is damaged");
  const table = list.subarray(at + 5, at + 5 + list.readUInt32LE(at + 1));
  const count = Math.max(0, Math.floor((table.length - 4) / 12));
  const pieces: Buffer[] = [];
  let left = maxBytes;
  for (let index = 0; index < count && left > 0; index += 1) {
    const length = Math.min(left, table.readUInt32LE((index + 1) * 4) - table.readUInt32LE(index * 4));
    const place = table.readUInt32LE((count + 1) * 4 + index * 8 + 2);
    if (length <= 0) continue;
    left -= length;
    pieces.push(stream.subarray(place, place + length));
  }
  return Buffer.concat(pieces);
}

const fieldBegin = 0x13;
const fieldResult = 0x14;
const fieldEnd = 0x15;
/** Of a line, of a paragraph, of a cell and of a page. */
const lineEnd = 0x0b;
const paragraphEnds = new Set([0x0d, 0x07, 0x0c]);

/** Without the instructions of fields, whose results are what is shown. */
function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = [];
  const inInstructions: boolean[] = [];
  let shown = "";
  for (const character of text) {
    const code = character.charCodeAt(0);
    if (code === fieldBegin) inInstructions.push(true);
    else if (code === fieldResult && inInstructions.length > 0) inInstructions[inInstructions.length - 1] = false;
    else if (code === fieldEnd) inInstructions.pop();
    else if (inInstructions.includes(true)) continue;
    else if (paragraphEnds.has(code)) {
      paragraphs.push(shown);
      shown = "";
    } else if (code === lineEnd) shown += "\n";
    else if (code === 0x09 || code >= 0x20) shown += character;
  }
  return [...paragraphs, shown].map((each) => each.trim()).filter((each) => each !== "");
}
