// The content of a paragraph -> inline HTML: runs, links, fields, notes, pictures and equations.

import { mathMl } from "../equations/mathml.ts";
import { imageHtml, noteReference } from "../html/document-html.ts";
import { Inline, type Look } from "../html/html-blocks.ts";
import { chosenAlternative } from "../packages/opc.ts";
import { FieldReader, hyperlinkOf } from "../packages/word-fields.ts";
import {
  attributeOf,
  childOf,
  findNode,
  findNodes,
  nodesOf,
  relationOf,
  valueIn,
  type XmlNode,
  xmlText,
} from "../packages/xml.ts";
import { defined, isMonospaced, lookOf, type Style, type StyleLook, type WordDocument } from "./word-document.ts";

export interface ParagraphContent {
  inline: Inline;
  /** The text without its looks, for code. */
  plain: string;
  /** All of it is in a monospaced font. */
  isCode: boolean;
  /** Text boxes that hang on the paragraph. */
  boxes: XmlNode[];
}

/** Reads one paragraph; open fields live on into the next. */
export class RunReader {
  private readonly document: WordDocument;
  private readonly fields = new FieldReader();
  private content: ParagraphContent = emptyContent();
  private style: StyleLook & { isCode?: boolean } = {};
  private isHeading = false;

  constructor(document: WordDocument) {
    this.document = document;
  }

  read(paragraph: XmlNode, style: Style | undefined): ParagraphContent {
    this.content = emptyContent();
    this.style = style ?? {};
    this.isHeading = style?.headingLevel !== undefined || style?.isTitle === true;
    this.children(paragraph, undefined);
    return this.content;
  }

  private children(node: XmlNode | undefined, href: string | undefined): void {
    for (const child of nodesOf(node)) this.part(child, href);
  }

  private part(node: XmlNode, href: string | undefined): void {
    const { name } = node;
    if (name === "r") this.run(node, href);
    else if (name === "hyperlink") this.children(node, this.linkOf(node) ?? href);
    else if (name === "fldSimple") this.children(node, hyperlinkOf(attributeOf(node, "instr") ?? "") ?? href);
    else if (name === "oMath") this.content.inline.html(mathMl(node, false));
    else if (name === "oMathPara")
      for (const math of nodesOf(node, "oMath")) this.content.inline.html(mathMl(math, true));
    else if (name === "AlternateContent") this.children(chosenAlternative(node), href);
    // What was taken out, moved away, or says how the paragraph looks, is left out.
    else if (!/^(?:del|moveFrom|pPr|sdtPr)$/.test(name)) this.children(node, href);
  }

  private linkOf(link: XmlNode): string | undefined {
    const id = relationOf(link);
    const relation = id === undefined ? undefined : this.document.relations.get(id);
    const anchor = attributeOf(link, "anchor");
    const place = anchor ? `#${anchor}` : "";
    if (relation) return relation.target + (relation.target.includes("#") ? "" : place);
    return place || undefined;
  }

  private run(run: XmlNode, outer: string | undefined): void {
    const properties = childOf(run, "rPr");
    const own = this.document.styles.find(valueIn(properties, "rStyle"));
    const direct = lookOf(properties);
    const shown: StyleLook & { isCode?: boolean } = { ...this.style, ...defined(own ?? {}), ...defined(direct) };
    if (shown.isHidden) return;
    const href = outer ?? this.fields.href;
    const isCode = own?.isCode === true || isMonospaced(direct.font);
    const look: Look = {
      href,
      // A heading is bold by being one.
      isBold: (this.isHeading ? direct.isBold && own?.isBold : shown.isBold) || undefined,
      isItalic: shown.isItalic || undefined,
      isStruck: shown.isStruck || undefined,
      script: shown.script,
      isCode: isCode || undefined,
    };
    for (const child of nodesOf(run)) this.runPart(child, look, isCode);
  }

  private runPart(node: XmlNode, look: Look, isCode: boolean): void {
    const { name } = node;
    if (name === "fldChar") this.fields.mark(attributeOf(node, "fldCharType"));
    else if (name === "instrText") this.fields.addCode(xmlText(node));
    else if (this.fields.isCode) return;
    else if (name === "t") this.text(xmlText(node), look, isCode);
    else if (name === "tab") this.text("\t", look, isCode);
    else if (name === "noBreakHyphen") this.text("\u2011", look, isCode);
    else if (name === "sym") this.text(symbolOf(node), look, isCode);
    else if (name === "br" || name === "cr") this.lineBreak(node);
    else if (name === "footnoteReference") this.note(node, "f", this.document.footnotes);
    else if (name === "endnoteReference") this.note(node, "e", this.document.endnotes);
    else if (/^(?:drawing|pict|object)$/.test(name)) this.drawing(node, look);
    else if (name === "ruby") this.children(childOf(node, "rubyBase") ?? node, look.href);
    else if (name === "AlternateContent")
      for (const child of nodesOf(chosenAlternative(node))) this.runPart(child, look, isCode);
  }

  private lineBreak(node: XmlNode): void {
    if ((attributeOf(node, "type") ?? "textWrapping") !== "textWrapping") return;
    this.content.plain += "\n";
    this.content.inline.break();
  }

  private text(text: string, look: Look, isCode: boolean): void {
    this.content.inline.text(text, look);
    this.content.plain += text;
    if (!isCode && text.trim() !== "") this.content.isCode = false;
  }

  private note(node: XmlNode, kind: "f" | "e", bodies: ReadonlyMap<string, XmlNode>): void {
    const { notes } = this.document;
    const source = attributeOf(node, "id") ?? "";
    if (!bodies.has(source)) return;
    const id = `${kind}${source}`;
    const known = notes.find((note) => note.id === id);
    const label = known?.label ?? String(notes.length + 1);
    // Its text is read later, since a note may refer to other notes.
    if (!known) notes.push({ id, label, html: "" });
    this.content.inline.html(noteReference({ id, label }));
  }

  private drawing(node: XmlNode, look: Look): void {
    for (const box of findNodes(node, "txbxContent")) this.content.boxes.push(box);
    const blip = findNode(node, "blip") ?? findNode(node, "imagedata");
    if (!blip) return;
    const id = relationOf(blip, "embed") ?? relationOf(blip, "link") ?? relationOf(blip);
    const relation = id === undefined ? undefined : this.document.relations.get(id);
    const described = findNode(node, "docPr") ?? findNode(node, "shape");
    const alt =
      attributeOf(described, "descr") ?? attributeOf(described, "title") ?? attributeOf(described, "alt") ?? "";
    const source = relation && (relation.isExternal ? relation.target : this.document.pictures.source(relation.target));
    if (source) this.content.inline.html(imageHtml(source, alt), { href: look.href });
    else if (alt !== "") this.content.inline.text(alt, look);
  }
}

function emptyContent(): ParagraphContent {
  return { inline: new Inline(), plain: "", isCode: true, boxes: [] };
}

function symbolOf(node: XmlNode): string {
  const code = Number.parseInt(attributeOf(node, "char") ?? "", 16);
  if (!Number.isFinite(code)) return "";
  // Symbol fonts put their letters into the private area.
  const plain = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  const font = attributeOf(node, "font") ?? "";
  if (/wingdings/i.test(font)) return wingdings[plain] ?? "•";
  return String.fromCodePoint(plain);
}

const wingdings: Readonly<Record<number, string>> = {
  252: "✓",
  251: "✗",
  254: "☑",
  253: "☒",
  168: "☐",
  224: "→",
  223: "←",
  74: "☺",
  216: "➢",
};
