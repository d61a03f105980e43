// A markdown file for each document, in one ZIP file. The package writes the format that holds more than 65,535 files where needed.
import { PassThrough, Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { Document } from "../../contract/index.ts";
import { documentRow } from "./document-row.ts";

const longestName = 80;

export async function* writeZip(documents: AsyncIterable<Document>): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const source = documents[Symbol.asyncIterator]();
  const output = new PassThrough();
  zip.outputStream.pipe(output);
  zip.on("error", (error) => output.destroy(error as Error));
  let count = 0;

  /** The next document is read when the one before it has been written, so that at most two are in memory. */
  async function addNext(): Promise<void> {
    const { done, value } = await source.next();
    if (done) {
      zip.end();
      return;
    }
    count += 1;
    const bytes = Buffer.from(markdownFile(value));
    const options = { size: bytes.length, mtime: fixedTime };
    zip.addReadStreamLazy(fileName(value, count), options, (give) => {
      const file = Readable.from([bytes], { objectMode: false });
      file.once("end", () => addNext().catch((error) => output.destroy(error as Error)));
      give(null, file);
    });
  }

  try {
    await addNext();
    for await (const chunk of output) yield chunk as Uint8Array;
  } finally {
    output.destroy();
    await source.return?.();
  }
}

/** The same documents give the same file. */
const fixedTime = new Date(1980, 0, 1);

/** Numbered, so that no two are the same; the rest is for people. */
function fileName({ metadata }: Document, count: number): string {
  const { hostname, pathname } = safeUrl(metadata.url ?? metadata.sourceURL ?? "");
  const words = `${hostname}${pathname}`.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const name = words.slice(0, longestName).replace(/^-+|-+$/g, "");
  return `${String(count).padStart(6, "0")}-${name || "page"}.md`;
}

function safeUrl(url: string): Pick<URL, "hostname" | "pathname"> {
  return URL.canParse(url) ? new URL(url) : { hostname: "", pathname: "" };
}

/** With what is known of the page before it. */
function markdownFile(document: Document): string {
  const { url, sourceURL, title, description, statusCode, unchanged, markdown } = documentRow(document);
  const facts = { url: url || sourceURL, title, description, statusCode, ...(unchanged ? { unchanged } : {}) };
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join("\n")}\n---\n\n${markdown}\n`;
}
