// Excel workbooks (xlsx, xlsm, xlsb, xls) -> one table per sheet, with values as they are shown. Formulas are never computed: the
// file holds their last values.

import xlsx from "@e965/xlsx";
import type { ZipArchive } from "../../zip/index.ts";
import { FileFault, type ParsedFile } from "../file/file-reading.ts";
import { commentsSection, escapeHtml, imageHtml, Pictures, parsedFile } from "../html/document-html.ts";
import { openZip } from "../packages/containers.ts";
import { OfficePackage } from "../packages/opc.ts";
import { attributeOf, findNode, findNodes, relationOf, type XmlNode, xmlText } from "../packages/xml.ts";
import { CellBudget, type Merge, maxCells, type SheetCell, sheetTable } from "./sheet-table.ts";

interface SheetDrawings {
  /** Pictures and text boxes of a sheet, as HTML; "" when it has none. */
  of(sheet: string): string;
  warnings(): string[];
}

function sheetDrawings(zip: ZipArchive | null): SheetDrawings {
  if (!zip?.names.some((name) => /^xl\/drawings\/[^/]+\.xml$/i.test(name))) return { of: () => "", warnings: () => [] };
  const file = new OfficePackage(zip);
  const pictures = new Pictures(zip);
  // The cells are read by others: drawings that cannot be read cost no more than themselves.
  const parts = attempt(() => sheetParts(file)) ?? new Map<string, string>();

  function read(part: string): string {
    const drawing = file.related(file.relationsOf(part), "drawing");
    if (drawing === undefined) return "";
    const relations = file.relationsOf(drawing);
    const content = file.part(drawing);
    const found = findNodes(content, "pic").map((picture) => {
      const relation = relations.get(relationOf(findNode(picture, "blip"), "embed") ?? "");
      const source = relation && !relation.isExternal ? pictures.source(relation.target) : null;
      const named = findNode(picture, "cNvPr");
      const alt = attributeOf(named, "descr") ?? attributeOf(named, "title");
      return source ? `<p>${imageHtml(source, alt)}</p>` : "";
    });
    return found.join("") + textBoxes(content);
  }

  return {
    of: (sheet) => {
      const part = parts.get(sheet);
      return (part !== undefined && attempt(() => read(part))) || "";
    },
    warnings: () => pictures.warnings(),
  };
}

function textBoxes(drawing: XmlNode | undefined): string {
  return findNodes(drawing, "txBody")
    .flatMap((body) => findNodes(body, "p"))
    .map((paragraph) => findNodes(paragraph, "t").map(xmlText).join("").trim())
    .map((text) => (text === "" ? "" : `<p>${escapeHtml(text)}</p>`))
    .join("");
}

/** Names of sheets -> their parts. */
function sheetParts(file: OfficePackage): Map<string, string> {
  const main = file.mainPart("xl/workbook.xml");
  // A binary workbook names its sheets elsewhere.
  if (!/\.xml$/i.test(main)) return new Map();
  const relations = file.relationsOf(main);
  return new Map(
    findNodes(file.part(main), "sheet").flatMap((sheet) => {
      const target = relations.get(relationOf(sheet) ?? "")?.target;
      return target === undefined ? [] : [[attributeOf(sheet, "name") ?? "", target] as const];
    }),
  );
}

function attempt<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch {
    return null;
  }
}

const maxRows = 100_000;
const maxColumns = 2000;
const maxSheets = 500;

interface Comment {
  author: string;
  html: string;
}

export function readWorkbook(bytes: Uint8Array): ParsedFile {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const zip = isZip ? openZip(bytes) : null;
  const book = open(bytes, zip);
  const drawings = sheetDrawings(zip);
  const budget = new CellBudget();
  const comments: Comment[] = [];
  const parts: string[] = [];
  let isLong = false;
  const states = book.Workbook?.Sheets ?? [];
  for (const [index, name] of book.SheetNames.slice(0, maxSheets).entries()) {
    const sheet = book.Sheets[name];
    if (!sheet || budget.isSpent) continue;
    const mark = states[index]?.Hidden ? " (hidden)" : "";
    const rows = rowsOf(sheet, comments, name);
    // Producers name areas that are larger than what is in them.
    if (sheet["!fullref"] !== undefined && rows.length >= maxRows) isLong = true;
    const table = sheetTable(rows, mergesOf(sheet), budget);
    parts.push(`<h2>${escapeHtml(name)}${mark}</h2>${table}${drawings.of(name)}`);
  }
  const cut = [
    ...(budget.isSpent ? [`The workbook has more than ${maxCells} cells; the rest was left out`] : []),
    ...(isLong ? [`A sheet has more than ${maxRows} rows; the rest was left out`] : []),
  ];
  const { Title: title, Author: author, CreatedDate, ModifiedDate } = book.Props ?? {};
  const facts = {
    title: title && String(title),
    author: author && String(author),
    createdAt: timeOf(CreatedDate),
    modifiedAt: timeOf(ModifiedDate),
  };
  const body = parts.join("") + commentsSection(comments);
  return parsedFile(body, facts, [...cut, ...drawings.warnings()]);
}

