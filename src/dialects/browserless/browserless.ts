// Browserless's API for one page: its rendered document, a picture, a PDF.
import * as z from "zod";
import { ServiceError } from "../../base/index.ts";
import type { Document } from "../../contract/index.ts";
import { type Dialect, type DialectAnswer, type DialectCall, dialectRow, unservedRow } from "../frame/dialect.ts";
import { failureText } from "../frame/dialect-fields.ts";
import { scrapePage } from "../frame/scrape-pages.ts";
import {
  contentRequest,
  ignoredOf,
  named,
  type PageRequest,
  pdfRequest,
  scrapeOptions,
  screenshotRequest,
} from "./options.ts";

const htmlType = "text/html; charset=utf-8";
const unserved = ["function", "scrape", "performance", "download"];
const served = ["content", "screenshot", "pdf"];
const ownPath = new RegExp(`^/(?:browserless(?:/.*)?|(?:chromium/)?(?:${[...served, ...unserved].join("|")}))$`);

/** `more`: what the page is asked for beside the request's own options. */
async function read(
  fields: PageRequest,
  call: DialectCall,
  more: { formats: unknown[]; actions?: object[] },
): Promise<Document> {
  const { url, options } = scrapeOptions(fields);
  const { actions = [], formats } = more;
  try {
    return await scrapePage(call, url, { ...options, formats, actions: [...options.actions, ...actions] });
  } catch (error) {
    const isLate = error instanceof ServiceError && error.code === "SCRAPE_ACTION_ERROR";
    if (!isLate || fields.waitForSelector === undefined) throw error;
    if (fields.bestAttempt !== true)
      throw new ServiceError("SCRAPE_TIMEOUT", "waitForSelector found no element in time.");
    return scrapePage(call, url, { ...options, formats, actions });
  }
}

function answer({ metadata, warning }: Document, made: DialectAnswer): DialectAnswer {
  const { statusCode = 200, url = "" } = metadata;
  return {
    warning,
    headers: { "X-Response-Code": String(statusCode), "X-Response-URL": encodeURI(decodeSafely(url)) },
    ...made,
  };
}

function decodeSafely(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}

async function mediaOf(url: string | undefined, { readMedia }: DialectCall): Promise<Buffer> {
  const bytes = url === undefined ? null : await readMedia(url);
  if (bytes === null) throw new ServiceError("SCRAPE_CONTENT_ERROR", "The picture of this page could not be made.");
  return bytes;
}

const formats = new Set(["a0", "a1", "a2", "a3", "a4", "a5", "a6", "letter", "legal", "tabloid", "ledger"]);

/** As v2 writes it; undefined for another one. */
function paperFormat(format = "letter"): string | undefined {
  const name = format.toLowerCase();
  return formats.has(name) ? name[0]?.toUpperCase() + name.slice(1) : undefined;
}

function rowsOf(method: "GET" | "POST") {
  const suffix = method === "GET" ? "ByUrl" : "";
  const route = (name: string) => `${method} /browserless/${name} /${name} /chromium/${name}` as const;
  return [
    dialectRow(route("content"), `browserlessContent${suffix}`, "The rendered document, as Browserless gives it", {
      request: contentRequest,
      response: z.string(),
      responseType: htmlType,
      async answer({ fields }, call) {
        const document = await read(fields, call, { formats: ["rawHtml"] });
        return answer(document, { type: htmlType, body: document.rawHtml ?? "", ignored: ignoredOf(fields) });
      },
    }),
    dialectRow(route("screenshot"), `browserlessScreenshot${suffix}`, "A picture of a page, as Browserless takes it", {
      request: screenshotRequest,
      response: z.string(),
      responseType: "image/png",
      async answer({ fields }, call) {
        const { type = "png", quality, fullPage = false, encoding, ...rest } = fields.options ?? {};
        const { width, height } = fields.viewport ?? {};
        const look = {
          type: "screenshot",
          fullPage,
          ...(type === "jpeg" ? { quality: quality ?? 80 } : {}),
          ...(width === undefined ? {} : { viewport: { width, height } }),
        };
        const document = await read(fields, call, { formats: [look] });
        const picture = await mediaOf(document.screenshot, call);
        const ignored = [
          ...ignoredOf(fields),
          ...named("options", rest, []),
          ...(type === "webp" ? ["options.type"] : []),
        ];
        if (encoding === "base64")
          return answer(document, { type: "text/plain", body: picture.toString("base64"), ignored });
        return answer(document, { type: type === "jpeg" ? "image/jpeg" : "image/png", body: picture, ignored });
      },
    }),
    dialectRow(route("pdf"), `browserlessPdf${suffix}`, "A page as a PDF, as Browserless makes it", {
      request: pdfRequest,
      response: z.string(),
      responseType: "application/pdf",
      async answer({ fields }, call) {
        const { format, landscape = false, scale = 1, ...rest } = fields.options ?? {};
        const paper = paperFormat(format);
        const action = { type: "pdf", landscape, scale, ...(paper === undefined ? {} : { format: paper }) };
        const document = await read(fields, call, { formats: ["rawHtml"], actions: [action] });
        const file = await mediaOf(document.actions?.pdfs?.at(-1), call);
        const ignored = [
          ...ignoredOf(fields),
          ...named("options", rest, []),
          ...(paper === undefined ? ["options.format"] : []),
        ];
        return answer(document, { type: "application/pdf", body: file, ignored });
      },
    }),
  ];
}

export const browserless: Dialect = {
  name: "browserless",
  group: "scrape",
  tag: "Browserless",
  owns: (path) => ownPath.test(path),
  rows: [
    ...rowsOf("POST"),
    ...rowsOf("GET"),
    ...unserved.map((name) =>
      unservedRow(
        `POST /browserless/${name} /${name} /chromium/${name}`,
        `browserless${name[0]?.toUpperCase()}${name.slice(1)}`,
        `/${name} is not served here. Drive the browser over /browser, or use /v2/scrape.`,
      ),
    ),
  ],
  failure: ({ message }) => message,
  failureSchema: failureText,
};
