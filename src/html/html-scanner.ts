// HTML text -> start tags, end tags and texts, where htmlparser2's tokenizer finds them (parse.test.ts holds the two
// together). The page is here in one piece, so this jumps from mark to mark; looking at every character took twice as long.

import { References } from "./html-references.ts";
import { type Attributes, noAttributes } from "./nodes.ts";

/** How to read what follows a start tag: up to its end tag as text, with or without references, or to the end. */
export type ContentModel = "markup" | "raw" | "references" | "plain";

export interface HtmlSink {
  text(data: string): void;
  /** Names are in lower case. */
  startTag(name: string, attributes: Attributes, isSelfClosing: boolean): ContentModel;
  endTag(name: string): void;
  /** Name of the element that is open at this place: most end tags are its own. */
  readonly openName: string;
  /** A `<![CDATA[ ]]>` section, where there can be one. */
  cdata(data: string): void;
  /** Set when an attribute comes that can keep something from being seen. */
  canHide: boolean;
  /** True in drawings and formulas. Elsewhere `<![CDATA[` begins a comment that ends with the next `>`. */
  readonly isForeign: boolean;
}

const bang = 0x21;
const doubleQuote = 0x22;
const singleQuote = 0x27;
const slash = 0x2f;
const equals = 0x3d;
const greater = 0x3e;
const question = 0x3f;

/** More on one element are left out: nothing is named so often, and looking them up would cost more with each. */
const maxAttributes = 1000;

/** Attributes that hide an element, or give its text the colour of what is behind it. */
const hidingNames = new Set(["style", "hidden", "popover", "bgcolor", "background", "color", "text"]);

export function scanHtml(source: string, sink: HtmlSink): void {
  new Scanner(source, sink).scan();
}

/** What the source ends in the middle of (a tag, a comment) is left out. */
class Scanner {
  private readonly source: string;
  private readonly sink: HtmlSink;
  private readonly references = new References();
  private at = 0;
  /** The first `&` behind what was read, so that texts without one are not searched. */
  private nextReference: number;
  /** Of the tag that was read last. */
  private attributes: Attributes = noAttributes;
  private attributeCount = 0;
  private isSelfClosing = false;

  constructor(source: string, sink: HtmlSink) {
    this.source = source;
    this.sink = sink;
    this.nextReference = source.indexOf("&");
  }

  scan(): void {
    const { source } = this;
    let textStart = 0;
    let mark = source.indexOf("<");
    while (mark !== -1) {
      const next = source.charCodeAt(mark + 1);
      if (!isLetter(next) && next !== slash && next !== bang && next !== question) {
        mark = source.indexOf("<", mark + 1);
        continue;
      }
      if (next === slash && mark + 2 === source.length) break;
      this.text(textStart, mark);
      if (next === slash) this.endTag(mark + 2);
      else if (next === bang) this.declaration(mark + 2);
      else if (next === question) this.skipPast(">", mark + 2);
      else this.startTag(mark + 1);
      textStart = this.at;
      mark = source.indexOf("<", textStart);
    }
    this.text(textStart, source.length);
  }

  private text(start: number, end: number): void {
    if (start === end) return;
    const text = this.source.slice(start, end);
    this.sink.text(this.hasReference(start, end) ? this.references.readText(text) : text);
  }

  private value(start: number, end: number): string {
    const value = this.source.slice(start, end);
    return this.hasReference(start, end) ? this.references.readValue(value) : value;
  }

  private hasReference(start: number, end: number): boolean {
    if (this.nextReference !== -1 && this.nextReference < start) {
      this.nextReference = this.source.indexOf("&", start);
    }
    return this.nextReference !== -1 && this.nextReference < end;
  }

  private endTag(start: number): void {
    const { openName } = this.sink;
    const end = start + openName.length;
    // The usual end tag needs no separate name.
    if (openName !== "" && this.source.charCodeAt(end) === greater && this.source.startsWith(openName, start)) {
      this.at = end + 1;
      this.sink.endTag(openName);
      return;
    }
    if (!isLetter(this.source.charCodeAt(start))) {
      this.skipPast(">", start);
      return;
    }
    const name = this.name(start);
    if (this.skipPast(">", this.at)) this.sink.endTag(name);
  }

  private startTag(start: number): void {
    const name = this.name(start);
    if (!this.readAttributes()) return;
    const content = this.sink.startTag(name, this.attributes, this.isSelfClosing);
    if (content === "plain") {
      if (this.at < this.source.length) this.sink.text(this.source.slice(this.at));
      this.at = this.source.length;
    } else if (content !== "markup") this.readUntilEndOf(name, content);
  }

