// What texts, presentations and spreadsheets of OpenDocument share: the container, styles, facts and embedded objects.

import { FileFault, type ParsedFile } from "../file/file-reading.ts";
import { type Note, Pictures } from "../html/document-html.ts";
import { openZip } from "../packages/containers.ts";
import {
  attributeOf,
  childOf,
  findNode,
  findNodes,
  nodesOf,
  parsePart,
  type XmlNode,
  xmlText,
} from "../packages/xml.ts";

export interface OpenStyle {
  isBold?: boolean;
  isItalic?: boolean;
  isStruck?: boolean;
  script?: "sup" | "sub";
  isCode?: boolean;
  isQuote?: boolean;
  isHidden?: boolean;
  headingLevel?: number;
  isTitle?: boolean;
  listStyle?: string;
}

const codeNames = /^(?:preformatted|source|code|verbatim)/i;
const quoteNames = /^(?:quotations?|quote|block ?(?:text|quote))/i;
const monospaced = /courier|consolas|menlo|monaco|mono\b|monospace/i;

class OpenStyles {
  private readonly sources = new Map<string, XmlNode>();
  private readonly made = new Map<string, OpenStyle>();
  /** Levels of each list style that are numbered. */
  private readonly lists = new Map<string, Set<number>>();
  private readonly starts = new Map<string, number>();

  constructor(...roots: (XmlNode | undefined)[]) {
    for (const root of roots) {
      for (const style of findNodes(root, "style")) {
        const name = attributeOf(style, "name");
        if (name !== undefined) this.sources.set(`${attributeOf(style, "family") ?? ""}:${name}`, style);
      }
      for (const list of findNodes(root, "list-style")) this.addList(list);
    }
  }

  find(family: "text" | "paragraph", name: string | undefined): OpenStyle {
    if (name === undefined) return {};
    const key = `${family}:${name}`;
    const known = this.made.get(key);
    if (known) return known;
    const style = this.read(key, 0);
    this.made.set(key, style);
    return style;
  }

  isNumbered(listStyle: string | undefined, depth: number): boolean {
    return listStyle !== undefined && this.lists.get(listStyle)?.has(depth) === true;
  }

  startOf(listStyle: string | undefined, depth: number): number {
    return this.starts.get(`${listStyle}:${depth}`) ?? 1;
  }

  private addList(list: XmlNode): void {
    const name = attributeOf(list, "name") ?? "";
    const numbered = new Set<number>();
    for (const level of nodesOf(list, "list-level-style-number")) {
      const depth = Number(attributeOf(level, "level") ?? 1) - 1;
      // A level without a format shows no number.
      if (attributeOf(level, "num-format") !== "") numbered.add(depth);
      this.starts.set(`${name}:${depth}`, Number(attributeOf(level, "start-value") ?? 1));
    }
    this.lists.set(name, numbered);
  }

  private read(key: string, depth: number): OpenStyle {
    const source = this.sources.get(key);
    if (!source) return namedStyle(key.slice(key.indexOf(":") + 1));
    const parent = attributeOf(source, "parent-style-name");
    const family = key.slice(0, key.indexOf(":"));
    const base = parent !== undefined && depth < 20 ? this.read(`${family}:${parent}`, depth + 1) : {};
    const name = attributeOf(source, "display-name") ?? attributeOf(source, "name") ?? "";
    const own = { ...namedStyle(name), ...lookOfText(childOf(source, "text-properties")) };
    const level = Number(attributeOf(source, "default-outline-level"));
    if (level > 0) own.headingLevel = level;
    const list = attributeOf(source, "list-style-name");
    if (list) own.listStyle = list;
    return { ...base, ...own };
  }
}

/** What properties say; what they do not say is left to the style below. */
function lookOfText(properties: XmlNode | undefined): OpenStyle {
  const say = (name: string) => attributeOf(properties, name);
  const look: OpenStyle = {};
  const weight = say("font-weight");
  if (weight !== undefined) look.isBold = weight === "bold" || Number(weight) >= 600;
  const slant = say("font-style");
  if (slant !== undefined) look.isItalic = slant === "italic" || slant === "oblique";
  const through = say("text-line-through-style") ?? say("text-line-through-type");
  if (through !== undefined) look.isStruck = through !== "none";
  const position = say("text-position") ?? "";
  if (/^(?:super|[1-9])/.test(position)) look.script = "sup";
  else if (/^(?:sub|-)/.test(position)) look.script = "sub";
  if (say("display") === "none") look.isHidden = true;
  if (monospaced.test(say("font-name") ?? say("font-family") ?? "")) look.isCode = true;
  return look;
}

/** Names of styles have their spaces written as codes. */
function namedStyle(written: string): OpenStyle {
  const name = written.replace(/_20_/g, " ");
  const style: OpenStyle = {};
  if (codeNames.test(name)) style.isCode = true;
  if (quoteNames.test(name)) style.isQuote = true;
  if (/^title$/i.test(name)) style.isTitle = true;
  return style;
}

export interface OpenDocument {
  styles: OpenStyles;
  pictures: Pictures;
  notes: Note[];
  comments: { author: string; html: string }[];
  /** The root of an object inside the file: a formula, a chart. */
  object(name: string): XmlNode | undefined;
}

export interface OpenFile {
  /** The text, presentation or spreadsheet. */
  body: XmlNode;
  content: XmlNode;
  document: OpenDocument;
  facts: Pick<ParsedFile, "title" | "author" | "createdAt" | "modifiedAt">;
}

export function openFile(bytes: Uint8Array, kind: "text" | "presentation" | "spreadsheet"): OpenFile {
  const zip = openZip(bytes);
  const manifest = zip.read("META-INF/manifest.xml")?.toString("latin1") ?? "";
  if (/<(?:\w+:)?encryption-data\b/.test(manifest))
    throw new FileFault("encrypted", "The file is encrypted and needs a password");
  const part = (name: string) => {
    const data = zip.read(name);
    return data ? parsePart(data) : undefined;
  };
  const content = part("content.xml");
  if (!content) throw new FileFault("broken", "The file has no content.xml");
  const body = findNode(findNode(content, "body"), kind);
  if (!body) throw new FileFault("broken", `The file has no ${kind}`);
  const meta = part("meta.xml");
  const fact = (name: string) => xmlText(findNode(meta, name)).trim();
  const document: OpenDocument = {
    styles: new OpenStyles(part("styles.xml"), content),
    pictures: new Pictures(zip),
    notes: [],
    comments: [],
    object: (name) => part(`${name}/content.xml`),
  };
  const facts = {
    title: fact("title"),
    author: fact("initial-creator") || fact("creator"),
    createdAt: fact("creation-date"),
    modifiedAt: fact("date"),
  };
  return { body, content, document, facts };
}

/** The picture of a frame, and what describes it. */
export function framePicture(frame: XmlNode, pictures: Pictures): { source: string | null; alt: string } {
  const href = attributeOf(childOf(frame, "image"), "href");
  const alt = xmlText(childOf(frame, "desc")).trim() || xmlText(childOf(frame, "title")).trim();
  if (href === undefined || href === "") return { source: null, alt };
  return { source: /^https?:/i.test(href) ? href : pictures.source(innerPath(href)), alt };
}

/** The name of an entry of the container. */
export function innerPath(href: string): string {
  return href.replace(/^\.?\//, "");
}

/** How often a row or cell is repeated, or how many it spans: at least once, and within bounds. */
export function repeatsOf(node: XmlNode, name: string, most: number): number {
  return Math.min(most, Number(attributeOf(node, name) ?? 1) || 1);
}
