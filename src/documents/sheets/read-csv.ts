// Values separated by commas, semicolons, tabs or bars -> a table.

import { decodeBytes } from "../../detection/index.ts";
import { FileFault, type ParsedFile } from "../file/file-reading.ts";
import { parsedFile } from "../html/document-html.ts";
import { CellBudget, maxCells, type SheetCell, sheetTable } from "./sheet-table.ts";

const separators = [",", ";", "\t", "|"];
const maxColumns = 2000;

export function readCsv(bytes: Uint8Array): ParsedFile {
  return readValues(bytes, null);
}

export function readTsv(bytes: Uint8Array): ParsedFile {
  return readValues(bytes, "\t");
}

function readValues(bytes: Uint8Array, given: string | null): ParsedFile {
  const text = decodeBytes(bytes).text;
  if (text.trim() === "") throw new FileFault("empty", "The file has no values");
  const said = /^sep=(.)\r?\n/.exec(text);
  const body = said ? text.slice(said[0].length) : text;
  const { rows, isCut } = split(body, given ?? said?.[1] ?? likelySeparator(body));
  const budget = new CellBudget();
  const table = sheetTable(rows, [], budget);
  const warnings = isCut || budget.isSpent ? [`The file has more than ${maxCells} cells; the rest was left out`] : [];
  return parsedFile(table, {}, warnings);
}

/** The one that splits the first lines into the same number of values, and into the most. */
function likelySeparator(text: string): string {
  const sample = text.slice(0, 20_000);
  let best = ",";
  let bestScore = 0;
  for (const separator of separators) {
    const widths = split(sample, separator)
      .rows.slice(0, 20)
      .map((row) => row.length);
    const usual = widths[0] ?? 1;
    const same = widths.filter((width) => width === usual).length / Math.max(1, widths.length);
    const score = usual > 1 ? same * Math.min(usual, 20) : 0;
    if (score > bestScore) {
      best = separator;
      bestScore = score;
    }
  }
  return best;
}

function split(text: string, separator: string): { rows: SheetCell[][]; isCut: boolean } {
  const rows: SheetCell[][] = [];
  let row: SheetCell[] = [];
  let count = 0;
  let at = 0;
  const push = (value: string) => {
    if (row.length < maxColumns) row.push({ text: value });
    count += 1;
  };
  while (at < text.length && count <= maxCells) {
    let value: string;
    if (text[at] === '"') {
      const closed = quotedEnd(text, at);
      value = text.slice(at + 1, closed).replaceAll('""', '"');
      at = closed + 1;
      // Whatever is between the closing quote and the separator belongs to the value.
      const rest = plainEnd(text, at, separator);
      value += text.slice(at, rest);
      at = rest;
    } else {
      const end = plainEnd(text, at, separator);
      value = text.slice(at, end);
      at = end;
    }
    push(value);
    if (text[at] === separator) {
      at += 1;
      if (at >= text.length) push("");
      continue;
    }
    if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
    at += 1;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return { rows, isCut: at < text.length };
}

function plainEnd(text: string, from: number, separator: string): number {
  let at = from;
  while (at < text.length && text[at] !== separator && text[at] !== "\n" && text[at] !== "\r") at += 1;
  return at;
}

function quotedEnd(text: string, from: number): number {
  let at = text.indexOf('"', from + 1);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at === -1 ? text.length : at;
}
