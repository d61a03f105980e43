// Exa's contents: pages that the caller names, with a status for each.
import * as z from "zod";
import { badField, causeOf } from "../frame/cause.ts";
import type { DialectAnswer, DialectCall } from "../frame/dialect.ts";
import { isoDate } from "../frame/results.ts";
import { idOfPages, type ListedPage, scrapePages, warningsOf } from "../frame/scrape-pages.ts";
import {
  contentsFields,
  contentsOf,
  type ExaContents,
  exaMetadata,
  ignoredContents,
  scrapeOptionsOf,
} from "./contents.ts";

const urls = z.array(z.string().min(1).max(8192)).min(1).max(100).optional();

export const exaContentsRequest = z.strictObject({
  urls: urls.describe("URLs of the pages"),
  ids: urls.describe("The same as urls"),
  ...contentsFields,
});

export async function answerExaContents(
  fields: z.output<typeof exaContentsRequest>,
  call: DialectCall,
): Promise<DialectAnswer> {
  const { urls: named, ids, ...asked } = fields;
  const list = named ?? ids;
  if (list === undefined) throw badField("urls", "Required: the URLs of the pages");
  const isBare = !asked.text && !asked.highlights && !asked.summary && !asked.extras;
  const wanted: ExaContents = isBare ? { ...asked, text: true } : asked;
  const pages = await scrapePages(call, list, scrapeOptionsOf(wanted, call.hasModel));
  const read = pages.filter((page) => page.ok && (!wanted.filterEmptyResults || (page.document.markdown ?? "") !== ""));
  return {
    body: {
      requestId: idOfPages(pages, call),
      results: await Promise.all(read.map((page) => toResult(page as ListedPage & { ok: true }, wanted, call))),
      statuses: pages.map(statusOf),
      costDollars: { total: 0 },
    },
    ignored: [...ignoredContents(wanted, call.hasModel), ...(named && ids ? ["ids"] : [])],
    warning: warningsOf(pages),
  };
}

async function toResult({ url, document }: ListedPage & { ok: true }, wanted: ExaContents, call: DialectCall) {
  const { title = "", publishedTime } = document.metadata;
  const publishedDate = isoDate(publishedTime);
  return {
    id: url,
    url,
    title,
    ...(publishedDate === undefined ? {} : { publishedDate }),
    ...exaMetadata(document.metadata),
    ...(await contentsOf(document, wanted, title, call)),
  };
}

function statusOf(page: ListedPage) {
  const source = page.document?.metadata.cacheState === "hit" ? "cached" : "crawled";
  if (page.ok) return { id: page.url, status: "success", source };
  const [tag, httpStatusCode] = errorOf(page);
  return { id: page.url, status: "error", source, error: { tag, httpStatusCode } };
}

function errorOf({ error, document }: ListedPage & { ok: false }): [string, number] {
  const status = document?.metadata.statusCode;
  const cause = causeOf(error);
  if (status === 404 || cause === "notFound") return ["CRAWL_NOT_FOUND", 404];
  if (cause === "timeout") return ["CRAWL_TIMEOUT", 408];
  const isClient = status !== undefined && status >= 400 && status < 500;
  const isRefused = cause === "refused" || cause === "badRequest" || error.code === "SCRAPE_SITE_BLOCKED";
  if (isRefused || isClient) return ["SOURCE_NOT_AVAILABLE", 403];
  return ["CRAWL_UNKNOWN_ERROR", 500];
}
