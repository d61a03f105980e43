// A row for each document.

import type { Document } from "../../../contract/index.ts";
import { csvLine } from "../../../text/index.ts";
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
  yield csvLine(columns);
  for await (const document of documents) {
    const row = documentRow(document);
    yield csvLine(columns.map((name) => row[name]));
  }
}
