// Open WebUI's own hooks: an external web search, an external loader of pages, and an external loader of files.
import * as z from "zod";
import { ServiceError } from "../../base/index.ts";
import type { Document, UploadedFile } from "../../contract/index.ts";
import { below, type Dialect, type DialectAnswer, type DialectCall, dialectRow } from "../frame/dialect.ts";
import { failureText, searchQuery } from "../frame/dialect-fields.ts";
import { noText, parseFile, plainName, requireText } from "../frame/files.ts";
import { listResults, runSearch } from "../frame/results.ts";
import { scrapePages, warningsOf } from "../frame/scrape-pages.ts";

const loaded = z.object({
  page_content: z.string(),
  metadata: z.record(z.string(), z.union([z.string(), z.number()])),
});

async function answerSearch(query: string, count: number, call: DialectCall): Promise<DialectAnswer> {
  const output = await runSearch(call, { query, part: { offset: 0, count } });
  const body = listResults(output).map(({ url, title, description }) => ({ link: url, title, snippet: description }));
  return { body, warning: output.warning };
}

async function answerLoad(urls: readonly string[], call: DialectCall): Promise<DialectAnswer> {
  const pages = await scrapePages(call, urls, { formats: ["markdown"] });
  const left = pages.flatMap((page) => (page.ok ? [] : [`${page.url}: ${page.error.message}`]));
  return {
    body: pages.flatMap((page) =>
      page.ok ? [{ page_content: page.document.markdown ?? "", metadata: pageMetadata(page.url, page.document) }] : [],
    ),
    warning: [left.length > 0 ? `Left out: ${left.join("; ")}` : "", warningsOf(pages)].filter(Boolean).join(" "),
  };
}

/** Stores of vectors refuse other values than texts and numbers. */
function pageMetadata(source: string, { metadata }: Document) {
  const { title = "", description = "", language = "" } = metadata;
  return { source, title, description, language };
}

async function answerProcess(file: UploadedFile, name: string, call: DialectCall): Promise<DialectAnswer> {
  const filename = plainName(name);
  const document = await parseFile(
    call,
    { ...file, filename },
    { formats: ["markdown"], parsers: [{ type: "pdf", pages: true }] },
  ).catch(asNoText);
  const { markdown = "", pages = [], metadata, warning } = document;
  requireText(markdown);
  const common = {
    source: filename,
    title: metadata.title || filename,
    contentType: metadata.contentType ?? file.contentType,
  };
  const body =
    pages.length > 0
      ? pages.map((page) => ({ page_content: page.markdown, metadata: { ...common, page: page.pageNumber - 1 } }))
      : { page_content: markdown, metadata: common };
  return { body, warning };
}

/** Open WebUI falls back to its own readers on exactly this sentence. */
function asNoText(error: unknown): never {
  if (error instanceof ServiceError && error.code === "PARSE_FILE_EMPTY") throw new ServiceError(error.code, noText);
  throw error;
}

export const openwebui: Dialect = {
  name: "openwebui",
  tag: "Open WebUI",
  group: "search",
  owns: below("/openwebui"),
  rows: [
    dialectRow("POST /openwebui/search", "openwebuiSearch", "Search, as Open WebUI's external web search", {
      request: z.strictObject({
        query: searchQuery(),
        count: z.int().min(1).max(100).default(5).describe("Maximum number of results"),
      }),
      response: z.array(z.object({ link: z.string(), title: z.string(), snippet: z.string() })),
      answer: ({ fields: { query, count } }, call) => answerSearch(query, count, call),
    }),
    dialectRow("POST /openwebui/load", "openwebuiLoad", "Read pages, as Open WebUI's external web loader", {
      group: "scrape",
      request: z.strictObject({
        urls: z.array(z.string().min(1).max(8192)).min(1).max(20).describe("URLs of the pages"),
      }),
      response: z.array(loaded),
      answer: ({ fields: { urls } }, call) => answerLoad(urls, call),
    }),
    dialectRow(
      "PUT /openwebui/process",
      "openwebuiProcess",
      "Read a file, as Open WebUI's external document loader; its name is in the header X-Filename",
      {
        group: "parse",
        takes: "file",
        response: z
          .union([loaded, z.array(loaded)])
          .describe("A list with one entry per page, where the document has pages"),
        answer: ({ file, headers }, call) => answerProcess(file as UploadedFile, headers["x-filename"] ?? "", call),
      },
    ),
  ],
  failure: ({ message }) => ({ detail: message }),
  failureSchema: z.object({ detail: failureText }),
};
