// A document as a row of a table.
import { scalarText } from "../../../base/index.ts";
import type { Document } from "../../../contract/index.ts";

/** In their order, with their types in Parquet; texts that a document does not have are ''. `json`: the whole document. */
export const columns = [
  { name: "url", type: "BYTE_ARRAY" },
  { name: "sourceURL", type: "BYTE_ARRAY" },
  { name: "statusCode", type: "INT32" },
  { name: "unchanged", type: "BOOLEAN" },
  { name: "title", type: "BYTE_ARRAY" },
  { name: "description", type: "BYTE_ARRAY" },
  { name: "language", type: "BYTE_ARRAY" },
  { name: "markdown", type: "BYTE_ARRAY" },
  { name: "html", type: "BYTE_ARRAY" },
  { name: "json", type: "BYTE_ARRAY" },
] as const;

type ValueOf = { BYTE_ARRAY: string; INT32: number | null; BOOLEAN: boolean };
type Column = (typeof columns)[number];

export type DocumentRow = { [Each in Column as Each["name"]]: ValueOf[Each["type"]] };

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
