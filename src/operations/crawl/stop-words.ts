// Words that end a crawl when a page holds one of them.
import type { Document } from "../../contract/index.ts";

/** Formats that hold the text of a page. */
export const textFormats = ["markdown", "html", "rawHtml"] as const;

export function isTextFormat(name: string): boolean {
  return (textFormats as readonly string[]).includes(name);
}

/** Why the crawl is over with this document; null while it goes on. Upper and lower case make no difference. */
export function findStopWord(document: Document, words: readonly string[] | undefined): string | null {
  if (words === undefined || words.length === 0) return null;
  const { metadata, markdown, html, rawHtml } = document;
  const texts = [metadata.title, metadata.description, markdown, html, rawHtml].filter((text) => text !== undefined);
  const lowered = texts.map((text) => String(text).toLowerCase());
  const found = words.find((word) => lowered.some((text) => text.includes(word.toLowerCase())));
  return found === undefined ? null : `A page contains "${found}" (stopOnContent).`;
}
