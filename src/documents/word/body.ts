// Paragraphs and tables of a Word document -> blocks of HTML.
import { Blocks } from "../html/html-blocks.ts";
import { type Cell, tableHtml } from "../html/table-html.ts";
import { chosenAlternative, numberOf } from "../packages/opc.ts";
import { attributeOf, childOf, isNode, isOn, nodesOf, type XmlNode } from "../packages/xml.ts";
import { RunReader } from "./runs.ts";
import type { WordDocument } from "./word-document.ts";
import type { Style } from "./word-styles.ts";

const maxTableDepth = 20;

export class WordBody {
  private readonly document: WordDocument;
  private readonly runs: RunReader;
  private tableDepth = 0;

  constructor(document: WordDocument) {
    this.document = document;
    this.runs = new RunReader(document);
  }

  read(node: XmlNode, blocks: Blocks = new Blocks()): Blocks {
    for (const child of node.children) if (isNode(child)) this.block(child, blocks);
    return blocks;
  }

  private block(node: XmlNode, blocks: Blocks): void {
    switch (node.name) {
      case "p":
        this.paragraph(node, blocks);
        return;
      case "tbl":
        blocks.raw(this.table(node));
        return;
      case "sdt": {
        const content = childOf(node, "sdtContent");
        if (content) this.read(content, blocks);
        return;
      }
      case "AlternateContent": {
        const chosen = chosenAlternative(node);
        if (chosen) this.read(chosen, blocks);
        return;
      }
      case "oMathPara":
      case "oMath":
        this.paragraph({ name: "p", attributes: {}, children: [node] }, blocks);
        return;
      case "sectPr":
      case "del":
      case "moveFrom":
        return;
      default:
        this.read(node, blocks);
    }
  }

  private paragraph(node: XmlNode, blocks: Blocks): void {
    const properties = childOf(node, "pPr");
    const styleNode = childOf(properties, "pStyle");
    const style =
      this.document.styles.find(styleNode && attributeOf(styleNode, "val")) ?? this.document.styles.paragraphDefault;
    const { inline, plain, isCode, boxes } = this.runs.read(node, style);
    const level = headingLevel(style, properties);
    const isMono = isCode && plain.trim() !== "";
    if (level !== null) blocks.heading(level, inline.toString());
    else if (style?.isCode) for (const line of plain.split("\n")) blocks.codeLine(line);
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
    const numberNode = childOf(numbering, "numId");
    const numberId = (numberNode && attributeOf(numberNode, "val")) ?? style?.numberId;
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
    if (isMono) for (const line of plain.split("\n")) blocks.codeLine(line);
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
    for (const row of rowsOf(table)) {
      const properties = childOf(row, "trPr");
      if (childOf(properties, "del")) continue;
      if (isOn(childOf(properties, "tblHeader")) && headRows === rows.length) headRows += 1;
      rows.push(this.row(row, above));
    }
    this.tableDepth -= 1;
    const look = childOf(childOf(table, "tblPr"), "tblLook");
    const hasFirst =
      look &&
      (attributeOf(look, "firstRow") === "1" || (Number.parseInt(attributeOf(look, "val") ?? "", 16) & 0x20) !== 0);
    if (headRows === 0 && hasFirst && rows.length > 1) headRows = 1;
    return tableHtml(rows, headRows);
  }

  private row(row: XmlNode, above: Map<number, Cell>): Cell[] {
    const cells: Cell[] = [];
    let column = numberOf(childOf(childOf(row, "trPr"), "gridBefore"), "val") ?? 0;
    if (column > 0) cells.push({ html: "", columns: column, rows: 1 });
    for (const cell of cellsOf(row)) {
      const properties = childOf(cell, "tcPr");
      const columns = Math.min(100, Math.max(1, numberOf(childOf(properties, "gridSpan"), "val") ?? 1));
      const merge = childOf(properties, "vMerge");
      const reaching = above.get(column);
      if (merge && (attributeOf(merge, "val") ?? "continue") === "continue" && reaching) reaching.rows += 1;
      else {
        const made: Cell = { html: this.cell(cell), columns, rows: 1 };
        cells.push(made);
        if (merge) above.set(column, made);
        else above.delete(column);
      }
      column += columns;
    }
    return cells;
  }

  private cell(cell: XmlNode): string {
    const html = this.read(cell).toString();
    const [, only] = /^<p>((?:(?!<\/?p>).)*)<\/p>$/s.exec(html) ?? [];
    return only ?? html;
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

/** Rows may be in controls and in insertions. */
function rowsOf(table: XmlNode): XmlNode[] {
  return nodesOf(table).flatMap((node) => {
    if (node.name === "tr") return [node];
    return /^(?:sdt|sdtContent|customXml|ins|moveTo)$/.test(node.name) ? rowsOf(node) : [];
  });
}

function cellsOf(row: XmlNode): XmlNode[] {
  return nodesOf(row).flatMap((node) => {
    if (node.name === "tc") return [node];
    return /^(?:sdt|sdtContent|customXml|ins|moveTo)$/.test(node.name) ? cellsOf(node) : [];
  });
}
