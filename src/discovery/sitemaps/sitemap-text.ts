// The bytes of a sitemap as text, and what may be decoded in it: encodings, the five entities and the numbered ones.

import { isUtf8 } from "node:buffer";
import { asWindows1252 } from "../../text/index.ts";

const lessThan = 60;

/**
 * The file as a string of one character a byte (UTF-16: a unit), so that no border between pieces can split anything and
 * most of it is never decoded. All markup is ASCII in every encoding met here; values are decoded one by one.
 */
export class TextSource {
  private layout: "unknown" | "bytes" | "utf-16le" | "utf-16be" = "unknown";
  private held: Buffer = Buffer.alloc(0);
  private charset = "utf-8";

  take(bytes: Uint8Array): string {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (this.layout === "bytes") return piece.toString("latin1");
    const all = this.held.length === 0 ? piece : Buffer.concat([this.held, piece]);
    if (this.layout === "unknown" && all.length < 3) {
      this.held = all;
      return "";
    }
    return this.takeUnits(all);
  }

  /** What was held back because it might have been the beginning of something. */
  takeLast(): string {
    const { held } = this;
    this.held = Buffer.alloc(0);
    return this.layout === "unknown" && held.length > 0 ? this.takeUnits(held) : "";
  }

  private takeUnits(all: Buffer): string {
    const from = this.layout === "unknown" ? this.chooseLayout(all) : 0;
    if (this.layout === "bytes") {
      this.held = Buffer.alloc(0);
      return all.toString("latin1", from);
    }
    const end = all.length - ((all.length - from) % 2);
    this.held = Buffer.from(all.subarray(end));
    const units = Buffer.from(all.subarray(from, end));
    return (this.layout === "utf-16be" ? units.swap16() : units).toString("utf16le");
  }

  /** Answers the length of the byte order mark. */
  private chooseLayout([first, second, third]: Buffer): number {
    const isMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
    if (first === 0xff && second === 0xfe) this.layout = "utf-16le";
    else if (first === 0xfe && second === 0xff) this.layout = "utf-16be";
    else if (first === lessThan && second === 0) this.layout = "utf-16le";
    else if (first === 0 && second === lessThan) this.layout = "utf-16be";
    else this.layout = "bytes";
    if (isMark) return 2;
    return first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
  }

  /** Takes the encoding from an XML declaration; UTF-16 cannot be true of bytes that were read so far. */
  declare(instruction: string): void {
    const label = /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(instruction)?.[1];
    if (label === undefined || this.layout !== "bytes") return;
    try {
      const { encoding } = new TextDecoder(label);
      this.charset = encoding.startsWith("utf-16") ? "utf-8" : encoding;
    } catch {
      // An unknown encoding: UTF-8 if the bytes allow it.
    }
  }

  decode(raw: string, isCut = false): string {
    if (this.layout !== "bytes" || !/[\u0080-\uffff]/.test(raw)) return raw;
    const bytes = Buffer.from(raw, "latin1");
    if (this.charset === "utf-8") return isCut || isUtf8(bytes) ? bytes.toString("utf8") : asWindows1252(raw);
    if (this.charset === "windows-1252" || this.charset === "iso-8859-1") return asWindows1252(raw);
    return new TextDecoder(this.charset).decode(bytes);
  }
}

const namedEntities = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);
const longestEntity = 10;

/** Any other `&name;` stays as it is written. */
export function decodeEntities(text: string): string {
  let decoded = "";
  let done = 0;
  for (let at = text.indexOf("&"); at !== -1; at = text.indexOf("&", at + 1)) {
    // Nearly all of them, and five times as fast as the rest.
    const isAmpersand = text.startsWith("amp;", at + 1);
    const end = isAmpersand ? at + 4 : text.slice(at, at + longestEntity).indexOf(";") + at;
    const character = isAmpersand ? "&" : readEntity(text.slice(at + 1, end));
    if (character === null) continue;
    decoded += text.slice(done, at) + character;
    done = end + 1;
  }
  return decoded + text.slice(done);
}

function readEntity(name: string): string | null {
  const [, hex, decimal] = /^#(?:[xX]([\da-fA-F]{1,6})|(\d{1,7}))$/.exec(name) ?? [];
  if (hex === undefined && decimal === undefined) return namedEntities.get(name) ?? null;
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const isCharacter = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
  return isCharacter ? String.fromCodePoint(point) : null;
}

/** As written, entities and all; null without an attribute of this name. */
export function readAttribute(attributes: string, name: string): string | null {
  const pattern = /(?:^|[\s"'])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;
  for (const [, found, double, single, bare] of attributes.matchAll(pattern)) {
    if (found === name) return double ?? single ?? bare ?? "";
  }
  return null;
}
