// Pages as rows of a table.
import { csvLine } from "../../base/index.ts";
import type { Document } from "../../contract/index.ts";

const columns: Record<string, (document: Document) => unknown> = {
  url: ({ metadata }) => metadata.sourceURL ?? metadata.url,
  title: ({ metadata }) => metadata.title,
  description: ({ metadata }) => metadata.description,
  language: ({ metadata }) => metadata.language,
  statusCode: ({ metadata }) => metadata.statusCode,
  markdown: ({ markdown }) => markdown,
};

export const csvHead = csvLine(Object.keys(columns));

export function csvRow(document: Document): string {
  return csvLine(Object.values(columns).map((read) => String(read(document) ?? "")));
}
