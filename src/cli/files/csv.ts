// Pages as rows of a table.
import type { Document } from "../../contract/index.ts";

const columns: Record<string, (document: Document) => unknown> = {
  url: ({ metadata }) => metadata.sourceURL ?? metadata.url,
  title: ({ metadata }) => metadata.title,
  description: ({ metadata }) => metadata.description,
  language: ({ metadata }) => metadata.language,
  statusCode: ({ metadata }) => metadata.statusCode,
  markdown: ({ markdown }) => markdown,
};

export const csvHead = `${Object.keys(columns).join(",")}\r\n`;

export function csvRow(document: Document): string {
  return `${Object.values(columns)
    .map((read) => cell(String(read(document) ?? "")))
    .join(",")}\r\n`;
}

/** A page must not become a formula of the spreadsheet that opens the file. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
