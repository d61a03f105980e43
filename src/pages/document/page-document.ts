// From a page to its document: the outputs that were asked for, and what is known about the response.

import { pageUrl, sentence } from "../../base/index.ts";
import type { ContentRequest, PageContent } from "../../content/index.ts";
import { type Document, formats, type ScrapeOptions } from "../../contract/index.ts";
import type { Page } from "../../engines/index.ts";
import { type PageVerdict, verdictOfStatus } from "../../safety/index.ts";
import type { OutputPlan } from "../formats/plan-outputs.ts";
import { asDocumentState, stateWarning } from "./state-warning.ts";

/** What is known of a page besides its bytes. */
export type PageHead = Omit<Page, "body">;

export function pageHead(page: Page): PageHead {
  const { url, finalUrl, status, headers, contentType, engine, proxy, redirects, isPrivate, ignoredHeaders } = page;
  const head = { url, finalUrl, status, headers, contentType, engine, proxy, redirects, isPrivate, ignoredHeaders };
  return page.unfilled ? { ...head, unfilled: page.unfilled } : head;
}

/** Which content a caller asks for. */
export type ContentOptions = Pick<
  ContentRequest,
  "formats" | "onlyMainContent" | "includeTags" | "excludeTags" | "removeBase64Images"
>;

export function contentOptions(options: ScrapeOptions, { formats }: OutputPlan): ContentOptions {
  const { onlyMainContent, includeTags, excludeTags, removeBase64Images } = options;
  return { formats, onlyMainContent, includeTags, excludeTags, removeBase64Images };
}

/** All it takes to make the document again from its cached page, so that the document itself is not stored. */
export interface Remake {
  page: PageHead;
  content: ContentOptions;
}

export function contentRequest(page: PageHead, content: ContentOptions, bytes: Uint8Array): ContentRequest {
  const { status, headers, url, finalUrl, contentType } = page;
  const response = { status, headers, askedUrl: url };
  const isRendered = page.engine !== "http";
  const request = { bytes, contentType: contentType || null, url: finalUrl, response, isRendered, ...content };
  return page.unfilled ? { isShell: true, ...request } : request;
}

export const contentFailures = {
  timeout: { ok: false, code: "SCRAPE_CONTENT_ERROR", message: "Reading the page's content took too long." },
  memory: { ok: false, code: "SCRAPE_PAGE_TOO_LARGE", message: "Reading the page's content takes too much memory." },
  crash: { ok: false, code: "SCRAPE_CONTENT_ERROR" },
} as const;

/** A document of nothing but these outputs. `verdict`: of the status unless more is known. */
export function documentOf(
  page: PageHead,
  outputs: Partial<Document>,
  verdict: PageVerdict = verdictOfStatus(page.status),
): Document {
  const warning = [outputs.warning, stateWarning(asDocumentState(verdict.state))].filter(Boolean).join(" ");
  return {
    ...outputs,
    metadata: { title: "", description: "", ...factsOf(page, verdict) },
    ...(warning === "" ? {} : { warning }),
  };
}

/** A PDF that the caller wants unread: its bytes are each text output. */
export function unreadPdf(page: Page, { formats }: Pick<ScrapeOptions, "formats">): Document {
  const bytes = page.body.toString("base64");
  const isText = (name: string) => ["markdown", "html", "rawHtml"].includes(name);
  const names = formats.map(({ type }) => type);
  const absent = names.filter((name) => !isText(name));
  const warning = `The PDF was not read because parsers names no parser for it, so there is no ${absent.join(", no ")}.`;
  const texts = Object.fromEntries(names.filter(isText).map((name) => [name, bytes]));
  return documentOf(page, { ...texts, ...(absent.length > 0 ? { warning } : {}) });
}

function factsOf(page: PageHead, verdict: PageVerdict): Document["metadata"] {
  return {
    url: pageUrl(page.finalUrl),
    statusCode: page.status,
    pageState: asDocumentState(verdict.state),
    ...(page.contentType ? { contentType: page.contentType } : {}),
    ...(page.status >= 400 ? { error: `The page's server answered ${page.status}.` } : {}),
    proxyUsed: page.proxy === "enhanced" ? "stealth" : "basic",
  };
}

const contentRows = Object.entries(formats).filter(([, { madeFrom }]) => madeFrom === "content");
const contentFields = contentRows.flatMap(([, { returns }]) => Object.keys(returns)) as (keyof PageContent &
  keyof Document)[];

export function makeDocument(page: PageHead, content: PageContent, rendered: Partial<Document>): Document {
  const document: Document = { metadata: Object.assign({}, content.metadata, factsOf(page, content.verdict)) };
  const outputs: Record<string, unknown> = document;
  for (const name of contentFields) if (content[name] !== undefined) outputs[name] = content[name];
  if (content.pages) document.pages = content.pages;
  if (content.blocks) document.blocks = content.blocks;
  const state = stateWarning(asDocumentState(content.verdict.state));
  const { warning, ...fromPage } = rendered;
  const empty = new Set(contentRows.flatMap(([name]) => content.empty?.[name] ?? []));
  const found = [...content.warnings.map(sentence), ...(warning ? [warning] : []), ...empty];
  const said = state ? [state, ...found] : found;
  if (said.length > 0) document.warning = said.join(" ");
  return Object.assign(document, fromPage);
}

export function addWarnings(document: Document, warnings: readonly string[]): void {
  if (warnings.length > 0) document.warning = [document.warning, ...warnings].filter(Boolean).join(" ");
}
