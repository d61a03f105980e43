// Word documents (docx, docm) -> HTML. Tracked changes are accepted; macros are never looked at.

import { FileFault, type ParsedFile } from "../file/file-reading.ts";
import {
  type Cell,
  cellContent,
  commentsSection,
  notesSection,
  Pictures,
  parsedFile,
  tableHtml,
} from "../html/document-html.ts";
import { Blocks } from "../html/html-blocks.ts";
import { openZip } from "../packages/containers.ts";
import { chosenAlternative, numberOf, OfficePackage } from "../packages/opc.ts";
import { attributeOf, childOf, descend, findNode, isOn, nodesOf, valueIn, type XmlNode } from "../packages/xml.ts";
import { RunReader } from "./runs.ts";
import { Numbering, type Style, Styles, type WordDocument } from "./word-document.ts";

const maxTableDepth = 20;

export class WordBody {
  private readonly document: WordDocument;
  private readonly runs: RunReader;
  private tableDepth = 0;

  constructor(document: WordDocument) {
    this.document = document;
    this.runs = new RunReader(document);
  }

  read(node: XmlNode | undefined, blocks: Blocks = new Blocks()): Blocks {
    for (const child of nodesOf(node)) this.block(child, blocks);
    return blocks;
  }

  private block(node: XmlNode, blocks: Blocks): void {
    const { name } = node;
    if (name === "p") this.paragraph(node, blocks);
    else if (name === "tbl") blocks.raw(this.table(node));
    else if (name === "sdt") this.read(childOf(node, "sdtContent"), blocks);
    else if (name === "AlternateContent") this.read(chosenAlternative(node), blocks);
    else if (name === "oMathPara" || name === "oMath")
      this.paragraph({ name: "p", attributes: {}, children: [node] }, blocks);
    else if (!/^(?:sectPr|del|moveFrom)$/.test(name)) this.read(node, blocks);
  }

  private paragraph(node: XmlNode, blocks: Blocks): void {
    const properties = childOf(node, "pPr");
    const { styles } = this.document;
    const style = styles.find(valueIn(properties, "pStyle")) ?? styles.paragraphDefault;
    const { inline, plain, isCode, boxes } = this.runs.read(node, style);
    const level = headingLevel(style, properties);
    const isMono = isCode && plain.trim() !== "";
    if (level !== null) blocks.heading(level, inline.toString());
    else if (style?.isCode) blocks.code(plain);
    else this.text(properties, style, blocks, { html: inline.toString(), isEmpty: inline.isEmpty, isMono, plain });
    for (const box of boxes) blocks.raw(this.read(box).toString());
  }

  private text(
    properties: XmlNode | undefined,
    style: Style | undefined,
    blocks: Blocks,
    { html, isEmpty, isMono, plain }: { html: string; isEmpty: boolean; isMono: boolean; plain: string },
  ): void {
    const numbering = childOf(properties, "numPr");
    const numberId = valueIn(numbering, "numId") ?? style?.numberId;
    const depth = Math.min(8, Math.max(0, numberOf(childOf(numbering, "ilvl"), "val") ?? style?.numberLevel ?? 0));
    if (isEmpty) return;
    const item = numberId === undefined ? null : this.document.numbering.next(numberId, depth);
    if (item) {
      blocks.item({ depth, ...item, html });
      return;
    }
    // A paragraph of a list's style without a mark goes on with the item before it.
    const isListed = numberId === "0" || /^(?:list ?(?:paragraph|continue)|listenabsatz)/i.test(style?.name ?? "");
    if (isListed && !isMono && indentOf(properties) > 0 && blocks.continueItem(`<p>${html}</p>`)) return;
    if (isMono) blocks.code(plain);
    else if (style?.isQuote) blocks.quote(html);
    else if (style?.isTitle) blocks.heading(1, html);
    else blocks.paragraph(html);
  }

  private table(table: XmlNode): string {
    if (this.tableDepth >= maxTableDepth) return "";
    this.tableDepth += 1;
    const rows: Cell[][] = [];
    /** The cell that reaches down into each column. */
    const above = new Map<number, Cell>();
    let headRows = 0;
    for (const row of partsOf(table, "tr")) {
      const properties = childOf(row, "trPr");
      if (childOf(properties, "del")) continue;
      if (isOn(childOf(properties, "tblHeader")) && headRows === rows.length) headRows += 1;
      rows.push(this.row(row, above));
    }
    this.tableDepth -= 1;
    const look = descend(table, "tblPr", "tblLook");
    const hasFirst =
      attributeOf(look, "firstRow") === "1" || (Number.parseInt(attributeOf(look, "val") ?? "", 16) & 0x20) !== 0;
    if (headRows === 0 && hasFirst && rows.length > 1) headRows = 1;
    return tableHtml(rows, headRows);
  }

