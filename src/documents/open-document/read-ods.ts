// OpenDocument spreadsheets (ods) -> one table a sheet: cells hold their values as they are shown.

import type { ParsedFile } from "../file/file-reading.ts";
import { commentsSection, escapeHtml, imageHtml, type Pictures, parsedFile } from "../html/document-html.ts";
import { attributeOf, childOf, findNode, findNodes, nodesOf, type XmlNode, xmlText } from "../packages/xml.ts";
import { CellBudget, type Merge, maxCells, type SheetCell, sheetTable } from "../sheets/sheet-table.ts";
import { framePicture, type OpenDocument, openFile, repeatsOf } from "./open-file.ts";

const maxRows = 100_000;
const maxColumns = 2000;
/** Rows and cells that repeat a value without end are how producers fill a sheet; blank ones count for nothing. */
const maxRepeats = 1000;

type Comments = OpenDocument["comments"];

export function readOds(bytes: Uint8Array): ParsedFile {
  const { body: book, content, document, facts } = openFile(bytes, "spreadsheet");
  const hidden = hiddenStyles(content);
  const budget = new CellBudget();
  const parts = nodesOf(book, "table").map((table) => {
    const { rows, merges } = readSheet(table, document.comments);
    const isHidden = hidden.has(attributeOf(table, "style-name") ?? "");
    const name = `<h2>${escapeHtml(attributeOf(table, "name") ?? "")}${isHidden ? " (hidden)" : ""}</h2>`;
    return name + sheetTable(rows, merges, budget) + picturesOn(table, document.pictures);
  });
  const cut = budget.isSpent ? [`The workbook has more than ${maxCells} cells; the rest was left out`] : [];
  const warnings = [...cut, ...document.pictures.warnings()];
  return parsedFile(parts.join("") + commentsSection(document.comments), facts, warnings);
}

/** Pictures lie on a sheet, not in its cells. */
function picturesOn(table: XmlNode, pictures: Pictures): string {
  const found = findNodes(table, "frame").map((frame) => framePicture(frame, pictures));
  return found.map(({ source, alt }) => (source ? `<p>${imageHtml(source, alt)}</p>` : "")).join("");
}

function hiddenStyles(content: XmlNode): Set<string> {
  const hidden = findNodes(content, "style").filter(
    (style) => attributeOf(childOf(style, "table-properties"), "display") === "false",
  );
  return new Set(hidden.map((style) => attributeOf(style, "name") ?? ""));
}

function readSheet(table: XmlNode, comments: Comments): { rows: SheetCell[][]; merges: Merge[] } {
  const rows: SheetCell[][] = [];
  const merges: Merge[] = [];
  const visit = (node: XmlNode) => {
    for (const child of nodesOf(node)) {
      if (rows.length >= maxRows) return;
      if (/^table-(?:header-rows|rows|row-group)$/.test(child.name)) visit(child);
      if (child.name !== "table-row") continue;
      const cells = readRow(child, rows.length, merges, comments);
      const isBlank = cells.every(({ text }) => text === "");
      const repeats = isBlank ? 1 : repeatsOf(child, "number-rows-repeated", maxRepeats);
      for (let count = 0; count < repeats && rows.length < maxRows; count += 1) rows.push(cells);
    }
  };
  visit(table);
  return { rows, merges };
}

function readRow(row: XmlNode, place: number, merges: Merge[], comments: Comments): SheetCell[] {
  const cells: SheetCell[] = [];
  for (const cell of nodesOf(row)) {
    if (cell.name !== "table-cell" && cell.name !== "covered-table-cell") continue;
    const made = readCell(cell, comments);
    const columns = repeatsOf(cell, "number-columns-spanned", maxColumns);
    const rows = repeatsOf(cell, "number-rows-spanned", maxRows);
    if (columns > 1 || rows > 1) merges.push({ row: place, column: cells.length, rows, columns });
    const repeats = repeatsOf(cell, "number-columns-repeated", maxRepeats);
    for (let count = 0; count < repeats && cells.length < maxColumns; count += 1) cells.push(made);
  }
  return cells;
}

function readCell(cell: XmlNode, comments: Comments): SheetCell {
  const note = childOf(cell, "annotation");
  if (note) {
    const text = nodesOf(note, "p").map(xmlText).join(" ").trim();
    comments.push({ author: xmlText(childOf(note, "creator")), html: escapeHtml(text) });
  }
  if (cell.name === "covered-table-cell") return { text: "" };
  const href = attributeOf(findNode(cell, "a"), "href");
  const text = nodesOf(cell, "p").map(xmlText).join("\n");
  return { text, ...(href && /^(?:https?|mailto):/i.test(href) ? { href } : {}) };
}
