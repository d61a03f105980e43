// What texts, presentations and spreadsheets of OpenDocument share: the container, styles, facts and embedded objects.

import { FileFault, type ParsedFile } from "../file/file-reading.ts";
import { createPictures } from "../html/document-html.ts";
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
import type { OpenDocument } from "./read-odt.ts";

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

export class OpenStyles {
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
    const text = childOf(source, "text-properties");
    const say = (name: string) => text && attributeOf(text, name);
    const own: OpenStyle = { ...namedStyle(attributeOf(source, "display-name") ?? attributeOf(source, "name") ?? "") };
    const weight = say("font-weight");
    if (weight !== undefined) own.isBold = weight === "bold" || Number(weight) >= 600;
    const slant = say("font-style");
    if (slant !== undefined) own.isItalic = slant === "italic" || slant === "oblique";
    const through = say("text-line-through-style") ?? say("text-line-through-type");
    if (through !== undefined) own.isStruck = through !== "none";
    const position = say("text-position");
    if (position !== undefined) {
      const isRaised = /^(?:super|[1-9])/.test(position);
      if (isRaised) own.script = "sup";
      else if (/^(?:sub|-)/.test(position)) own.script = "sub";
    }
    if (say("display") === "none") own.isHidden = true;
    const font = say("font-name") ?? say("font-family");
    if (font !== undefined && monospaced.test(font)) own.isCode = true;
    const level = Number(attributeOf(source, "default-outline-level"));
    if (level > 0) own.headingLevel = level;
    const list = attributeOf(source, "list-style-name");
    if (list) own.listStyle = list;
    return { ...base, ...own };
  }
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

export interface OpenFile {
  content: XmlNode;
  styles: XmlNode | undefined;
  document: OpenDocument;
  facts: Pick<ParsedFile, "title" | "author" | "createdAt" | "modifiedAt">;
}

export function openFile(bytes: Uint8Array): OpenFile {
  const zip = openZip(bytes);
  const manifest = zip.read("META-INF/manifest.xml")?.toString("latin1") ?? "";
  if (/<(?:\w+:)?encryption-data\b/.test(manifest))
    throw new FileFault("encrypted", "The file is encrypted: it needs a password");
  const part = (name: string) => {
    const data = zip.read(name);
    return data ? parsePart(data) : undefined;
  };
  const content = part("content.xml");
  if (!content) throw new FileFault("broken", "The file has no content.xml");
  const styles = part("styles.xml");
  const meta = part("meta.xml");
  const fact = (name: string) => xmlText(findNode(meta, name)).trim();
  const known = {
    title: fact("title"),
    author: fact("initial-creator") || fact("creator"),
    createdAt: fact("creation-date"),
    modifiedAt: fact("date"),
  };
  const document: OpenDocument = {
    styles: new OpenStyles(styles, content),
    pictures: createPictures(zip),
    notes: [],
    comments: [],
    object: (name) => part(`${name}/content.xml`),
  };
  const facts = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== ""));
  return { content, styles, document, facts };
}
