// `stopOnContent`: a crawl ends with the first page that contains one of the caller's phrases.
import type { Document } from "../../contract/index.ts";

/** Formats that hold the text of a page. */
export const textFormats = ["markdown", "html", "rawHtml"] as const;

export function isTextFormat(name: string): boolean {
  return (textFormats as readonly string[]).includes(name);
}

/** The reason to end the crawl with this document; null while it goes on. Case does not matter. */
export function matchStopPhrase(document: Document, phrases: readonly string[] | undefined): string | null {
  if (phrases === undefined || phrases.length === 0) return null;
  const { metadata, markdown, html, rawHtml } = document;
  const texts = [metadata.title, metadata.description, markdown, html, rawHtml].filter((text) => text !== undefined);
  const lowered = texts.map((text) => String(text).toLowerCase());
  const found = phrases.find((phrase) => lowered.some((text) => text.includes(phrase.toLowerCase())));
  return found === undefined ? null : `A page contains "${found}" (stopOnContent).`;
}
