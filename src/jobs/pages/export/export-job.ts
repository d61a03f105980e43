// The documents of a job that has ended, as one file that is made while it is sent: however many there are, only a few of them
// are in memory.
import type { Caller } from "../../../accounts/index.ts";
import type { Document, ExportFormat, FileStream } from "../../../contract/index.ts";
import type { DocumentJobs } from "../document-jobs.ts";
import { writeCsv } from "./write-csv.ts";
import { writeLlmsFull, writeLlmsIndex } from "./write-llms.ts";

type Documents = AsyncIterable<Document>;

interface FormatFacts {
  type: string;
  /** How the name of the file ends, where that is not the format. */
  ending?: string;
  write(documents: Documents): AsyncIterable<Uint8Array | string>;
}

const formats: Record<DocumentFormat, FormatFacts> = {
  jsonl: { type: "application/x-ndjson; charset=utf-8", write: writeLines },
  csv: { type: "text/csv; charset=utf-8", write: writeCsv },
  "md.zip": {
    type: "application/zip",
    async *write(documents) {
      // Loaded with the first such export, like the next one: an idle server stays small.
      const { writeZip } = await import("./write-zip.ts");
      yield* writeZip(documents);
    },
  },
  parquet: {
    type: "application/vnd.apache.parquet",
    async *write(documents) {
      // See above.
      const { writeParquet } = await import("./write-parquet.ts");
      yield* writeParquet(documents);
    },
  },
  llmstxt: { type: "text/markdown; charset=utf-8", ending: "llms.txt", write: writeLlmsIndex },
  "llms-full": { type: "text/markdown; charset=utf-8", ending: "llms-full.txt", write: writeLlmsFull },
};

/** Archives are made elsewhere. */
type DocumentFormat = Exclude<ExportFormat, "wacz" | "warc">;

export type ExportJob = (
  kind: "crawl" | "batch",
  input: { id: string; format: DocumentFormat },
  caller: Caller,
) => Promise<FileStream>;

export function createJobExport(jobs: Pick<DocumentJobs, "open">): ExportJob {
  return async (kind, { id, format }, caller) => {
    const { documents } = await jobs.open({ id }, caller);
    const { type, ending = format, write } = formats[format];
    return { type, name: `${kind}-${id}.${ending}`, chunks: inPieces(write(documents)) };
  };
}

async function* writeLines(documents: Documents): AsyncGenerator<string> {
  for await (const document of documents) yield `${JSON.stringify(document)}\n`;
}

/** Sent in pieces of about this size: one for each document costs more than making it, and keeps its text for longer. */
const pieceBytes = 64 * 1024;

async function* inPieces(parts: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  let piece: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    const bytes = typeof part === "string" ? Buffer.from(part) : part;
    piece.push(bytes);
    size += bytes.length;
    if (size < pieceBytes) continue;
    yield Buffer.concat(piece, size);
    piece = [];
    size = 0;
  }
  yield Buffer.concat(piece, size);
}
