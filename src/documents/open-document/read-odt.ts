// OpenDocument texts (odt) -> HTML: paragraphs, lists and tables. Tracked changes are accepted.

import { FileFault, type ParsedFile } from "../file/file-reading.ts";
import {
  type Cell,
  commentsSection,
  escapeHtml,
  type Note,
  noteReference,
  notesSection,
  type Pictures,
  parsedFile,
  tableHtml,
} from "../html/document-html.ts";
import { Blocks, Inline, type Look } from "../html/html-blocks.ts";
import { attributeOf, childOf, findNode, isNode, nodesOf, type XmlNode, xmlText } from "../packages/xml.ts";
import { type OpenStyle, type OpenStyles, openFile } from "./open-file.ts";

export interface OpenDocument {
  styles: OpenStyles;
  pictures: Pictures;
  notes: Note[];
  comments: { author: string; html: string }[];
  /** The root of an object inside the file: a formula, a chart. */
  object(name: string): XmlNode | undefined;
}

const maxColumns = 500;
const maxRows = 20_000;
const maxDepth = 40;

export class TextBody {
  private readonly document: OpenDocument;
  private depth = 0;
  /** The last number of each list that can be continued. */
  private readonly counts = new Map<string, number>();

  constructor(document: OpenDocument) {
    this.document = document;
  }

  read(node: XmlNode, blocks: Blocks = new Blocks()): Blocks {
    for (const child of node.children) if (isNode(child)) this.block(child, blocks);
    return blocks;
  }

  private block(node: XmlNode, blocks: Blocks): void {
    switch (node.name) {
      case "h": {
        const { inline } = this.content(node, {}, blocks);
        blocks.heading(Number(attributeOf(node, "outline-level") ?? 1), inline.toString());
        return;
      }
      case "p":
        this.paragraph(node, blocks);
        return;
      case "list":
        this.list(node, blocks, 0, undefined);
        return;
      case "table":
        if (attributeOf(node, "display") !== "false") blocks.raw(this.table(node));
        return;
      case "frame":
        this.frame(node, blocks);
        return;
      case "tracked-changes":
      case "forms":
      case "sequence-decls":
      case "variable-decls":
      case "user-field-decls":
      case "soft-page-break":
        return;
      case "table-of-content":
      case "alphabetical-index":
      case "bibliography":
      case "illustration-index":
      case "table-index":
      case "user-index": {
        const body = childOf(node, "index-body");
        if (body) this.read(body, blocks);
        return;
      }
      default:
        this.read(node, blocks);
    }
  }

  private paragraph(node: XmlNode, blocks: Blocks): void {
    const style = this.document.styles.find("paragraph", attributeOf(node, "style-name"));
    const after: Blocks = new Blocks();
    const { inline, plain } = this.content(node, style, after);
    if (style.headingLevel !== undefined) blocks.heading(style.headingLevel, inline.toString());
    else if (style.isTitle) blocks.heading(1, inline.toString());
    else if (style.isCode) for (const line of plain.split("\n")) blocks.codeLine(line);
    else if (style.isQuote) blocks.quote(inline.toString());
    else if (!inline.isEmpty) blocks.paragraph(inline.toString());
    if (!after.isEmpty) blocks.raw(after.toString());
  }

  /** The content of one paragraph; what hangs on it as blocks goes into `after`. */
  content(node: XmlNode, style: OpenStyle, after: Blocks): { inline: Inline; plain: string } {
    const inline = new Inline();
    const isHeading = node.name === "h" || style.headingLevel !== undefined || style.isTitle === true;
    const base: Look = isHeading || style.isCode ? {} : lookOf(style, {});
    const writer = { inline, plain: "", after };
    this.inlines(node, base, writer);
    return { inline, plain: writer.plain };
  }

  private inlines(node: XmlNode, look: Look, to: { inline: Inline; plain: string; after: Blocks }): void {
    for (const child of node.children) {
      if (isNode(child)) this.inlinePart(child, look, to);
      else {
        const text = child.replace(/[ \t\r\n]+/g, " ");
        to.inline.text(text, look);
        to.plain += text;
      }
    }
  }

