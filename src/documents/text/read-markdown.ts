// Markdown -> HTML: of a file, so that its links, pictures and tables are known like those of a page, and of a language model.

import { Marked } from "marked";
import { decodeBytes } from "../../detection/index.ts";
import type { ParsedFile } from "../file/file-reading.ts";
import { escapeHtml, parsedFile } from "../html/document-html.ts";

const reader = new Marked({
  gfm: true,
  async: false,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text }) => escapeHtml(text),
    link({ tokens }) {
      return this.parser.parseInline(tokens);
    },
  },
});

/** Each of them one element. */
export function transcriptBlocks(markdown: string): string[] {
  return reader
    .lexer(markdown)
    .map((token) => reader.parser([token]).trim())
    .map((html) => (html === "" || html.startsWith("<") ? html : `<p>${html}</p>`))
    .filter((html) => html !== "" && !html.startsWith("<hr"));
}

export function markdownHtml(text: string): string {
  return new Marked({ gfm: true, async: false }).parse(text) as string;
}

export function readMarkdown(bytes: Uint8Array): ParsedFile {
  const text = decodeBytes(bytes).text;
  // Settings of a site generator at the start of a text.
  const front = /^---\r?\n([\s\S]{0,20000}?)\r?\n---\r?\n/.exec(text);
  const body = text.slice(front?.[0].length ?? 0);
  const title = /^title:\s*["']?(.+?)["']?\s*$/m.exec(front?.[1] ?? "")?.[1] ?? /^#\s+(.+)$/m.exec(body)?.[1]?.trim();
  return parsedFile(markdownHtml(body), { title });
}

/** Plain text as HTML, for parts of other files. */
export function plainHtml(text: string): string {
  return text
    .split(/\r?\n\s*\r?\n/)
    .filter((part) => part.trim() !== "")
    .map((part) => `<p>${escapeHtml(part.trim()).replace(/\r?\n/g, "<br>")}</p>`)
    .join("");
}
