// The content of a paragraph -> inline HTML: runs, links, fields, notes, pictures and equations.

import { mathMl } from "../equations/mathml.ts";
import { escapeHtml, noteReference } from "../html/document-html.ts";
import { Inline, type Look } from "../html/html-blocks.ts";
import { chosenAlternative } from "../packages/opc.ts";
import {
  attributeOf,
  childOf,
  findNode,
  findNodes,
  isNode,
  nodesOf,
  relationOf,
  type XmlNode,
  xmlText,
} from "../packages/xml.ts";
import { defined, isMonospaced, lookOf, type Style, type StyleLook, type WordDocument } from "./word-document.ts";

interface Field {
  code: string;
  isShown: boolean;
  href: string | undefined;
}

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
  private readonly fields: Field[] = [];
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

  private children(node: XmlNode, href: string | undefined): void {
    for (const child of node.children) if (isNode(child)) this.part(child, href);
  }

  private part(node: XmlNode, href: string | undefined): void {
    switch (node.name) {
      case "r":
        this.run(node, href);
        return;
      case "hyperlink":
        this.children(node, this.linkOf(node) ?? href);
        return;
      case "fldSimple":
        this.children(node, hyperlinkOf(attributeOf(node, "instr") ?? "") ?? href);
        return;
      case "oMath":
        this.content.inline.html(mathMl(node, false));
        return;
      case "oMathPara":
        for (const math of nodesOf(node, "oMath")) this.content.inline.html(mathMl(math, true));
        return;
      case "AlternateContent": {
        const chosen = chosenAlternative(node);
        if (chosen) this.children(chosen, href);
        return;
      }
      // What was taken out, moved away, or says how the paragraph looks.
      case "del":
      case "moveFrom":
      case "pPr":
      case "sdtPr":
        return;
      default:
        this.children(node, href);
        return;
    }
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
    const reference = childOf(properties, "rStyle");
    const own = this.document.styles.find(reference && attributeOf(reference, "val"));
    const direct = lookOf(properties);
    const shown: StyleLook & { isCode?: boolean } = { ...this.style, ...defined(own ?? {}), ...defined(direct) };
    if (shown.isHidden) return;
    const href = outer ?? this.fieldLink();
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
    for (const child of run.children) if (isNode(child)) this.runPart(child, look, isCode);
  }

  private runPart(node: XmlNode, look: Look, isCode: boolean): void {
    const { inline } = this.content;
    if (this.fields.some(({ isShown }) => !isShown) && node.name !== "fldChar" && node.name !== "instrText") return;
    switch (node.name) {
      case "t":
        this.text(xmlText(node), look, isCode);
        return;
      case "tab":
        this.text("\t", look, isCode);
        return;
      case "noBreakHyphen":
        this.text("\u2011", look, isCode);
        return;
      case "br":
      case "cr":
        if ((attributeOf(node, "type") ?? "textWrapping") !== "textWrapping") return;
        this.content.plain += "\n";
        inline.break();
        return;
      case "sym":
        this.text(symbolOf(node), look, isCode);
        return;
      case "footnoteReference":
        this.note(node, "f", this.document.footnotes);
        return;
      case "endnoteReference":
        this.note(node, "e", this.document.endnotes);
        return;
      case "fldChar":
        this.fieldMark(node);
        return;
      case "instrText": {
        const field = this.fields[this.fields.length - 1];
        if (field && !field.isShown) field.code += xmlText(node);
        return;
      }
      case "drawing":
      case "pict":
      case "object":
        this.drawing(node, look);
        return;
      case "AlternateContent": {
        const chosen = chosenAlternative(node);
        for (const child of chosen?.children ?? []) if (isNode(child)) this.runPart(child, look, isCode);
        return;
      }
      case "ruby":
        this.children(childOf(node, "rubyBase") ?? node, look.href);
        return;
      default:
    }
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
    // Its text is read later: a note may refer to others.
    if (!known) notes.push({ id, label, html: "" });
    this.content.inline.html(noteReference({ id, label }));
  }

  private fieldMark(node: XmlNode): void {
    const kind = attributeOf(node, "fldCharType");
    const field = this.fields[this.fields.length - 1];
    if (kind === "begin") this.fields.push({ code: "", isShown: false, href: undefined });
    else if (kind === "separate" && field) {
      field.isShown = true;
      field.href = hyperlinkOf(field.code);
    } else if (kind === "end") this.fields.pop();
  }

  private fieldLink(): string | undefined {
    for (let index = this.fields.length - 1; index >= 0; index -= 1) {
      const { href } = this.fields[index] as Field;
      if (href !== undefined) return href;
    }
    return undefined;
  }

  private drawing(node: XmlNode, look: Look): void {
    for (const box of findNodes(node, "txbxContent")) this.content.boxes.push(box);
    const blip = findNode(node, "blip") ?? findNode(node, "imagedata");
    if (!blip) return;
    const id = relationOf(blip, "embed") ?? relationOf(blip, "link") ?? relationOf(blip);
    const relation = id === undefined ? undefined : this.document.relations.get(id);
    const described = findNode(node, "docPr") ?? findNode(node, "shape");
    const alt = described
      ? (attributeOf(described, "descr") ?? attributeOf(described, "title") ?? attributeOf(described, "alt") ?? "")
      : "";
    const source = relation && (relation.isExternal ? relation.target : this.document.picture(relation.target));
    if (source)
      this.content.inline.html(`<img alt="${escapeHtml(alt)}" src="${escapeHtml(source)}">`, { href: look.href });
    else if (alt !== "") this.content.inline.text(alt, look);
  }
}

function emptyContent(): ParagraphContent {
  return { inline: new Inline(), plain: "", isCode: true, boxes: [] };
}

/** Where a field leads that is a link. */
function hyperlinkOf(code: string): string | undefined {
  const [, quoted, bare] = /^\s*HYPERLINK\s+(?:"([^"]*)"|([^\s\\"]+))/i.exec(code) ?? [];
  const place = /\\l\s+(?:"([^"]*)"|(\S+))/.exec(code);
  const anchor = place ? `#${place[1] ?? place[2]}` : "";
  return (quoted ?? bare ?? "") + anchor || undefined;
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
