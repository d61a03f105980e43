// A row for each document.

import type { Document } from "../../../contract/index.ts";
import { csvLine } from "../../../text/index.ts";
import { columns, documentRow } from "./document-row.ts";

/** Without the whole document, which no spreadsheet has room for. */
const shown = columns.map(({ name }) => name).filter((name) => name !== "json");

export async function* writeCsv(documents: AsyncIterable<Document>): AsyncGenerator<string> {
  yield csvLine(shown);
  for await (const document of documents) {
    const row = documentRow(document);
    yield csvLine(shown.map((name) => row[name]));
  }
}
