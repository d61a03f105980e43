// Bytes -> text: byte order mark > header > <meta> or XML declaration > valid UTF-8 > windows-1252, with WHATWG labels.

import { isUtf8 } from "node:buffer";
import { asWindows1252 } from "../../text/index.ts";

export interface DecodedText {
  text: string;
  /** WHATWG name of the encoding, in lower case. */
  charset: string;
}

/** The standard asks for 1024 bytes; real pages declare it later when a long comment or script comes first. */
const prescanBytes = 4096;

/** Reads a page's bytes as text. Never throws: bytes that fit no rule become windows-1252. */
export function decode(bytes: Uint8Array, contentType: string | null): DecodedText {
  const charset = chooseCharset(bytes, contentType);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (charset === "utf-8") return { text: withoutMark(buffer.toString("utf8")), charset };
  if (charset === "windows-1252") return { text: asWindows1252(buffer.toString("latin1")), charset };
  return { text: new TextDecoder(charset).decode(bytes), charset };
}

function chooseCharset(bytes: Uint8Array, contentType: string | null): string {
  return (
    charsetOfMark(bytes) ??
    charsetOfLabel(labelAfter(contentType?.toLowerCase() ?? "", "charset", 0)) ??
    charsetOfDocument(bytes) ??
    (isUtf8(bytes) ? "utf-8" : "windows-1252")
  );
}

function charsetOfMark(bytes: Uint8Array): string | null {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return null;
}

/** The encoding a label names, or null when no such encoding can be read here. */
function charsetOfLabel(label: string | null): string | null {
  if (label === null || label.length > 40) return null;
  if (label === "utf-8") return label;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** The encoding that the document declares near its start. */
function charsetOfDocument(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, prescanBytes))
    .toString("latin1")
    .toLowerCase();
  const label = labelOfXml(head) ?? labelOfMeta(head);
  // A document that could be read as ASCII up to here is not UTF-16, whatever it says (WHATWG prescan, step 13).
  if (label?.startsWith("utf-16") || label === "unicode" || label === "ucs-2") return "utf-8";
  if (label === "x-user-defined") return "windows-1252";
  return charsetOfLabel(label);
}

function labelOfXml(head: string): string | null {
  if (!head.startsWith("<?xml")) return null;
  const end = head.indexOf("?>");
  return end === -1 ? null : labelAfter(head.slice(0, end), "encoding", 0);
}

function labelOfMeta(head: string): string | null {
  for (let at = head.indexOf("charset"); at !== -1; at = head.indexOf("charset", at + 7)) {
    const tag = head.lastIndexOf("<", at);
    const isInComment = head.lastIndexOf("<!--", at) > head.lastIndexOf("-->", at);
    if (isInComment || !head.startsWith("<meta", tag)) continue;
    const label = labelAfter(head, "charset", at);
    if (label !== null) return label;
  }
  return null;
}

/** The value in `name = "value"`, from a given place on. */
function labelAfter(text: string, name: string, from: number): string | null {
  const found = text.indexOf(name, from);
  if (found === -1) return null;
  let at = skipSpaces(text, found + name.length);
  if (text[at] !== "=") return null;
  at = skipSpaces(text, at + 1);
  const quote = text[at];
  if (quote === '"' || quote === "'") at += 1;
  let end = at;
  while (end < text.length && !" \t\r\n;\"'>/?".includes(text[end] as string)) end += 1;
  return end === at ? null : text.slice(at, end);
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  return at;
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
