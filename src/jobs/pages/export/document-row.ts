// A document as a row of a table.
import { scalarText } from "../../../base/index.ts";
import type { Document } from "../../../contract/index.ts";

/** The columns in their order; texts that a document does not have are ''. */
export interface DocumentRow {
  url: string;
  sourceURL: string;
  statusCode: number | null;
  unchanged: boolean;
  title: string;
  description: string;
  language: string;
  markdown: string;
  html: string;
  /** The whole document. */
  json: string;
}

export function documentRow(document: Document): DocumentRow {
  const { metadata, markdown = "", html = "" } = document;
  const text = (value: unknown) => scalarText(value) ?? "";
  return {
    url: metadata.url ?? "",
    sourceURL: metadata.sourceURL ?? "",
    statusCode: metadata.statusCode ?? null,
    unchanged: metadata.unchanged === true,
    title: text(metadata.title),
    description: text(metadata.description),
    language: text(metadata.language),
    markdown,
    html,
    json: JSON.stringify(document),
  };
}
