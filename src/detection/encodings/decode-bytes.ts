// Bytes -> text: byte order mark > header > <meta> or XML declaration > valid UTF-8 > what the letters look like, with WHATWG labels.
// A declaration that the bytes contradict counts as none.

import { isUtf8 } from "node:buffer";
import { asWindows1252 } from "../../text/index.ts";
import { detectEncoding, fitOfEncoding, isWide } from "./detect-encoding.ts";

export interface DecodedText {
  text: string;
  /** WHATWG name of the encoding, in lower case. */
  charset: string;
}

/** The standard asks for 1024 bytes; real pages declare it later when a long comment or script comes first. */
const prescanBytes = 4096;

/** What is known of the bytes beside themselves. */
export interface BytesOrigin {
  /** The header as received, with its parameters. */
  contentType?: string | null;
  /** Where they were found: the host's last label hints at a language. */
  url?: string;
}

/** Reads bytes as text. Never throws: bytes that fit no rule are replaced. */
export function decodeBytes(bytes: Uint8Array, origin: BytesOrigin = {}): DecodedText {
  const charset = chooseCharset(bytes, origin);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (charset === "utf-8") return { text: withoutMark(buffer.toString("utf8")), charset };
  if (charset === "windows-1252") return { text: asWindows1252(buffer.toString("latin1")), charset };
  return { text: new TextDecoder(charset).decode(bytes), charset };
}

function chooseCharset(bytes: Uint8Array, origin: BytesOrigin): string {
  const marked = charsetOfMark(bytes);
  if (marked !== null) return marked;
  const header = labelAfter(origin.contentType?.toLowerCase() ?? "", "charset", 0);
  const declared = charsetOfLabel(header) ?? charsetOfDocument(bytes);
  const isValid = isUtf8(bytes);
  if (declared === null) return isValid ? charsetOfAscii(bytes) : detected(bytes, origin).encoding;
  // Nearly every page ends here.
  if (declared === "utf-8" && isValid) return declared;
  return contradicted(bytes, declared, isValid, origin) ?? declared;
}

/** What the bytes are instead, where they cannot be what they are said to be. */
function contradicted(bytes: Uint8Array, declared: string, isValid: boolean, origin: BytesOrigin): string | null {
  if (declared.startsWith("utf-16") || declared === "iso-2022-jp") return null;
  if (isValid) return isWideText(bytes, declared) ? null : utf8Sequences(bytes) >= fewSequences ? "utf-8" : null;
  if (declared === "utf-8") {
    // Some broken characters in a text that is otherwise fine are replaced.
    if (isMostlyUtf8(bytes)) return null;
    const other = detected(bytes, origin);
    return other.fit >= somewhatText ? other.encoding : null;
  }
  if (!hasManyLetters(bytes) || fitOfEncoding(bytes, declared) > noText) return null;
  const other = detected(bytes, origin);
  return other.fit >= surelyText ? other.encoding : null;
}

const fewSequences = 2;
const surelyText = 0.5;
const somewhatText = 0.15;
const noText = 0;
/** So few characters of Chinese, Japanese or Korean may happen to be UTF-8. */
const fewCharacters = 10;

function isWideText(bytes: Uint8Array, declared: string): boolean {
  return isWide(declared) && utf8Sequences(bytes) < fewCharacters && fitOfEncoding(bytes, declared) > surelyText;
}

function detected(bytes: Uint8Array, { url }: BytesOrigin) {
  const wide = charsetOfZeros(bytes);
  if (wide !== null) return { encoding: wide, fit: 1 };
  const head = latin1Head(bytes);
  const language = /<html[^>]*\slang\s*=\s*["']?([a-z]{2}(?:-[a-z]{2,4})?)\b/.exec(head)?.[1];
  return detectEncoding(bytes, {
    language,
    topLevelDomain: /^[a-z]+:\/\/[^/?#]*\.([a-z]{2})(?:[:/?#]|$)/i.exec(url ?? "")?.[1],
  });
}

/** Valid as UTF-8; without a letter beyond ASCII it may still switch to Japanese by escapes. */
function charsetOfAscii(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.includes("\x1b$B", 0, "latin1") && buffer.includes("\x1b(", 0, "latin1")) return "iso-2022-jp";
  return charsetOfZeros(bytes) ?? "utf-8";
}

/** UTF-16 without a mark: half of the bytes of its tags, spaces and line breaks are zero. */
function charsetOfZeros(bytes: Uint8Array): string | null {
  const end = Math.min(bytes.length, 4096) & ~1;
  const zeros = [0, 0];
  for (let at = 0; at < end; at += 1) if (bytes[at] === 0) zeros[at & 1] = (zeros[at & 1] as number) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even + odd < 4 || even + odd < end * leastZeros) return null;
  if (even > odd * 8) return "utf-16be";
  return odd > even * 8 ? "utf-16le" : null;
}

const leastZeros = 0.01;

/** Enough beyond ASCII to tell a text from what is no text. */
function hasManyLetters(bytes: Uint8Array): boolean {
  let left = 20;
  for (let at = 0; at < bytes.length && left > 0; at += 1) left -= (bytes[at] as number) >> 7;
  return left === 0;
}

/** Letters beyond ASCII that are written as UTF-8. */
function utf8Sequences(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at + 1 < bytes.length; at += 1) {
    if ((bytes[at] as number) >= 0xc2 && isTail(bytes[at + 1])) count += 1;
  }
  return count;
}

/** Whether a text in UTF-8 has only some broken characters, which are replaced. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  const broken = text.split("\ufffd").length - 1;
  const whole = (text.match(/[\u0080-\ufffc]/g) ?? []).length;
  return broken * 3 <= whole;
}

function isTail(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function latin1Head(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, prescanBytes))
    .toString("latin1")
    .toLowerCase();
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

/** What the document says of itself near its start. */
function charsetOfDocument(bytes: Uint8Array): string | null {
  const head = latin1Head(bytes);
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
