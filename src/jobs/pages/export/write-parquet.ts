// A row for each document, in groups that are written as soon as they are large enough.
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { Document } from "../../../contract/index.ts";
import { columns, type DocumentRow, documentRow } from "./document-row.ts";

/** A group ends with the first of both: it is what is in memory. */
const groupRows = 1000;
const groupBytes = 8 * 1024 * 1024;

export async function* writeParquet(documents: AsyncIterable<Document>): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  // Statistics would hold the first and the last text of every group.
  const writer = new ParquetWriter({ writer: bytes, schema: schema(), statistics: false });
  let rows: DocumentRow[] = [];
  let size = 0;

  async function writeGroup(): Promise<Uint8Array> {
    const columnData = columns.map(({ name }) => ({ name, data: rows.map((row) => row[name]), offsetIndex: false }));
    await writer.write({ columnData, rowGroupSize: rows.length });
    rows = [];
    size = 0;
    return take();
  }

  /** What was written since the last time. */
  function take(): Uint8Array {
    const written = Uint8Array.from(bytes.getBytes());
    bytes.index = 0;
    return written;
  }

  for await (const document of documents) {
    const row = documentRow(document);
    rows.push(row);
    size += row.json.length;
    if (rows.length >= groupRows || size >= groupBytes) yield await writeGroup();
  }
  if (rows.length > 0) yield await writeGroup();
  await writer.finish();
  yield take();
}

function schema() {
  return [
    { name: "root", num_children: columns.length },
    ...columns.map(({ name, type }) => ({
      name,
      type,
      repetition_type: name === "statusCode" ? ("OPTIONAL" as const) : ("REQUIRED" as const),
      ...(type === "BYTE_ARRAY" ? { converted_type: "UTF8" as const } : {}),
    })),
  ];
}
