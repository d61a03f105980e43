// A file as Tika returns it: texts, XHTML, or JSON with metadata.
import type { Document } from "../../contract/index.ts";
import { plainTextOf } from "../frame/texts.ts";

export type Handler = "text" | "html" | "xml" | "md" | "main";

export interface TikaFile {
  document: Document;
  filename: string;
  sizeBytes: number;
  ms: number;
  /** How many characters of the content are wanted. */
  writeLimit: number;
}

export function contentOf({ document, writeLimit }: TikaFile, handler: Handler): string {
  const { markdown = "", html = "" } = document;
  if (handler === "md") return markdown.slice(0, writeLimit);
  if (handler === "text" || handler === "main") return plainTextOf(markdown).slice(0, writeLimit);
  return xhtmlOf(document.metadata.title ?? "", html.slice(0, writeLimit));
}

function xhtmlOf(title: string, html: string): string {
  const body = /<body[^>]*>([\s\S]*)<\/body>/i.exec(html)?.[1] ?? html.replace(/<\/?(?:html|head|body)[^>]*>/gi, "");
  return `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>${escapeXml(title)}</title></head><body>${body}</body></html>`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Known ones only: texts, or lists of texts. */
export function metadataOf({ document, filename, sizeBytes, ms }: TikaFile): Record<string, string | string[]> {
  const { contentType, title, numPages, language } = document.metadata;
  const known: [string, string | undefined][] = [
    ["Content-Type", contentType],
    ["Content-Length", String(sizeBytes)],
    ["X-TIKA:parse_time_millis", String(ms)],
    ["resourceName", filename || undefined],
    ["dc:title", title || undefined],
    ["xmpTPg:NPages", numPages === undefined ? undefined : String(numPages)],
    ["dc:language", language || undefined],
  ];
  const texts = known.filter((pair): pair is [string, string] => pair[1] !== undefined);
  return { ...Object.fromEntries(texts), "X-TIKA:Parsed-By": ["trawl"] };
}

export function jsonOf(file: TikaFile, handler: Handler | null): Record<string, unknown> {
  return { ...(handler === null ? {} : { "X-TIKA:content": contentOf(file, handler) }), ...metadataOf(file) };
}

export function csvOf(metadata: Record<string, string | string[]>): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = Object.entries(metadata).map(([name, value]) => [name, ...[value].flat()].map(quoted).join(","));
  return `${rows.join("\n")}\n`;
}
