// OpenDocument texts (odt) -> HTML: paragraphs, lists and tables. Tracked changes are accepted.

import type { ParsedFile } from "../file/file-reading.ts";
import {
  type Cell,
  cellContent,
  commentsSection,
  escapeHtml,
  imageHtml,
  type Note,
  noteReference,
  notesSection,
  parsedFile,
  tableHtml,
} from "../html/document-html.ts";
import { Blocks, Inline, type Look } from "../html/html-blocks.ts";
import { attributeOf, childOf, findNode, isNode, nodesOf, type XmlNode, xmlText } from "../packages/xml.ts";
import { framePicture, innerPath, type OpenDocument, type OpenStyle, openFile, repeatsOf } from "./open-file.ts";

/** Elements that repeat other parts of the document, and elements without text. */
const indexes = /^(?:table-of-content|alphabetical-index|bibliography|illustration-index|table-index|user-index)$/;
const unread = /^(?:tracked-changes|forms|(?:sequence|variable|user-field)-decls|soft-page-break)$/;
const unreadInText =
  /^(?:annotation-end|change(?:-start|-end)?|bookmark(?:-start|-end)?|reference-mark-(?:start|end)|soft-page-break)$/;

/** A paragraph that is being written. What hangs on it as blocks goes into `after`. */
interface OpenParagraph {
  inline: Inline;
  plain: string;
  after: Blocks;
}

interface OpenItem {
  depth: number;
  style: string | undefined;
  isOrdered: boolean;
  number: number;
}

const maxColumns = 500;
const maxRows = 20_000;
const maxRepeats = 1000;
const maxDepth = 40;

export class TextBody {
  private readonly document: OpenDocument;
  private depth = 0;
  /** The last number of each list that can be continued. */
  private readonly counts = new Map<string, number>();

  constructor(document: OpenDocument) {
    this.document = document;
  }

  read(node: XmlNode | undefined, blocks: Blocks = new Blocks()): Blocks {
    for (const child of nodesOf(node)) this.block(child, blocks);
    return blocks;
  }

  private block(node: XmlNode, blocks: Blocks): void {
    const { name } = node;
    if (name === "p") this.paragraph(node, blocks);
    else if (name === "h") {
      const { inline } = this.content(node, {}, blocks);
      blocks.heading(Number(attributeOf(node, "outline-level") ?? 1), inline.toString());
    } else if (name === "list") this.list(node, blocks, 0, undefined);
    else if (name === "table") {
      if (attributeOf(node, "display") !== "false") blocks.raw(this.table(node));
    } else if (name === "frame") this.frame(node, blocks);
    else if (indexes.test(name)) this.read(childOf(node, "index-body"), blocks);
    else if (!unread.test(name)) this.read(node, blocks);
  }

  private paragraph(node: XmlNode, blocks: Blocks): void {
    const style = this.document.styles.find("paragraph", attributeOf(node, "style-name"));
    const after: Blocks = new Blocks();
    const { inline, plain } = this.content(node, style, after);
    if (style.headingLevel !== undefined) blocks.heading(style.headingLevel, inline.toString());
    else if (style.isTitle) blocks.heading(1, inline.toString());
    else if (style.isCode) blocks.code(plain);
    else if (style.isQuote) blocks.quote(inline.toString());
    else if (!inline.isEmpty) blocks.paragraph(inline.toString());
    if (!after.isEmpty) blocks.raw(after.toString());
  }

  /** The content of one paragraph; what hangs on it as blocks goes into `after`. */
  content(node: XmlNode, style: OpenStyle, after: Blocks): OpenParagraph {
    const isHeading = node.name === "h" || style.headingLevel !== undefined || style.isTitle === true;
    const paragraph = { inline: new Inline(), plain: "", after };
    this.inlines(node, isHeading || style.isCode ? {} : lookOf(style, {}), paragraph);
    return paragraph;
  }

  private inlines(node: XmlNode, look: Look, to: OpenParagraph): void {
    for (const child of node.children) {
      if (isNode(child)) this.inlinePart(child, look, to);
      else write(child.replace(/[ \t\r\n]+/g, " "), look, to);
    }
  }

