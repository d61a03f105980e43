// Bytes of one sitemap -> its entries, in pieces cut anywhere. No DTD is read, and no entity beyond the five and the
// numbered ones; what is held is bounded by the longest piece, whatever the file contains.
import { maxUrlLength } from "../../base/index.ts";
import {
  htmlRoots,
  type Shape,
  type SitemapEntry,
  type SitemapField,
  type SitemapKind,
  shapes,
} from "./sitemap-shapes.ts";
import { decodeEntities, readAttribute, TextSource } from "./sitemap-text.ts";

interface Item {
  /** With its prefix: what ends the item, and the prefix that its own elements carry. */
  tag: string;
  prefix: string;
  values: Partial<SitemapEntry>;
  /** Elements that are open within it. */
  depth: number;
}

type Mode = "start" | "lines" | "longLine" | "markup" | "comment" | "cdata" | "instruction" | "doctype" | "brokenTag";

const maxTagLength = 16 * 1024;
const maxDateLength = 100;
const maxDeclarationLength = 1024;

const declarations: readonly [string, Mode][] = [
  ["<!--", "comment"],
  ["<![CDATA[", "cdata"],
  ["<!DOCTYPE", "doctype"],
];

/**
 * An entry as nearly all are written: of plain characters, its URL first, nothing but the protocol's own elements. Whatever
 * differs goes the long way, tag by tag.
 */
const plainEntry =
  /[\t-\r ]*<url>[\t-\r ]*<loc>[\t-\r ]*([!-%'-;=-~]+)[\t-\r ]*<\/loc>[\t-\r ]*(?:<lastmod>[\t-\r ]*([!-%'-;=-~]+)[\t-\r ]*<\/lastmod>[\t-\r ]*)?(?:<(?:changefreq>[^<]*<\/changefreq|priority>[^<]*<\/priority)>[\t-\r ]*)*<\/url>/y;

const lessThan = 60;
const greaterThan = 62;
const slash = 47;

export class SitemapParser {
  /** Entries left out because their URL is longer than 8 KB. */
  tooLong = 0;
  private readonly onEntry: (entry: SitemapEntry) => void;
  private readonly text = new TextSource();
  /** What came last and cannot be understood without more. */
  private rest = "";
  private mode: Mode = "start";
  private found: SitemapKind = "empty";
  private shape: Shape | null = null;
  private rootTag = "";
  private isRootClosed = false;
  private item: Item | null = null;
  private field: SitemapField | null = null;
  private value = "";
  private isValueFull = false;
  /** Within a document type: the open quote, and whether its internal subset is open. */
  private quote = 0;
  private isInSubset = false;
  private isInSubsetComment = false;

  constructor(onEntry: (entry: SitemapEntry) => void) {
    this.onEntry = onEntry;
  }

  /** Known when there is an entry. */
  get kind(): SitemapKind {
    return this.found;
  }

  /** True when nothing that follows can matter: a web page holds no entries. */
  get isDone(): boolean {
    return this.found === "html";
  }

  write(bytes: Uint8Array): void {
    this.read(this.text.take(bytes));
  }

  /** What the file was, and whether it was there to its end. */
  end(): { kind: SitemapKind; isComplete: boolean } {
    this.read(this.text.takeLast());
    if (this.mode === "lines") this.readLine(this.rest);
    if (this.item !== null) {
      // What was being read when the file broke off is not to be trusted.
      this.field = null;
      this.endItem(this.item);
    }
    return { kind: this.found, isComplete: this.shape === null || this.isRootClosed };
  }

  private read(piece: string): void {
    if (this.isDone || piece === "") return;
    const text = this.rest === "" ? piece : this.rest + piece;
    let at = 0;
    // A step answers where to go on, or by moreFrom what it must see again when there is more.
    while (at >= 0 && !this.isDone) at = this.step(text, at);
    this.rest = this.isDone ? "" : text.slice(moreFrom(at));
  }

  private step(text: string, at: number): number {
    if (this.mode === "markup") return this.readMarkup(text, at);
    if (this.mode === "start") return this.readStart(text, at);
    if (this.mode === "lines" || this.mode === "longLine") return this.readLines(text, at);
    if (this.mode === "doctype") return this.readDoctype(text, at);
    if (this.mode === "brokenTag") return this.skipBrokenTag(text, at);
    return this.readUntil(text, at);
  }

  private readStart(text: string, from: number): number {
    let at = from;
    while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
    if (at === text.length) return moreFrom(at);
    this.found = "unknown";
    this.mode = text.charCodeAt(at) === lessThan ? "markup" : "lines";
    return at;
  }

  private readLines(text: string, from: number): number {
    const end = text.indexOf("\n", from);
    if (this.mode === "longLine") {
      if (end === -1) return moreFrom(text.length);
      this.mode = "lines";
      return end + 1;
    }
    if (end !== -1) {
      this.readLine(text.slice(from, end));
      return end + 1;
    }
    if (text.length - from <= maxUrlLength) return moreFrom(from);
    this.readLine(text.slice(from));
    this.mode = "longLine";
    return text.length;
  }

