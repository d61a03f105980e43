// A page and a schema in, data and evidence out: the reader on the one tree, then the filling.
import { readContent } from "../../src/content/content.ts";
import { fill } from "../../src/extraction/fill.ts";
import type { FilledData, PageFinding } from "../../src/extraction/finding.ts";
import { readPage } from "../../src/extraction/page-reader.ts";
import type { ReaderInput } from "../../src/extraction/page-reader-file.ts";
import { contentRequest, noFormats } from "./content.ts";

export const pageUrl = "https://shop.test/things/lamp?x=1";

export function finding(html: string, input: ReaderInput, contentType = "text/html; charset=utf-8"): PageFinding {
  const request = contentRequest(html, {
    contentType,
    url: pageUrl,
    formats: noFormats,
    reader: { module: "", input },
  });
  const content = readContent(request, readPage as never);
  return "found" in content ? (content.found as PageFinding) : { found: null };
}

export function extract(html: string, schema: Record<string, unknown>): FilledData {
  return fill({ schema, pages: [{ url: pageUrl, finding: finding(html, { schema, prompt: null }) }] });
}