function timeOf(date: unknown): string | undefined {
  return date instanceof Date && Number.isFinite(date.getTime()) ? date.toISOString() : undefined;
}

const readOptions = {
  dense: true,
  cellFormula: false,
  cellHTML: false,
  cellText: true,
  bookVBA: false,
};

/** The library's way in for a container that is unpacked already; its types leave it out. */
const { parse_zip: readParts } = xlsx as unknown as {
  parse_zip(container: { FullPaths: string[]; FileIndex: object[] }, options: object): xlsx.WorkBook;
};

function open(bytes: Uint8Array, zip: ZipArchive | null): xlsx.WorkBook {
  // Unpacked within our bounds: the library has none, and some truncated files keep it in an endless loop.
  const parts = zip && unpack(zip);
  try {
    const options = { ...readOptions, sheetRows: parts ? neededRows(parts.FileIndex) : maxRows };
    return parts ? readParts(parts, options) : xlsx.read(bytes, { type: "buffer", ...options });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (/password|encrypt/i.test(message))
      throw new FileFault("encrypted", "The workbook is encrypted and needs a password");
    throw new FileFault("broken", `The workbook cannot be read: ${message.slice(0, 120)}`);
  }
}

function unpack(zip: ZipArchive) {
  const names = zip.names.filter((name) => /\.(?:xml|rels|bin|vml)$/i.test(name) && !/(?:^|\/)vbaProject/i.test(name));
  return {
    FullPaths: names,
    // 2: a file, as containers count.
    FileIndex: names.map((name) => ({ name, type: 2, content: zip.read(name) })),
  };
}

/** Blank rows above a table are read, but do not count among those that are shown. */
const extraRows = 1000;

/** Rows that can be shown of any sheet, by the width that the sheets say they have: more would be read for nothing. */
function neededRows(parts: readonly { name: string; content: Buffer | null }[]): number {
  const needed = parts
    .filter(({ name }) => /^xl\/worksheets\/[^/]+\.xml$/i.test(name))
    .map(({ content }) => {
      const [, area] = /<dimension ref="([A-Z0-9:$]{1,40})"/.exec(content?.toString("latin1", 0, 4096) ?? "") ?? [];
      if (area === undefined) return maxRows;
      const { s, e } = xlsx.utils.decode_range(area);
      return Math.ceil(maxCells / Math.max(1, e.c - s.c + 1)) + s.r + extraRows;
    });
  return needed.length === 0 ? maxRows : Math.min(maxRows, Math.max(...needed));
}

function rowsOf(sheet: xlsx.WorkSheet, comments: Comment[], name: string): SheetCell[][] {
  const data = (sheet["!data"] ?? []) as (xlsx.CellObject | undefined)[][];
  return data.map((row, rowIndex) =>
    (row ?? []).slice(0, maxColumns).map((cell, columnIndex) => {
      if (!cell) return { text: "" };
      for (const note of (cell.c ?? []) as { a?: string; t?: string }[]) {
        const place = `${name} ${xlsx.utils.encode_cell({ r: rowIndex, c: columnIndex })}`;
        if (note.t)
          comments.push({ author: note.a ?? "", html: `${escapeHtml(note.t.trim())} (${escapeHtml(place)})` });
      }
      const target = cell.l?.Target;
      return { text: textOf(cell), href: target && /^(?:https?|mailto):/i.test(target) ? target : undefined };
    }),
  );
}

/** As it is shown; errors by their names. */
function textOf(cell: xlsx.CellObject): string {
  if (cell.t === "z") return "";
  if (cell.w !== undefined) return cell.w;
  if (cell.v === undefined || cell.v === null) return "";
  return cell.t === "b" ? String(cell.v).toUpperCase() : String(cell.v);
}

function mergesOf(sheet: xlsx.WorkSheet): Merge[] {
  return (sheet["!merges"] ?? []).map(({ s, e }) => ({
    row: s.r,
    column: s.c,
    rows: e.r - s.r + 1,
    columns: Math.min(e.c - s.c + 1, maxColumns),
  }));
}
