// A page's bytes and content as a document, before anything is made of its text.
import { pageAddress } from "../../base/index.ts";
import type { PageContent } from "../../content/index.ts";
import type { Document, ScrapeOptions } from "../../contract/index.ts";
import type { Page } from "../../engines/index.ts";
import { contentWarnings } from "./content-warnings.ts";

/** The bytes as they came, whatever they are. */
export function rawDocument(page: Page): Document {
  return { rawBase64: page.body.toString("base64"), metadata: { title: "", description: "", ...factsOf(page) } };
}

/** A PDF that the caller wants nobody to read (API.md 2.1), in the place of each text of it. */
export function pdfAsItIs(page: Page, { formats, parsers }: ScrapeOptions): Document | null {
  const isPdf = page.body.subarray(0, 5).toString("latin1") === "%PDF-";
  if (!isPdf || parsers.some(({ type }) => type === "pdf")) return null;
  const { rawBase64, metadata } = rawDocument(page);
  const isText = (name: string) => ["markdown", "html", "rawHtml"].includes(name);
  const names = formats.map(({ type }) => type);
  const absent = names.filter((name) => !isText(name));
  const warning = `The PDF was not read, because parsers names none for it: ${absent.join(", ")} cannot be had of it.`;
  const bytes = Object.fromEntries(names.filter(isText).map((name) => [name, rawBase64]));
  return { ...bytes, ...(absent.length > 0 ? { warning } : {}), metadata };
}

function factsOf(page: Page): Document["metadata"] {
  return {
    url: pageAddress(page.finalUrl),
    statusCode: page.status,
    ...(page.contentType ? { contentType: page.contentType } : {}),
    ...(page.status >= 400 ? { error: `The page's server answered ${page.status}.` } : {}),
    proxyUsed: "basic",
  };
}

const contentOutputs = ["markdown", "html", "rawHtml", "links", "images", "attributes"] as const;

export function makeDocument(page: Page, content: PageContent, rendered: Partial<Document>): Document {
  const document: Document = { metadata: { ...content.metadata, ...factsOf(page) } };
  const outputs: Record<string, unknown> = document;
  for (const name of contentOutputs) if (content[name] !== undefined) outputs[name] = content[name];
  const warnings = contentWarnings(content.warnings, content);
  if (warnings.length > 0) document.warning = warnings.join(" ");
  return Object.assign(document, rendered);
}
