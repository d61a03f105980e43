// Emails of Outlook (msg): properties in the streams of an OLE container.

import { decodeBytes } from "../../detection/index.ts";
import { FileFault, type ParsedFile } from "../file/file-reading.ts";
import { OleContainer, type OleFolder } from "../packages/containers.ts";
import { type Mail, mailPage, type ReadInside } from "./mail-page.ts";

const dictionary =
  "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";
const windowBytes = 4096;
const maxBytes = 20 * 1024 * 1024;

export function unpackRtf(packed: Buffer): string {
  if (packed.length < 16) return "";
  if (packed.toString("latin1", 8, 12) === "MELA") return packed.toString("latin1", 16);
  const window = Buffer.alloc(windowBytes, 0);
  window.write(dictionary, "latin1");
  let place = dictionary.length;
  const size = Math.min(maxBytes, packed.readUInt32LE(4));
  const out = Buffer.alloc(size);
  let length = 0;
  const put = (byte: number) => {
    if (length < size) out[length] = byte;
    length += 1;
    window[place] = byte;
    place = (place + 1) % windowBytes;
  };
  for (let at = 16; at < packed.length && length < size; ) {
    const flags = packed[at] ?? 0;
    at += 1;
    for (let bit = 0; bit < 8 && at < packed.length && length < size; bit += 1) {
      if ((flags & (1 << bit)) === 0) {
        put(packed[at] ?? 0);
        at += 1;
        continue;
      }
      if (at + 2 > packed.length) return out.toString("latin1", 0, length);
      const reference = packed.readUInt16BE(at);
      at += 2;
      const from = reference >> 4;
      if (from === place) return out.toString("latin1", 0, Math.min(length, size));
      for (let count = 0; count < (reference & 15) + 2; count += 1) put(window[(from + count) % windowBytes] ?? 0);
    }
  }
  return out.toString("latin1", 0, Math.min(length, size));
}

const properties = {
  subject: "0037",
  senderName: "0C1A",
  senderAddress: "5D01",
  senderOther: "0C1F",
  to: "0E04",
  cc: "0E03",
  head: "007D",
  text: "1000",
  html: "1013",
  rtf: "1009",
  attachmentName: "3707",
  attachmentShort: "3704",
  attachmentData: "3701",
};

export async function readMsg(bytes: Uint8Array, read: ReadInside | null): Promise<ParsedFile> {
  const container = new OleContainer(bytes);
  const { root } = container;
  if (!root.streams.has("__properties_version1.0")) throw new FileFault("broken", "The email has no properties");
  const text = (name: keyof typeof properties, folder = root) => textOf(container, folder, properties[name]);
  const head = text("head");
  const sentAt = /^Date:\s*(.+)$/im.exec(head)?.[1]?.trim() ?? sentTime(container);
  const from = [text("senderName"), bracketed(text("senderAddress") || text("senderOther"))].filter(Boolean).join(" ");
  const html = htmlOf(container, root) || rtfHtml(container, root);
  const shown: Mail = {
    subject: text("subject"),
    from,
    sentAt,
    head: [
      ["From", from],
      ["To", text("to")],
      ["Cc", text("cc")],
      ["Date", sentAt ?? ""],
    ],
    html,
    text: text("text"),
    attachments: [...root.folders]
      .filter(([name]) => name.startsWith("__attach_version1.0"))
      .map(([, entry]) => {
        const folder = container.folder(entry);
        const stream = `__substg1.0_${properties.attachmentData}0102`;
        const name = text("attachmentName", folder) || text("attachmentShort", folder) || "attachment";
        const sizeBytes = folder.streams.get(stream)?.sizeBytes ?? 0;
        return { name, sizeBytes, bytes: () => container.stream(stream, folder) ?? Buffer.alloc(0) };
      }),
  };
  return mailPage(shown, read);
}

function bracketed(address: string): string {
  return address.includes("@") ? `<${address}>` : "";
}

function textOf(container: OleContainer, folder: OleFolder, id: string): string {
  const wide = container.stream(`__substg1.0_${id}001F`, folder);
  if (wide) return wide.toString("utf16le").replace(/\0+$/, "").trim();
  const narrow = container.stream(`__substg1.0_${id}001E`, folder);
  return narrow ? decodeBytes(narrow).text.replace(/\0+$/, "").trim() : "";
}

function htmlOf(container: OleContainer, folder: OleFolder): string {
  const bytes = container.stream(`__substg1.0_${properties.html}0102`, folder);
  if (!bytes) return textOf(container, folder, properties.html);
  return decodeBytes(bytes).text;
}

/** HTML that Outlook has wrapped into rich text. */
function rtfHtml(container: OleContainer, folder: OleFolder): string {
  const packed = container.stream(`__substg1.0_${properties.rtf}0102`, folder);
  const rtf = packed ? unpackRtf(packed) : "";
  if (!rtf.includes("\\fromhtml")) return "";
  return rtf
    .replace(/\{\\\*\\mhtmltag[^{}]*\}/g, "")
    .replace(/\\htmlrtf\b[\s\S]*?\\htmlrtf0 ?/g, "")
    .replace(/\{\\\*\\htmltag\d* ?([^{}]*)\}/g, "$1")
    .replace(/\{\\(?:fonttbl|colortbl|\*)[\s\S]*?\}\}?/g, "")
    .replace(/\\'([0-9a-f]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\u(-?\d+)\??/g, (_all, code: string) => String.fromCharCode(Number(code) & 0xffff))
    .replace(/\\(?:par|line)\b ?/g, "\n")
    .replace(/\\[a-z]+-?\d* ?/gi, "")
    .replace(/[{}]/g, "");
}

/** When it was submitted: a count of 100 ns since 1601, in the fixed properties. */
function sentTime(container: OleContainer): string | undefined {
  const fixed = container.stream("__properties_version1.0");
  if (!fixed) return undefined;
  for (let at = 32; at + 16 <= fixed.length; at += 16) {
    const tag = fixed.readUInt32LE(at);
    if (tag !== 0x00390040 && tag !== 0x0e060040) continue;
    const ms = Number(fixed.readBigUInt64LE(at + 8) / 10_000n) - 11_644_473_600_000;
    return Number.isFinite(ms) && ms > 0 ? new Date(ms).toISOString() : undefined;
  }
  return undefined;
}
