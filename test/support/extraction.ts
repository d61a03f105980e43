// A page and a schema in, data and evidence out: the reader on the one tree, then the filling.
import { readContent } from "../../src/content/reading/read-content.ts";
import type { Document } from "../../src/contract/index.ts";
import { fill } from "../../src/extraction/filling/fill.ts";
import type { FilledData, FoundThing, PageFinding } from "../../src/extraction/findings/finding.ts";
import { type ReaderInput, readPage } from "../../src/extraction/reading/schema-reader.ts";
import { contentRequest, contentTools, noFormats } from "./content.ts";

export const pageUrl = "https://shop.test/things/lamp?x=1";

export function finding(html: string, input: ReaderInput, contentType = "text/html; charset=utf-8"): PageFinding {
  const request = { ...contentRequest(html, { contentType, url: pageUrl, formats: noFormats }), readerInput: input };
  const content = readContent(request, { ...contentTools, readPage });
  return ("found" in content && content.found) || { found: null };
}

export function extract(html: string, schema: Record<string, unknown>): FilledData {
  return fill({ schema, pages: [{ url: pageUrl, finding: finding(html, { schema, prompt: null }) }] });
}

export function readThing<Name extends "product" | "menu">(html: string, name: Name) {
  const { things } = finding(html, { schema: null, prompt: null, things: [name], onlyThings: true });
  return things?.[name] as FoundThing<NonNullable<Document[Name]>> | undefined;
}

export function linkedData(value: unknown): string {
  return `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
}

export function titledPage(title: string, body: string, head = ""): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>${body}</main></body></html>`;
}
