// A markdown file for each document, in one ZIP file.

import type { Document } from "../../../contract/index.ts";
import { createZip } from "../../../zip/index.ts";
import { documentRow } from "./document-row.ts";

const longestName = 80;

export async function* writeZip(documents: AsyncIterable<Document>): AsyncGenerator<Uint8Array> {
  const zip = createZip();
  let count = 0;
  for await (const document of documents) {
    count += 1;
    yield await zip.add(fileName(document, count), markdownFile(document));
  }
  yield* zip.end();
}

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
