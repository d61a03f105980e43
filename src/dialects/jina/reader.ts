// Jina Reader: one page or file, as text, JSON or a stream of one event.
import { ServiceError } from "../../base/index.ts";
import type { Document } from "../../contract/index.ts";
import { badField, faultOf } from "../frame/cause.ts";
import type { DialectAnswer, DialectCall } from "../frame/dialect.ts";
import { parseFile } from "../frame/files.ts";
import { refusalStatus, scrapePage } from "../frame/scrape-pages.ts";
import { acceptedTypes } from "../frame/texts.ts";
import { jinaFailure } from "./failures.ts";
import { ignoredHeaders, type ReaderBody, type ReaderOptions, readOptions, withoutUse } from "./options.ts";
import { htmlOf, type JinaPage, pageAsText, toJinaPage } from "./page-text.ts";

type Headers = Readonly<Record<string, string | undefined>>;
export type Form = "text" | "json" | "stream";

/** A list that also takes text gets text. */
export function formOf({ accept }: Headers): Form {
  const types = acceptedTypes(accept);
  if (types.length === 0 || types.some((type) => ["text/plain", "text/markdown", "text/*", "*/*"].includes(type)))
    return "text";
  if (types.includes("application/json") || types.includes("text/json")) return "json";
  return types.includes("text/event-stream") ? "stream" : "text";
}

/** Status of a refused address, as Jina's. */
export const jinaStatuses = { refused: 451 } as const;

export async function answerReader(input: ReaderBody, headers: Headers, call: DialectCall): Promise<DialectAnswer> {
  const form = formOf(headers);
  const options = readOptions(headers, input);
  // The first of them is read.
  const [sent, ...others] = (["html", "pdf", "file"] as const).filter((name) => input[name] !== undefined);
  const isSent = sent !== undefined;
  const ignored = [...ignoredHeaders(headers), ...others, ...withoutUse(options, isSent ? uselessForFiles : [])];
  if (options.modes.includes("no-content")) throw badField("respondWith", "no-content is for searches");
  checkModes(options, form);
  if (isSent) refusePictures(options);
  if (form === "stream") {
    const type = "text/event-stream; charset=utf-8";
    return { type, body: stream(async () => (await readJinaPage(input, options, call)).page), ignored };
  }
  const { page, warning } = await readJinaPage(input, options, call);
  const tokens = { "x-usage-tokens": String(page.usage.tokens) };
  if (form === "json") {
    const meta = { usage: page.usage };
    return { body: { code: 200, status: 20000, data: page, meta }, headers: tokens, ignored, warning };
  }
  return { ...inText(page, options), ignored, warning };
}

function inText(page: JinaPage, { modes }: ReaderOptions): DialectAnswer {
  const [mode = "content"] = modes;
  const headers = { "x-usage-tokens": String(page.usage.tokens) };
  const picture = page.screenshotUrl ?? page.pageshotUrl;
  if (picture !== undefined)
    return {
      status: 302,
      type: "text/plain; charset=utf-8",
      body: picture,
      headers: { ...headers, location: picture },
    };
  if (mode === "html") return { type: "text/html; charset=utf-8", body: page.html ?? "", headers };
  const body = mode === "text" ? (page.text ?? "") : pageAsText(page);
  return { type: "text/plain; charset=utf-8", body, headers };
}

/** What only pages that are fetched have. */
const uselessForFiles = [
  "waitForSelector",
  "noCache",
  "cacheTolerance",
  "setCookie",
  "userAgent",
  "referer",
  "locale",
  "doNotTrack",
  "robotsTxt",
  "engine",
] as const;

function refusePictures({ modes }: ReaderOptions): void {
  if (modes.includes("screenshot") || modes.includes("pageshot"))
    throw new ServiceError("NOT_IMPLEMENTED", "Screenshots need a page with a URL.");
}

export function checkModes({ modes }: ReaderOptions, form: Form): void {
  if (modes.length > 1 && form === "text")
    throw badField("respondWith", "Several values need Accept: application/json");
  if (modes.includes("screenshot") && modes.includes("pageshot"))
    throw badField("respondWith", "Ask for screenshot or pageshot, not both");
}

/** One event; a failure after the start of the stream is an event, too. */
async function* stream(read: () => Promise<JinaPage>): AsyncGenerator<string> {
  try {
    yield `event: data\ndata: ${JSON.stringify(await read())}\n\n`;
  } catch (error) {
    const failure =
      error instanceof ServiceError ? error : new ServiceError("INTERNAL_ERROR", undefined, { cause: error });
    yield `event: error\ndata: ${JSON.stringify(jinaFailure(faultOf(failure, jinaStatuses)))}\n\n`;
  }
}