  private inlinePart(node: XmlNode, look: Look, to: { inline: Inline; plain: string; after: Blocks }): void {
    const { inline } = to;
    switch (node.name) {
      case "span": {
        const style = this.document.styles.find("text", attributeOf(node, "style-name"));
        if (style.isHidden) return;
        this.inlines(node, lookOf(style, look), to);
        return;
      }
      case "a": {
        const href = attributeOf(node, "href");
        this.inlines(node, href ? { ...look, href } : look, to);
        return;
      }
      case "s": {
        const spaces = " ".repeat(Math.min(200, Number(attributeOf(node, "c") ?? 1) || 1));
        inline.text(spaces, look);
        to.plain += spaces;
        return;
      }
      case "tab":
        inline.text("\t", look);
        to.plain += "\t";
        return;
      case "line-break":
        inline.break();
        to.plain += "\n";
        return;
      case "note":
        this.note(node, inline);
        return;
      case "annotation": {
        const author = xmlText(childOf(node, "creator"));
        const text = nodesOf(node).filter(({ name }) => name === "p" || name === "list");
        const html = this.read({ name: "", attributes: {}, children: text }).toString();
        this.document.comments.push({ author, html });
        return;
      }
      case "frame":
      case "g":
      case "custom-shape":
        this.inlineFrame(node, look, to);
        return;
      case "annotation-end":
      case "change":
      case "change-start":
      case "change-end":
      case "bookmark":
      case "bookmark-start":
      case "bookmark-end":
      case "reference-mark-start":
      case "reference-mark-end":
      case "soft-page-break":
        return;
      case "ruby":
        this.inlines(childOf(node, "ruby-base") ?? node, look, to);
        return;
      default:
        this.inlines(node, look, to);
    }
  }

  private note(node: XmlNode, inline: Inline): void {
    const { notes } = this.document;
    const id = `n${notes.length + 1}`;
    const label = xmlText(childOf(node, "note-citation")).trim() || String(notes.length + 1);
    const note: Note = { id, label, html: "" };
    notes.push(note);
    const body = childOf(node, "note-body");
    if (body) note.html = this.read(body).toString();
    inline.html(noteReference(note));
  }

  /** A picture or formula in the text; a text box goes behind the paragraph. */
  private inlineFrame(node: XmlNode, look: Look, to: { inline: Inline; after: Blocks }): void {
    const { image, math, box } = this.frameParts(node);
    if (math) to.inline.html(math);
    else if (image) to.inline.html(image, look.href ? { href: look.href } : {});
    if (box) this.read(box, to.after);
    for (const child of nodesOf(node, "p")) this.block(child, to.after);
  }

  private frame(node: XmlNode, blocks: Blocks): void {
    const { image, math, box } = this.frameParts(node);
    if (math) blocks.paragraph(math);
    else if (image) blocks.paragraph(image);
    if (box) this.read(box, blocks);
    const table = childOf(node, "table");
    if (table) blocks.raw(this.table(table));
  }