  private readLine(line: string): void {
    if (!/^\s*https?:\/\//i.test(line)) return;
    if (line.length > maxUrlLength) {
      this.tooLong += 1;
      return;
    }
    this.found = "text";
    this.onEntry({ url: this.text.decode(line).trim() });
  }

  /** Entries that need no closer look, one after the other; answers where they end. */
  private readPlainEntries(text: string, from: number): number {
    let at = from;
    for (;;) {
      plainEntry.lastIndex = at;
      const match = plainEntry.exec(text);
      if (match === null) return at;
      const [, url, lastmod] = match as unknown as [string, string, string | undefined];
      if (url.length > maxUrlLength || (lastmod !== undefined && lastmod.length > maxDateLength)) return at;
      this.onEntry(lastmod === undefined ? { url } : { url, lastmod });
      at = plainEntry.lastIndex;
    }
  }

  private readMarkup(text: string, start: number): number {
    const from = this.found === "urlset" && this.item === null ? this.readPlainEntries(text, start) : start;
    const at = text.indexOf("<", from);
    if (this.field !== null) this.addText(text, from, at === -1 ? text.length : at);
    if (at === -1) return moreFrom(text.length);
    const next = text.charCodeAt(at + 1);
    if (next === 33) return this.readDeclaration(text, at);
    if (next === 63) {
      this.mode = "instruction";
      return at;
    }
    return this.readTag(text, at);
  }

  /** `<!--`, `<![CDATA[`, `<!DOCTYPE`, or something unknown that is passed over. */
  private readDeclaration(text: string, at: number): number {
    const head = text.slice(at, at + 9).toUpperCase();
    for (const [mark, mode] of declarations) {
      if (head.startsWith(mark)) {
        this.mode = mode;
        return at + mark.length;
      }
      if (mark.startsWith(head)) return moreFrom(at);
    }
    this.mode = "brokenTag";
    return at + 2;
  }

  /** A comment, CDATA or instruction: everything up to its end mark. */
  private readUntil(text: string, from: number): number {
    const mark = this.mode === "comment" ? "-->" : this.mode === "cdata" ? "]]>" : "?>";
    const end = text.indexOf(mark, from);
    if (end === -1) {
      // The declaration is read whole, for its encoding; of anything else only the beginning of an end mark is kept.
      if (this.mode === "instruction" && text.length - from <= maxDeclarationLength) return moreFrom(from);
      const stop = Math.max(from, text.length - mark.length + 1);
      if (this.mode === "cdata") this.addCdata(text, from, stop);
      return moreFrom(stop);
    }
    if (this.mode === "cdata") this.addCdata(text, from, end);
    if (this.mode === "instruction" && end - from < maxDeclarationLength) this.text.declare(text.slice(from, end));
    this.mode = "markup";
    return end + mark.length;
  }

  /** Passed over, internal subset and all. Its comments may hold a lone quote, its quotes any mark. */
  private readDoctype(text: string, from: number): number {
    for (let at = from; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (this.isInSubsetComment) {
        const end = text.indexOf("-->", at);
        if (end === -1) return moreFrom(Math.max(at, text.length - 2));
        this.isInSubsetComment = false;
        at = end + 2;
      } else if (this.quote !== 0) {
        if (code === this.quote) this.quote = 0;
      } else if (code === 34 || code === 39) {
        this.quote = code;
      } else if (code === lessThan && this.isInSubset) {
        const head = text.slice(at, at + 4);
        if (head.length < 4 && "<!--".startsWith(head)) return moreFrom(at);
        if (head === "<!--") {
          this.isInSubsetComment = true;
          at += 3;
        }
      } else if (code === 91) {
        this.isInSubset = true;
      } else if (code === 93) {
        this.isInSubset = false;
      } else if (code === greaterThan && !this.isInSubset) {
        this.mode = "markup";
        return at + 1;
      }
    }
    return moreFrom(text.length);
  }

  private skipBrokenTag(text: string, from: number): number {
    for (let at = from; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code !== greaterThan && code !== lessThan) continue;
      this.mode = "markup";
      return code === greaterThan ? at + 1 : at;
    }
    return moreFrom(text.length);
  }