async function readJinaPage(
  input: ReaderBody,
  options: ReaderOptions,
  call: DialectCall,
): Promise<{ page: JinaPage; warning: string | undefined }> {
  const sent = sentFile(input);
  const { url = "" } = input;
  if (sent === null && url.trim() === "") throw badField("url", "Required: the URL of a page");
  const { tokenBudget } = options;
  const document = sent
    ? await parseFile(call, sent, fileOptions(options, input), { tokenBudget })
    : await scrape(url, options, call);
  const page = toJinaPage(url, document, options);
  const isError = (document.metadata.statusCode ?? 200) >= 400;
  const isEmpty = (document.markdown ?? "").trim() === "" && htmlOf(document).trim() === "";
  if (options.hasTarget && isEmpty && !isError)
    throw new ServiceError("SCRAPE_CONTENT_ERROR", "No element of the page matches the target selector.");
  return { page, warning: document.warning };
}

async function scrape(url: string, options: ReaderOptions, call: DialectCall): Promise<Document> {
  const { tokenBudget, obeysRobots } = options;
  try {
    return await scrapePage(
      call,
      url,
      { ...options.scrape, formats: formatsOf(options) },
      { tokenBudget, obeysRobots },
    );
  } catch (error) {
    // A name that does not exist is a mistake in the request.
    if (error instanceof ServiceError && error.code === "SCRAPE_DNS_RESOLUTION_ERROR")
      throw badField("url", error.message);
    return refusedDocument(url, error);
  }
}

/** A site that refuses a page with an error has answered, as any other that does; nothing of what it said is shown. */
function refusedDocument(sourceURL: string, error: unknown): Document {
  const statusCode = error instanceof ServiceError ? (refusalStatus(error) ?? 0) : 0;
  if (!(error instanceof ServiceError) || statusCode < 400) throw error;
  return { markdown: "", metadata: { sourceURL, statusCode }, warning: error.message };
}

/** Formats of v2 that the answer is made of. */
export function formatsOf({ modes, links, hasSelectors }: ReaderOptions): unknown[] {
  const has = (...names: string[]) => modes.some((mode) => names.includes(mode));
  return [
    "markdown",
    ...(links === "none" ? [] : ["links"]),
    ...(has("html") ? [hasSelectors ? "html" : "rawHtml"] : []),
    ...(has("screenshot", "pageshot") ? [{ type: "screenshot", fullPage: has("pageshot") }] : []),
  ];
}

function fileOptions(options: ReaderOptions, { html }: ReaderBody): object {
  const { onlyMainContent, includeTags, excludeTags, timeout, removeBase64Images } = options.scrape;
  // Other files have no HTML.
  const formats = formatsOf(html === undefined ? { ...options, hasSelectors: true } : options);
  const given = { onlyMainContent, includeTags, excludeTags, timeout, removeBase64Images };
  return { formats, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
}

/** What the body holds instead of a URL; null when it holds nothing. */
function sentFile({ html, pdf, file, url }: ReaderBody) {
  if (html !== undefined) {
    const base =
      url === undefined ? "" : `<base href="${url.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)}">`;
    return { filename: "page.html", contentType: "text/html; charset=utf-8", bytes: Buffer.from(base + html) };
  }
  if (pdf !== undefined) return { filename: "file.pdf", contentType: "application/pdf", bytes: fromBase64("pdf", pdf) };
  return file === undefined ? null : { filename: "", contentType: "", bytes: fromBase64("file", file) };
}

function fromBase64(field: string, text: string): Uint8Array {
  const plain = text.replace(/^data:[^,]{0,200},/, "");
  if (!/^[\w+/\s-]*={0,2}\s*$/.test(plain)) throw badField(field, "Must be a file in base64");
  return Buffer.from(plain, "base64");
}

/** The URL in a path: percent-encoded or not, with one slash or two after its scheme. */
export function urlOfPath(rest: string): string {
  return decodedUrl(rest).replace(/^(https?):\/*/i, "$1://");
}

function decodedUrl(rest: string): string {
  if (!/^https?%3a/i.test(rest)) return rest;
  try {
    return decodeURIComponent(rest);
  } catch {
    return rest;
  }
}
