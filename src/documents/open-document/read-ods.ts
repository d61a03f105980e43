// OpenDocument spreadsheets (ods) -> one table a sheet: cells hold their values as they are shown.

import { FileFault, type ParsedFile } from "../file/file-reading.ts";
import { commentsSection, escapeHtml, type Pictures, parsedFile } from "../html/document-html.ts";
import { attributeOf, childOf, findNode, findNodes, nodesOf, type XmlNode, xmlText } from "../packages/xml.ts";
import { CellBudget, type Merge, maxCells, type SheetCell, sheetTable } from "../sheets/sheet-table.ts";
import { openFile } from "./open-file.ts";

const maxRows = 100_000;
const maxColumns = 2000;
/** Rows and cells that repeat a value without end are how producers fill a sheet; blank ones count for nothing. */
const maxRepeats = 1000;

interface Comment {
  author: string;
  html: string;
}

export function readOds(bytes: Uint8Array): ParsedFile {
  const { content, document, facts } = openFile(bytes);
  const book = findNode(findNode(content, "body"), "spreadsheet");
  if (!book) throw new FileFault("broken", "The file has no sheets");
  const hidden = hiddenStyles(content);
  const budget = new CellBudget();
  const comments: Comment[] = [...document.comments];
  const parts = nodesOf(book, "table").map((table) => {
    const { rows, merges } = readSheet(table, comments);
    const isHidden = hidden.has(attributeOf(table, "style-name") ?? "");
    const name = `<h2>${escapeHtml(attributeOf(table, "name") ?? "")}${isHidden ? " (hidden)" : ""}</h2>`;
    return name + sheetTable(rows, merges, budget) + picturesOn(table, document.pictures);
  });
  const cut = budget.isSpent ? [`The workbook has more than ${maxCells} cells; the rest was left out`] : [];
  const warnings = [...cut, ...document.pictures.warnings()];
  return parsedFile(parts.join("") + commentsSection(comments), facts, warnings);
}

/** Pictures lie on a sheet, not in its cells. */
function picturesOn(table: XmlNode, pictures: Pictures): string {
  return findNodes(table, "frame")
    .map((frame) => {
      const image = childOf(frame, "image");
      const source = image && pictures.source((attributeOf(image, "href") ?? "").replace(/^\.?\//, ""));
      const alt = xmlText(childOf(frame, "desc")).trim() || xmlText(childOf(frame, "title")).trim();
      return source ? `<p><img alt="${escapeHtml(alt)}" src="${escapeHtml(source)}"></p>` : "";
    })
    .join("");
}

function hiddenStyles(content: XmlNode): Set<string> {
  const hidden = findNodes(content, "style").filter((style) => {
    const properties = childOf(style, "table-properties");
    return properties !== undefined && attributeOf(properties, "display") === "false";
  });
  return new Set(hidden.map((style) => attributeOf(style, "name") ?? ""));
}

function readSheet(table: XmlNode, comments: Comment[]): { rows: SheetCell[][]; merges: Merge[] } {
  const rows: SheetCell[][] = [];
  const merges: Merge[] = [];
  const visit = (node: XmlNode) => {
    for (const child of nodesOf(node)) {
      if (rows.length >= maxRows) return;
      if (/^table-(?:header-rows|rows|row-group)$/.test(child.name)) visit(child);
      if (child.name !== "table-row") continue;
      const cells = readRow(child, rows.length, merges, comments);
      const repeats = repeatsOf(child, "number-rows-repeated");
      const isBlank = cells.every(({ text }) => text === "");
      for (let count = 0; count < (isBlank ? 1 : repeats) && rows.length < maxRows; count += 1) rows.push(cells);
    }
  };
  visit(table);
  return { rows, merges };
}

function readRow(row: XmlNode, place: number, merges: Merge[], comments: Comment[]): SheetCell[] {
  const cells: SheetCell[] = [];
  for (const cell of nodesOf(row)) {
    if (cell.name !== "table-cell" && cell.name !== "covered-table-cell") continue;
    const made = readCell(cell, comments);
    const columns = Math.min(maxColumns, Number(attributeOf(cell, "number-columns-spanned") ?? 1) || 1);
    const rows = Math.min(maxRows, Number(attributeOf(cell, "number-rows-spanned") ?? 1) || 1);
    if (columns > 1 || rows > 1) merges.push({ row: place, column: cells.length, rows, columns });
    const repeats = repeatsOf(cell, "number-columns-repeated");
    for (let count = 0; count < repeats && cells.length < maxColumns; count += 1) cells.push(made);
  }
  return cells;
}

function readCell(cell: XmlNode, comments: Comment[]): SheetCell {
  const note = childOf(cell, "annotation");
  if (note) {
    const text = nodesOf(note, "p").map(xmlText).join(" ").trim();
    comments.push({ author: xmlText(childOf(note, "creator")), html: escapeHtml(text) });
  }
  if (cell.name === "covered-table-cell") return { text: "" };
  const link = findNode(cell, "a");
  const href = link && attributeOf(link, "href");
  const text = nodesOf(cell, "p").map(xmlText).join("\n");
  return { text, ...(href && /^(?:https?|mailto):/i.test(href) ? { href } : {}) };
}

function repeatsOf(node: XmlNode, name: string): number {
  return Math.min(maxRepeats, Number(attributeOf(node, name) ?? 1) || 1);
}