  private readTag(text: string, start: number): number {
    const isEndTag = text.charCodeAt(start + 1) === slash;
    const nameStart = isEndTag ? start + 2 : start + 1;
    const limit = Math.min(text.length, start + maxTagLength);
    let at = nameStart;
    let code = 0;
    for (; at < limit; at += 1) {
      code = text.charCodeAt(at);
      if (code === greaterThan || code === slash || code === lessThan || code <= 32) break;
    }
    const nameEnd = at;
    let quote = 0;
    let quotedEnd = -1;
    for (; at < limit; at += 1) {
      code = text.charCodeAt(at);
      if (code === lessThan) break;
      if (quote !== 0) {
        if (code === quote) quote = 0;
        else if (code === greaterThan && quotedEnd === -1) quotedEnd = at;
      } else if (code === greaterThan) break;
      else if (code === 34 || code === 39) {
        quote = code;
        quotedEnd = -1;
      }
    }
    // `<` cannot occur in a tag, quoted or not: a quote was left open, and the tag ended before.
    if (quote !== 0 && quotedEnd !== -1 && at < limit) at = quotedEnd;
    const isTooLong = at === limit && limit < text.length;
    if (at === limit && !isTooLong) return moreFrom(start);
    const name = text.slice(nameStart, nameEnd);
    if (name === "") {
      if (this.field !== null) this.addText(text, start, start + 1);
    } else if (isEndTag) this.closeTag(name);
    else this.openTag(name, text.slice(nameEnd, at), text.charCodeAt(at - 1) === slash && quote === 0);
    if (isTooLong) this.mode = "brokenTag";
    if (name === "" && !isEndTag) return start + 1;
    return at < text.length && text.charCodeAt(at) === greaterThan ? at + 1 : at;
  }

  private openTag(name: string, attributes: string, isEmpty: boolean): void {
    if (this.shape === null) {
      this.openRoot(name, isEmpty);
      return;
    }
    const colon = name.indexOf(":");
    const prefix = colon === -1 ? "" : name.slice(0, colon);
    const local = colon === -1 ? name : name.slice(colon + 1);
    if (this.item === null || name === this.item.tag) {
      if (this.item !== null) this.endItem(this.item);
      if (local === this.shape.item && !isEmpty) this.item = { tag: name, prefix, values: {}, depth: 0 };
      return;
    }
    const isOwn = this.item.depth === 0 && prefix === this.item.prefix;
    if (isOwn) this.openField(local, attributes, isEmpty, this.item);
    if (!isEmpty) this.item.depth += 1;
  }

  private openRoot(name: string, isEmpty: boolean): void {
    if (this.rootTag !== "") return;
    this.isRootClosed = isEmpty;
    const root = name.slice(name.indexOf(":") + 1).toLowerCase();
    this.rootTag = name;
    this.shape = shapes.get(root) ?? null;
    if (this.shape !== null) this.found = this.shape.kind;
    else if (htmlRoots.has(root)) this.found = "html";
  }

  private openField(local: string, attributes: string, isEmpty: boolean, { values }: Item): void {
    const field = this.shape?.fields.get(local);
    if (field === undefined || values[field] !== undefined) return;
    if (field === "url" && attributes !== "" && this.found === "feed") {
      const href = readAttribute(attributes, "href");
      const rel = readAttribute(attributes, "rel") ?? "alternate";
      if (href !== null && rel === "alternate") this.setValue(values, "url", href, href.length > maxUrlLength);
      if (href !== null) return;
    }
    if (isEmpty) return;
    this.field = field;
    this.value = "";
    this.isValueFull = false;
  }

  private closeTag(name: string): void {
    const { item } = this;
    if (item === null) {
      if (name === this.rootTag) this.isRootClosed = true;
      return;
    }
    if (name === item.tag) {
      if (this.field !== null) this.closeField(item, this.field);
      this.endItem(item);
      return;
    }
    if (item.depth > 0) item.depth -= 1;
    if (item.depth === 0 && this.field !== null) this.closeField(item, this.field);
  }

  private closeField(item: Item, field: SitemapField): void {
    this.field = null;
    this.setValue(item.values, field, this.value, this.isValueFull);
  }

  private setValue(values: Item["values"], field: SitemapField, raw: string, isFull: boolean): void {
    if (field === "url" && isFull) {
      this.tooLong += 1;
      // Another URL in the same entry is not the one that was meant.
      values.url = "";
      return;
    }
    const decoded = this.text.decode(raw, isFull);
    const value = (decoded.includes("&") ? decodeEntities(decoded) : decoded).trim();
    if (value !== "" && (field !== "lastmod" || value.length <= maxDateLength)) values[field] = value;
  }

  private endItem({ values }: Item): void {
    this.item = null;
    this.field = null;
    if (values.url !== undefined && values.url !== "") this.onEntry(values as SitemapEntry);
  }

  private addText(text: string, from: number, to: number): void {
    const room = maxUrlLength - this.value.length;
    if (to - from > room) this.isValueFull = true;
    if (room > 0) this.value += text.slice(from, Math.min(to, from + room));
  }

  /** CDATA knows no entities, so its ampersands are written as one. */
  private addCdata(text: string, from: number, to: number): void {
    if (this.field === null) return;
    const piece = text.slice(from, Math.min(to, from + maxUrlLength)).replaceAll("&", "&amp;");
    if (to - from > maxUrlLength) this.isValueFull = true;
    this.addText(piece, 0, piece.length);
  }
}

/** A negative number that holds the place; its own inverse. */
function moreFrom(at: number): number {
  return ~at;
}
