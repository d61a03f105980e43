// From a page to its document: the outputs that were asked for, and what is known of the answer.
import { pageAddress, ServiceError } from "../../base/index.ts";
import type { ContentFormats, ContentPool, ContentRequest, PageContent } from "../../content/index.ts";
import type { Document, ScrapeOptions } from "../../contract/index.ts";
import type { Page } from "../../engines/index.ts";
import type { OutputPlan } from "../formats/plan-outputs.ts";
import { contentWarnings } from "./content-warnings.ts";

/** What is known of a page beside its bytes. */
export type PageHead = Omit<Page, "body">;

export function pageHead(page: Page): PageHead {
  const { url, finalUrl, status, headers, contentType, engine, redirects, isPrivate, ignoredHeaders } = page;
  return { url, finalUrl, status, headers, contentType, engine, redirects, isPrivate, ignoredHeaders };
}

/** What a caller wants of a page's content. */
export interface ContentWishes {
  formats: ContentFormats;
  onlyMainContent: boolean;
  includeTags: string[];
  excludeTags: string[];
  removeBase64Images: boolean;
}

export function contentWishes(options: ScrapeOptions, { formats }: OutputPlan): ContentWishes {
  const { onlyMainContent, includeTags, excludeTags, removeBase64Images } = options;
  return { formats, onlyMainContent, includeTags, excludeTags, removeBase64Images };
}

/** All that makes a document of a stored page again, so that it need not be stored beside it. */
export interface Remake {
  page: PageHead;
  wishes: ContentWishes;
}

export async function remakeDocument(
  content: ContentPool,
  { page, wishes }: Remake,
  bytes: Uint8Array,
  { teamId, signal }: { teamId: string; signal: AbortSignal },
): Promise<Document> {
  const result = await content.read(contentRequest(page, wishes, bytes), teamId, signal);
  if ("failure" in result) throw new ServiceError(contentFailures[result.failure].code);
  if ("unsupported" in result) throw new ServiceError("SCRAPE_UNSUPPORTED_FILE_ERROR");
  return makeDocument(page, result, {});
}

export function contentRequest(page: PageHead, wishes: ContentWishes, bytes: Uint8Array): ContentRequest {
  return { ...wishes, bytes, contentType: page.contentType || null, url: page.finalUrl };
}

export const unreadable = "It has no text that can be read here; the format rawBase64 answers its bytes.";

export const contentFailures = {
  timeout: { ok: false, code: "SCRAPE_CONTENT_ERROR", message: "The page's content took too long to read." },
  memory: { ok: false, code: "SCRAPE_PAGE_TOO_LARGE", message: "The page's content needs too much memory." },
  crash: { ok: false, code: "SCRAPE_CONTENT_ERROR" },
} as const;

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

function factsOf(page: PageHead): Document["metadata"] {
  return {
    url: pageAddress(page.finalUrl),
    statusCode: page.status,
    ...(page.contentType ? { contentType: page.contentType } : {}),
    ...(page.status >= 400 ? { error: `The page's server answered ${page.status}.` } : {}),
    proxyUsed: "basic",
  };
}

const contentOutputs = ["markdown", "html", "rawHtml", "links", "images", "attributes"] as const;

export function makeDocument(page: PageHead, content: PageContent, rendered: Partial<Document>): Document {
  const document: Document = { metadata: { ...content.metadata, ...factsOf(page) } };
  const outputs: Record<string, unknown> = document;
  for (const name of contentOutputs) if (content[name] !== undefined) outputs[name] = content[name];
  const warnings = contentWarnings(content.warnings, content);
  if (warnings.length > 0) document.warning = warnings.join(" ");
  return Object.assign(document, rendered);
}