  private inlinePart(node: XmlNode, look: Look, to: OpenParagraph): void {
    const { name } = node;
    if (name === "span") {
      const style = this.document.styles.find("text", attributeOf(node, "style-name"));
      if (!style.isHidden) this.inlines(node, lookOf(style, look), to);
    } else if (name === "a") {
      const href = attributeOf(node, "href");
      this.inlines(node, href ? { ...look, href } : look, to);
    } else if (name === "s") write(" ".repeat(repeatsOf(node, "c", 200)), look, to);
    else if (name === "tab") write("\t", look, to);
    else if (name === "line-break") {
      to.inline.break();
      to.plain += "\n";
    } else if (name === "note") this.note(node, to.inline);
    else if (name === "annotation") {
      const children = nodesOf(node).filter((child) => child.name === "p" || child.name === "list");
      const html = this.read({ name: "", attributes: {}, children }).toString();
      this.document.comments.push({ author: xmlText(childOf(node, "creator")), html });
    } else if (name === "frame" || name === "g" || name === "custom-shape") this.inlineFrame(node, look, to);
    else if (name === "ruby") this.inlines(childOf(node, "ruby-base") ?? node, look, to);
    else if (!unreadInText.test(name)) this.inlines(node, look, to);
  }

  private note(node: XmlNode, inline: Inline): void {
    const { notes } = this.document;
    const id = `n${notes.length + 1}`;
    const label = xmlText(childOf(node, "note-citation")).trim() || String(notes.length + 1);
    const note: Note = { id, label, html: "" };
    notes.push(note);
    note.html = this.read(childOf(node, "note-body")).toString();
    inline.html(noteReference(note));
  }

  /** A picture or formula in the text; a text box goes behind the paragraph. */
  private inlineFrame(node: XmlNode, look: Look, to: OpenParagraph): void {
    const { image, math, box } = this.frameParts(node);
    if (math) to.inline.html(math);
    else if (image) to.inline.html(image, look.href ? { href: look.href } : {});
    if (box) this.read(box, to.after);
    for (const child of nodesOf(node, "p")) this.block(child, to.after);
  }

  private frame(node: XmlNode, blocks: Blocks): void {
    const { image, math, box } = this.frameParts(node);
    blocks.paragraph(math ?? image ?? "");
    if (box) this.read(box, blocks);
    const table = childOf(node, "table");
    if (table) blocks.raw(this.table(table));
  }

  private frameParts(node: XmlNode): { image?: string; math?: string; box?: XmlNode } {
    const object = childOf(node, "object");
    const name = innerPath(attributeOf(object, "href") ?? "");
    const root = childOf(object, "math") ? object : name === "" ? undefined : this.document.object(name);
    const formula = findNode(root, "math");
    if (formula) return { math: mathHtml(formula) };
    const box = childOf(node, "text-box");
    const { source, alt } = framePicture(node, this.document.pictures);
    const image = source ? imageHtml(source, alt) : childOf(node, "image") && escapeHtml(alt);
    return { ...(image ? { image } : {}), ...(box ? { box } : {}) };
  }

  private list(node: XmlNode, blocks: Blocks, depth: number, outer: string | undefined): void {
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

  private item(item: XmlNode, blocks: Blocks, { depth, style, isOrdered, number }: OpenItem): void {
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
          const isBlank = cells.every(({ html }) => html === "");
          const repeats = isBlank ? 1 : repeatsOf(child, "number-rows-repeated", maxRepeats);
          for (let count = 0; count < repeats; count += 1) rows.push(cells);
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
      const made = {
        html: cellContent(this.read(cell).toString()),
        columns: repeatsOf(cell, "number-columns-spanned", maxColumns),
        rows: repeatsOf(cell, "number-rows-spanned", Number.POSITIVE_INFINITY),
      };
      const repeats = repeatsOf(cell, "number-columns-repeated", maxColumns);
      for (let count = 0; count < repeats && cells.length < maxColumns; count += 1) cells.push(made);
    }
    return cells;
  }
}

function write(text: string, look: Look, to: OpenParagraph): void {
  to.inline.text(text, look);
  to.plain += text;
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
  const { body: text, document, facts } = openFile(bytes, "text");
  const html = new TextBody(document).read(text).toString();
  const body = html + notesSection(document.notes) + commentsSection(document.comments);
  return parsedFile(body, facts, document.pictures.warnings());
}