  private row(row: XmlNode, above: Map<number, Cell>): Cell[] {
    const cells: Cell[] = [];
    let column = numberOf(childOf(childOf(row, "trPr"), "gridBefore"), "val") ?? 0;
    if (column > 0) cells.push({ html: "", columns: column, rows: 1 });
    for (const cell of partsOf(row, "tc")) {
      const properties = childOf(cell, "tcPr");
      const columns = Math.min(100, Math.max(1, numberOf(childOf(properties, "gridSpan"), "val") ?? 1));
      const merge = childOf(properties, "vMerge");
      const reaching = above.get(column);
      if (merge && (attributeOf(merge, "val") ?? "continue") === "continue" && reaching) reaching.rows += 1;
      else {
        const made: Cell = { html: cellContent(this.read(cell).toString()), columns, rows: 1 };
        cells.push(made);
        if (merge) above.set(column, made);
        else above.delete(column);
      }
      column += columns;
    }
    return cells;
  }
}

function headingLevel(style: Style | undefined, properties: XmlNode | undefined): number | null {
  const own = numberOf(childOf(properties, "outlineLvl"), "val");
  if (own !== undefined) return own < 9 ? own + 1 : null;
  return style?.headingLevel ?? null;
}

function indentOf(properties: XmlNode | undefined): number {
  const indent = childOf(properties, "ind");
  return numberOf(indent, "left") ?? numberOf(indent, "start") ?? 1;
}

/** Rows and cells of a table; they may be in controls and in insertions. */
function partsOf(node: XmlNode, name: "tr" | "tc"): XmlNode[] {
  return nodesOf(node).flatMap((part) => {
    if (part.name === name) return [part];
    return /^(?:sdt|sdtContent|customXml|ins|moveTo)$/.test(part.name) ? partsOf(part, name) : [];
  });
}

const maxNotes = 10_000;

export function readDocx(bytes: Uint8Array): ParsedFile {
  const file = new OfficePackage(openZip(bytes));
  const main = file.mainPart("word/document.xml");
  const body = findNode(file.part(main), "body");
  if (!body) throw new FileFault("broken", "The document has no body");
  const relations = file.relationsOf(main);
  const related = (type: string) => {
    const part = file.related(relations, type);
    return part === undefined ? undefined : file.partIfReadable(part);
  };
  const pictures = new Pictures(file.zip);
  const document: WordDocument = {
    file,
    styles: new Styles(related("styles")),
    numbering: new Numbering(related("numbering")),
    relations,
    footnotes: byId(related("footnotes"), "footnotes", "footnote"),
    endnotes: byId(related("endnotes"), "endnotes", "endnote"),
    comments: byId(related("comments"), "comments", "comment"),
    notes: [],
    pictures,
  };
  const reader = new WordBody(document);
  const text = reader.read(body).toString();
  const notes = readNotes(document, file, relations);
  const comments = [...document.comments.values()].map((comment) => ({
    author: attributeOf(comment, "author") ?? "",
    html: reader.read(comment).toString(),
  }));
  const edges = readEdges(document, file);
  const html = `${edges.head}${text}${notesSection(notes)}${commentsSection(comments)}${edges.foot}`;
  return parsedFile(html, file.facts(), pictures.warnings());
}

function byId(root: XmlNode | undefined, list: string, name: string): Map<string, XmlNode> {
  const found = new Map<string, XmlNode>();
  for (const node of nodesOf(childOf(root, list), name)) {
    const type = attributeOf(node, "type");
    if (type === undefined || type === "normal") found.set(attributeOf(node, "id") ?? "", node);
  }
  return found;
}

/** A note may refer to further notes, so the list grows while it is read. */
function readNotes(document: WordDocument, file: OfficePackage, relations: WordDocument["relations"]) {
  const { notes } = document;
  for (let index = 0; index < Math.min(notes.length, maxNotes); index += 1) {
    const note = notes[index] as (typeof notes)[number];
    const isFoot = note.id.startsWith("f");
    const source = (isFoot ? document.footnotes : document.endnotes).get(note.id.slice(1));
    const part = file.related(relations, isFoot ? "footnotes" : "endnotes");
    const own = part === undefined ? document : { ...document, relations: file.relationsOf(part) };
    note.html = source ? new WordBody(own).read(source).toString() : "";
  }
  return notes;
}

/** Running heads and feet: each text once, beside the main content. */
function readEdges(document: WordDocument, file: OfficePackage): { head: string; foot: string } {
  const read = (type: string, tag: string) => {
    const texts = new Set<string>();
    for (const relation of document.relations.values()) {
      if (relation.type !== type || relation.isExternal || texts.size > 20) continue;
      const root = file.partIfReadable(relation.target);
      const edge = root && (childOf(root, "hdr") ?? childOf(root, "ftr"));
      if (!edge) continue;
      const own = { ...document, relations: file.relationsOf(relation.target) };
      const html = new WordBody(own).read(edge).toString();
      if (html !== "") texts.add(html);
    }
    return texts.size > 0 ? `<${tag}>${[...texts].join("")}</${tag}>` : "";
  };
  return { head: read("header", "header"), foot: read("footer", "footer") };
}
