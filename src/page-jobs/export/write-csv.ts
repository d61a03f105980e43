// A row for each document, by RFC 4180: fields in quotes where they need it, lines that end in CR LF.
import type { Document } from "../../contract/index.ts";
import { type DocumentRow, documentRow } from "./document-row.ts";

/** Without the whole document, which no spreadsheet has room for. */
const columns = [
  "url",
  "sourceURL",
  "statusCode",
  "unchanged",
  "title",
  "description",
  "language",
  "markdown",
  "html",
] as const satisfies readonly (keyof DocumentRow)[];

export async function* writeCsv(documents: AsyncIterable<Document>): AsyncGenerator<string> {
  yield `${columns.join(",")}\r\n`;
  for await (const document of documents) {
    const row = documentRow(document);
    yield `${columns.map((name) => field(row[name])).join(",")}\r\n`;
  }
}

function field(value: string | number | boolean | null): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const text = isFormula(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Spreadsheets run what begins so, and pages are written by anybody. A list of markdown begins with a dash and a space. */
function isFormula(text: string): boolean {
  return /^[=+@\t\r]|^-[^\s-]/.test(text);
}