  private frameParts(node: XmlNode): { image?: string; math?: string; box?: XmlNode } {
    const object = childOf(node, "object");
    const name = (object && attributeOf(object, "href"))?.replace(/^\.?\//, "");
    const root = (object && childOf(object, "math") && object) ?? (name ? this.document.object(name) : undefined);
    const formula = findNode(root, "math");
    if (formula) return { math: mathHtml(formula) };
    const picture = childOf(node, "image");
    const box = childOf(node, "text-box");
    const alt = xmlText(childOf(node, "desc")).trim() || xmlText(childOf(node, "title")).trim();
    const href = picture && attributeOf(picture, "href");
    const source = href && (/^https?:/i.test(href) ? href : this.document.pictures.source(href.replace(/^\.?\//, "")));
    const image = source
      ? `<img alt="${escapeHtml(alt)}" src="${escapeHtml(source)}">`
      : picture && alt
        ? escapeHtml(alt)
        : undefined;
    return { ...(image ? { image } : {}), ...(box ? { box } : {}) };
  }

  list(node: XmlNode, blocks: Blocks, depth: number, outer: string | undefined): void {
    if (depth > maxDepth) return;
    const style = attributeOf(node, "style-name") ?? outer;
    const isOrdered = this.document.styles.isNumbered(style, depth);
    const key = `${style}:${depth}`;
    const continues =
      attributeOf(node, "continue-numbering") === "true" || attributeOf(node, "continue-list") !== undefined;
    let number = continues ? (this.counts.get(key) ?? 0) : this.document.styles.startOf(style, depth) - 1;
    for (const item of nodesOf(node)) {
      if (item.name !== "list-item" && item.name !== "list-header") continue;
      const start = attributeOf(item, "start-value");
      if (item.name === "list-item") number = start === undefined ? number + 1 : Number(start) || number + 1;
      this.item(item, blocks, { depth, style, isOrdered, number });
    }
    this.counts.set(key, number);
  }

  private item(
    item: XmlNode,
    blocks: Blocks,
    {
      depth,
      style,
      isOrdered,
      number,
    }: { depth: number; style: string | undefined; isOrdered: boolean; number: number },
  ): void {
    let hasText = false;
    for (const child of nodesOf(item)) {
      if (child.name === "list") this.list(child, blocks, depth + 1, style);
      else if (child.name === "h" && !hasText) {
        // Numbered headings are in lists.
        this.block(child, blocks);
      } else if (child.name === "p" || child.name === "h") {
        const after = new Blocks();
        const paragraph = this.document.styles.find("paragraph", attributeOf(child, "style-name"));
        const html = this.content(child, paragraph, after).inline.toString();
        if (!hasText) blocks.item({ depth: Math.min(depth, 8), isOrdered, number, html });
        else if (html !== "") blocks.continueItem(`<p>${html}</p>`);
        hasText = true;
        if (!after.isEmpty) blocks.continueItem(after.toString());
      } else blocks.continueItem(this.read({ name: "", attributes: {}, children: [child] }).toString());
    }
  }

  table(table: XmlNode): string {
    if (this.depth > maxDepth) return "";
    this.depth += 1;
    const rows: Cell[][] = [];
    let headRows = 0;
    const visit = (node: XmlNode, isHead: boolean) => {
      for (const child of nodesOf(node)) {
        if (rows.length >= maxRows) return;
        if (child.name === "table-row") {
          const cells = this.row(child);
          const repeats = Number(attributeOf(child, "number-rows-repeated") ?? 1) || 1;
          const isBlank = cells.every(({ html }) => html === "");
          for (let count = 0; count < (isBlank ? 1 : Math.min(repeats, 1000)); count += 1) rows.push(cells);
          if (isHead) headRows = rows.length;
        } else if (child.name === "table-header-rows") visit(child, true);
        else if (/^table-(?:rows|row-group)$/.test(child.name)) visit(child, isHead);
      }
    };
    visit(table, false);
    this.depth -= 1;
    return tableHtml(rows, headRows);
  }

  private row(row: XmlNode): Cell[] {
    const cells: Cell[] = [];
    for (const cell of nodesOf(row, "table-cell")) {
      const html = this.cell(cell);
      const made = {
        html,
        columns: Math.min(maxColumns, Number(attributeOf(cell, "number-columns-spanned") ?? 1) || 1),
        rows: Number(attributeOf(cell, "number-rows-spanned") ?? 1) || 1,
      };
      const repeats = Math.min(maxColumns, Number(attributeOf(cell, "number-columns-repeated") ?? 1) || 1);
      for (let count = 0; count < repeats && cells.length < maxColumns; count += 1) cells.push(made);
    }
    return cells;
  }

  private cell(cell: XmlNode): string {
    const html = this.read(cell).toString();
    const [, only] = /^<p>((?:(?!<\/?p>).)*)<\/p>$/s.exec(html) ?? [];
    return only ?? html;
  }
}

function lookOf({ isBold, isItalic, isStruck, script, isCode }: OpenStyle, outer: Look): Look {
  return {
    ...outer,
    ...(isBold === undefined ? {} : { isBold: isBold || undefined }),
    ...(isItalic === undefined ? {} : { isItalic: isItalic || undefined }),
    ...(isStruck === undefined ? {} : { isStruck: isStruck || undefined }),
    ...(script === undefined ? {} : { script }),
    ...(isCode === undefined ? {} : { isCode: isCode || undefined }),
  };
}

/** Only the elements and texts of MathML. */
function mathHtml(node: XmlNode): string {
  const write = (each: XmlNode): string =>
    each.children
      .map((child) => {
        if (!isNode(child)) return escapeHtml(child);
        const encoding = attributeOf(child, "encoding");
        const attributes = encoding ? ` encoding="${escapeHtml(encoding)}"` : "";
        // StarMath is another language than TeX: the formula itself is read.
        if (child.name === "annotation" && !/tex/i.test(encoding ?? "")) return "";
        return /^[a-z-]+$/.test(child.name)
          ? `<${child.name}${attributes}>${write(child)}</${child.name}>`
          : write(child);
      })
      .join("");
  return `<math>${write(node)}</math>`;
}

export function readOdt(bytes: Uint8Array): ParsedFile {
  const { content, document, facts } = openFile(bytes);
  const text = findNode(findNode(content, "body"), "text");
  if (!text) throw new FileFault("broken", "The file has no text");
  const html = new TextBody(document).read(text).toString();
  const body = html + notesSection(document.notes) + commentsSection(document.comments);
  return parsedFile(body, facts, document.pictures.warnings());
}