  /** A tag's name in lower case. */
  private name(start: number): string {
    const { source } = this;
    let end = start;
    let isLower = true;
    for (; end < source.length; end += 1) {
      const code = source.charCodeAt(end);
      if (isTagBreak(code)) break;
      isLower &&= isPlain(code);
    }
    this.at = end;
    const name = source.slice(start, end);
    return isLower ? name : name.toLowerCase();
  }

  /** Reads up to the end of a start tag. False when the source ends before. */
  private readAttributes(): boolean {
    const { source } = this;
    this.attributes = noAttributes;
    this.attributeCount = 0;
    this.isSelfClosing = false;
    while (this.at < source.length) {
      const code = source.charCodeAt(this.at);
      if (code === greater) {
        this.at += 1;
        return true;
      }
      if (code === slash) this.isSelfClosing = true;
      if (code === slash || isSpace(code)) this.at += 1;
      else {
        this.isSelfClosing = false;
        this.readAttribute();
      }
    }
    return false;
  }

  private readAttribute(): void {
    const { source } = this;
    const start = this.at;
    let isLower = true;
    let end = start;
    let code = source.charCodeAt(end);
    do {
      isLower &&= isPlain(code);
      end += 1;
      code = source.charCodeAt(end);
    } while (end < source.length && code !== equals && !isTagBreak(code));
    const written = source.slice(start, end);
    const name = isLower ? written : written.toLowerCase();
    this.skipSpaces(end);
    const value = source.charCodeAt(this.at) === equals ? this.readValue(this.at + 1) : "";
    if (hidingNames.has(name)) this.sink.canHide = true;
    if (this.attributes === noAttributes) this.attributes = {};
    // The first of two with one name counts.
    if (Object.hasOwn(this.attributes, name) || this.attributeCount >= maxAttributes) return;
    this.attributes[name] = value;
    this.attributeCount += 1;
  }

  private readValue(from: number): string {
    const { source } = this;
    this.skipSpaces(from);
    const start = this.at;
    const quote = source.charCodeAt(start);
    if (quote === doubleQuote || quote === singleQuote) {
      const isEnded = this.skipPast(quote === doubleQuote ? '"' : "'", start + 1);
      return isEnded ? this.value(start + 1, this.at - 1) : "";
    }
    let end = start;
    while (end < source.length && source.charCodeAt(end) !== greater && !isSpace(source.charCodeAt(end))) end += 1;
    this.at = end;
    return this.value(start, end);
  }

  private readUntilEndOf(name: string, content: ContentModel): void {
    const { source } = this;
    const start = this.at;
    let end = source.indexOf("</", start);
    while (end !== -1 && !this.isEndOf(name, end)) {
      // An unclosed frame in a <noscript> ends with it: browsers never read it as markup.
      if (name === "iframe" && this.isEndOf("noscript", end)) break;
      end = source.indexOf("</", end + 2);
    }
    const textEnd = end === -1 ? source.length : end;
    if (content === "references") this.text(start, textEnd);
    else if (start < textEnd) this.sink.text(source.slice(start, textEnd));
    if (end === -1) this.at = source.length;
    else this.endTag(end + 2);
  }

  private isEndOf(name: string, mark: number): boolean {
    const end = mark + 2 + name.length;
    return isTagBreak(this.source.charCodeAt(end)) && this.source.slice(mark + 2, end).toLowerCase() === name;
  }

  /** A comment, a CDATA section, a document type or anything else after `<!`. */
  private declaration(start: number): void {
    const { source } = this;
    if (source.startsWith("--", start)) this.skipComment(start + 2);
    else if (this.sink.isForeign && source.startsWith("[CDATA[", start)) {
      const from = start + 7;
      if (this.skipPast("]]>", from)) this.sink.cdata(source.slice(from, this.at - 3));
    } else this.skipPast(">", start);
  }

  private skipComment(start: number): void {
    const { source } = this;
    if (source.startsWith(">", start) || source.startsWith("->", start)) {
      this.skipPast(">", start);
      return;
    }
    const end = /--!?>/g;
    end.lastIndex = start;
    this.at = end.test(source) ? end.lastIndex : source.length;
  }

  /** Goes behind what is looked for, or to the end of the source. */
  private skipPast(wanted: string, from: number): boolean {
    const found = this.source.indexOf(wanted, from);
    this.at = found === -1 ? this.source.length : found + wanted.length;
    return found !== -1;
  }

  private skipSpaces(from: number): void {
    this.at = from;
    while (isSpace(this.source.charCodeAt(this.at))) this.at += 1;
  }
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 9 || code === 13 || code === 12;
}

function isTagBreak(code: number): boolean {
  return code === greater || code === slash || isSpace(code);
}

/** True for what lower-casing leaves as it is, without asking Unicode. */
function isPlain(code: number): boolean {
  return code < 0x80 && (code < 0x41 || code > 0x5a);
}
