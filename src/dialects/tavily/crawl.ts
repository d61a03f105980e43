// Tavily's crawl and map. A crawl is a job here, which is waited for.
import * as z from "zod";
import { prices } from "../../accounts/index.ts";
import { createDeadline, ServiceError } from "../../base/index.ts";
import type { Document } from "../../contract/index.ts";
import type { DialectAnswer, DialectCall } from "../frame/dialect.ts";
import { patternList } from "../frame/dialect-fields.ts";
import { v2Input } from "../frame/v2-input.ts";
import { tavilyPageOptions } from "./extract.ts";
import { secondsSince, tavilyFormats, tavilyPage, tavilySenderFields, tavilyUsage } from "./shared.ts";

const startUrl = z.string().min(1).max(8192).describe("Where to start");

export const tavilyCrawlRequest = z.strictObject({
  url: startUrl,
  limit: z.int().min(1).max(500).default(50).describe("Maximum number of pages"),
  max_depth: z.int().min(1).max(5).default(1).describe("How many links away from the start"),
  select_paths: patternList("Regular expressions: only these paths"),
  exclude_paths: patternList("Regular expressions: not these paths"),
  select_domains: patternList("Regular expressions: only these hosts"),
  exclude_domains: patternList("Regular expressions: not these hosts"),
  allow_external: z.boolean().default(false).describe("Follow links to other sites"),
  instructions: z.string().max(10_000).optional().describe("What to crawl; needs a language model"),
  timeout: z
    .number()
    .min(10)
    .max(150)
    .default(150)
    .describe("Timeout in seconds; the pages read until then are returned"),
  ...tavilyPageOptions,
  ...tavilySenderFields,
});

export const tavilyMapRequest = z.strictObject({
  url: startUrl,
  limit: z.int().min(1).max(5000).default(50).describe("Maximum number of URLs"),
  select_paths: patternList("Regular expressions: only these paths"),
  exclude_paths: patternList("Regular expressions: not these paths"),
  instructions: z.string().max(10_000).optional().describe("Words to rank the URLs by"),
  timeout: z.number().min(1).max(150).default(150).describe("Seconds to wait at most"),
  include_usage: tavilyPageOptions.include_usage,
  ...tavilySenderFields,
});

export const tavilyMapResponse = z.object({
  base_url: z.string(),
  results: z.array(z.string()),
  response_time: z.number(),
  request_id: z.string(),
  usage: z.object({ credits: z.number() }).optional(),
});

type CrawlFields = z.output<typeof tavilyCrawlRequest>;

export async function answerTavilyCrawl(fields: CrawlFields, call: DialectCall): Promise<DialectAnswer> {
  const startedAt = call.now();
  const { operations, caller, signal, hasModel } = call;
  const started = await operations.startCrawl(toCrawl(fields, hasModel), caller, signal);
  if (!("id" in started)) throw new ServiceError("INTERNAL_ERROR");
  const { id } = started;
  const isCut = await waitFor(id, fields.timeout * 1000, call);
  const { documents, creditsUsed } = await readDocuments(id, call);
  if (documents.length === 0 && !isCut) await throwFirstError(id, call);
  const late = isCut ? ["The crawl timed out and was cancelled. These are the pages read until then."] : [];
  return {
    body: {
      base_url: fields.url,
      results: documents.map((document) => ({ url: urlOf(document), ...tavilyPage(document, fields) })),
      response_time: secondsSince(startedAt, call),
      request_id: id,
      ...tavilyUsage(fields, creditsUsed),
    },
    ignored: fields.instructions !== undefined && !hasModel ? ["instructions"] : [],
    warning: [...late, ...(started.warning ? [started.warning] : [])].join(" "),
  };
}

function toCrawl(fields: CrawlFields, hasModel: boolean) {
  const { url, limit, max_depth: maxDiscoveryDepth, instructions, allow_external: allowExternalLinks } = fields;
  const input = v2Input("startCrawl", {
    url,
    limit,
    maxDiscoveryDepth,
    allowExternalLinks,
    allowSubdomains: (fields.select_domains ?? []).length > 0,
    includePaths: fields.select_paths ?? [],
    excludePaths: fields.exclude_paths ?? [],
    sitemap: "skip",
    crawlEntireDomain: true,
    scrapeOptions: { formats: tavilyFormats(fields) },
    ...(instructions !== undefined && hasModel ? { prompt: instructions } : {}),
  });
  const { select_domains: include = [], exclude_domains: exclude = [] } = fields;
  return include.length + exclude.length > 0 ? { ...input, hostPatterns: { include, exclude } } : input;
}

/** Waits until the crawl has ended; true when it was cancelled because its time was over. */
async function waitFor(id: string, timeoutMs: number, { operations, caller, signal }: DialectCall): Promise<boolean> {
  const deadline = createDeadline(signal, timeoutMs);
  try {
    // Ends with the crawl, and with the time, too.
    for await (const _ of operations.watchCrawl({ id }, caller, deadline.signal));
  } catch (error) {
    if (!deadline.signal.aborted) throw error;
  } finally {
    deadline.clear();
  }
  if (!deadline.signal.aborted) return false;
  // The caller never learns the crawl's id and could not read it later: cancel it.
  const isCancelled = await operations.cancelCrawl({ id }, caller).then(() => true, isRunning);
  if (signal.aborted) throw new ServiceError("ABORTED");
  return isCancelled;
}

/** False for a crawl that has ended meanwhile. */
function isRunning(error: unknown): false {
  if (error instanceof ServiceError && error.code === "JOB_ALREADY_ENDED") return false;
  throw error;
}

async function readDocuments(id: string, { operations, caller }: DialectCall) {
  const documents: Document[] = [];
  for (;;) {
    const status = await operations.readCrawl({ id, skip: documents.length, limit: 500 }, caller);
    documents.push(...status.data);
    if (status.next === undefined || status.data.length === 0) return { documents, creditsUsed: status.creditsUsed };
  }
}

/** Nothing was read: the reason is that of the start page. */
async function throwFirstError(id: string, { operations, caller }: DialectCall): Promise<void> {
  const { errors, robotsBlocked } = await operations.listCrawlErrors({ id }, caller);
  if (robotsBlocked.length > 0) throw new ServiceError("ROBOTS_BLOCKED");
  const [first] = errors;
  if (first) throw new ServiceError("SCRAPE_SITE_ERROR", first.error);
}

function urlOf({ metadata }: Document): string {
  return metadata.url ?? metadata.sourceURL ?? "";
}

export async function answerTavilyMap(
  fields: z.output<typeof tavilyMapRequest>,
  call: DialectCall,
): Promise<DialectAnswer> {
  const startedAt = call.now();
  const {
    url,
    limit,
    instructions,
    timeout,
    select_paths: includePaths = [],
    exclude_paths: excludePaths = [],
  } = fields;
  const input = v2Input("map", {
    url,
    limit,
    includePaths,
    excludePaths,
    timeout: Math.round(timeout * 1000),
    ...(instructions === undefined ? {} : { search: instructions }),
  });
  const { links, id, warning } = await call.operations.map(input, call.caller, call.signal);
  return {
    body: {
      base_url: url,
      results: links.map((link) => link.url),
      response_time: secondsSince(startedAt, call),
      request_id: id,
      ...tavilyUsage(fields, prices.map),
    },
    warning,
  };
}
