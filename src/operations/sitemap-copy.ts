// A sitemap file as bytes, for its stored copy: its facts on the first line, then its entries, many to a line. In lines, because
// the text of a whole file is megabytes that nobody else could work beside.
import { setImmediate } from "node:timers/promises";
import type { SitemapContent } from "../discovery/index.ts";

const entriesPerLine = 1000;
const lineEnd = 10;

export async function writeSitemapCopy({ entries, ...facts }: SitemapContent): Promise<Buffer> {
  const lines = [Buffer.from(`${JSON.stringify(facts)}\n`)];
  for (let from = 0; from < entries.length; from += entriesPerLine) {
    lines.push(Buffer.from(`${JSON.stringify(entries.slice(from, from + entriesPerLine))}\n`));
    await setImmediate();
  }
  return Buffer.concat(lines);
}

export async function readSitemapCopy(bytes: Uint8Array): Promise<SitemapContent> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let from = 0;
  const nextLine = () => {
    const end = text.indexOf(lineEnd, from);
    const line = JSON.parse(text.toString("utf8", from, end));
    from = end + 1;
    return line;
  };
  const file: SitemapContent = { ...nextLine(), entries: [] };
  while (from < text.length) {
    for (const entry of nextLine()) file.entries.push(entry);
    await setImmediate();
  }
  return file;
}
