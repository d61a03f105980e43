// Tavily's extract: pages that the caller names, read one by one.
import * as z from "zod";
import { sentence } from "../../base/index.ts";
import { describeIssue, faultOf } from "../frame/cause.ts";
import type { DialectAnswer, DialectCall } from "../frame/dialect.ts";
import { idOfPages, type ListedPage, scrapePages, warningsOf } from "../frame/scrape-pages.ts";
import { bestPassages, joinPassages } from "../frame/texts.ts";
import { secondsSince, tavilyFormats, tavilyPage, tavilySenderFields, tavilyUsage } from "./shared.ts";

const url = z.string().min(1).max(8192);

export const tavilyPageOptions = {
  format: z.enum(["markdown", "text"]).default("markdown").describe("Form of the content"),
  include_images: z.boolean().default(false).describe("URLs of the page's images"),
  include_favicon: z.boolean().default(false).describe("Icon of the site"),
  include_usage: z.boolean().default(false).describe("What the request cost"),
  extract_depth: z
    .enum(["basic", "advanced"])
    .optional()
    .describe("Accepted without effect: pages are rendered when they need it"),
};

export const tavilyExtractRequest = z.strictObject({
  urls: z.union([z.array(url).min(1).max(20), url.transform((one) => [one])]).describe("One URL, or up to 20 of them"),
  query: z.string().max(2000).optional().describe("Return only the passages that fit this query"),
  chunks_per_source: z.int().min(1).max(5).optional().describe("Number of those passages; 3 by default"),
  timeout: z.number().min(1).max(60).default(30).describe("Seconds for each page"),
  ...tavilyPageOptions,
  ...tavilySenderFields,
});

type Fields = z.output<typeof tavilyExtractRequest>;

const result = z.object({
  url: z.string(),
  title: z.string().optional(),
  raw_content: z.string(),
  images: z.array(z.string()),
  favicon: z.string().optional(),
});
const usage = z.object({ credits: z.number() }).optional();

export const tavilyExtractResponse = z.object({
  results: z.array(result),
  failed_results: z.array(z.object({ url: z.string(), error: z.string() })),
  response_time: z.number(),
  request_id: z.string().describe("Id of the first page's scrape: also known to GET /v2/scrape/{id}"),
  usage,
});
export const tavilyCrawlResponse = z.object({
  base_url: z.string(),
  results: z.array(result),
  response_time: z.number(),
  request_id: z.string().describe("Id of the crawl: also known to GET /v2/crawl/{id}"),
  usage,
});

export async function answerTavilyExtract(fields: Fields, call: DialectCall): Promise<DialectAnswer> {
  const startedAt = call.now();
  const options = { formats: tavilyFormats(fields), timeout: Math.round(fields.timeout * 1000) };
  const pages = await scrapePages(call, fields.urls, options);
  const read = pages.filter((page) => page.ok);
  const documents = pages.flatMap(({ document }) => (document ? [document] : []));
  return {
    body: {
      results:
        fields.query === undefined
          ? read.map((page) => toResult(page, fields))
          : await Promise.all(read.map((page) => toPassages(page, fields, fields.query ?? "", call))),
      failed_results: pages.filter((page) => !page.ok).map(toFailure),
      response_time: secondsSince(startedAt, call),
      request_id: idOfPages(pages, call),
      ...tavilyUsage(
        fields,
        documents.reduce((sum, { metadata }) => sum + (metadata.creditsUsed ?? 0), 0),
      ),
    },
    ignored: fields.chunks_per_source !== undefined && fields.query === undefined ? ["chunks_per_source"] : [],
    warning: warningsOf(pages),
  };
}

function toResult({ url: asked, document }: ListedPage & { ok: true }, fields: Fields) {
  return { url: asked, title: document.metadata.title ?? "", ...tavilyPage(document, fields) };
}

async function toPassages(page: ListedPage & { ok: true }, fields: Fields, query: string, call: DialectCall) {
  const { chunks_per_source: count = 3 } = fields;
  const passages = await bestPassages(call, page.document.markdown ?? "", query, { count });
  return { ...toResult(page, fields), raw_content: joinPassages(passages) };
}

function toFailure({ url: asked, error }: ListedPage & { ok: false }) {
  const { issues, message } = faultOf(error);
  const [first] = issues;
  return { url: asked, error: sentence(first ? describeIssue(first) : message) };
}
