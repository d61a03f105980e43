// Crawl: a whole site as one job.
import * as z from "zod";
import { archiveKeys, checkArchive } from "../fields/archive-fields.ts";
import {
  optionalPromptField,
  promptField,
  senderKeys,
  success,
  time,
  urlField,
  warning,
} from "../fields/common-fields.ts";
import { crawlFields } from "../fields/crawl-options.ts";
import { jobProgress, jobStarted } from "../fields/job.ts";
import { cursorEnd, cursorQuery } from "../fields/list-cursor.ts";
import {
  checkZeroDataRetention,
  type ScrapeOptions,
  scrapeOptions,
  withoutRetention,
  zeroDataRetention,
} from "../fields/scrape-options.ts";
import { webhookField } from "../fields/webhook.ts";
import { section } from "../table/endpoint.ts";
import { startedJobEndpoints } from "./started-job.ts";

/** Fields besides the crawl options, the same in v1. */
export const crawlKeys = {
  url: urlField("URL to start from"),
  prompt: optionalPromptField("What to crawl, in plain language; fields that you set take precedence"),
  webhook: webhookField("CrawlWebhook", "crawl", [
    "started",
    "page",
    "paused",
    "resumed",
    "completed",
    "failed",
  ]).optional(),
  zeroDataRetention,
};

interface Retained {
  zeroDataRetention: boolean;
  scrapeOptions: ScrapeOptions;
}

/** Here the flag is a sibling of the options, so its rules are checked here, too. */
export function checkRetention(body: Retained, context: z.RefinementCtx): void {
  if (!body.zeroDataRetention || body.scrapeOptions.zeroDataRetention) return;
  checkZeroDataRetention(body.scrapeOptions, (path, message) =>
    context.addIssue({ code: "custom", path: ["scrapeOptions", ...path], message }),
  );
}

/** The flag applies to the job and its pages, wherever it was set. */
export function resolveRetention<Body extends Retained>(body: Body): Body {
  const keepsNothing = body.zeroDataRetention || body.scrapeOptions.zeroDataRetention;
  if (!keepsNothing) return body;
  return { ...body, zeroDataRetention: true, scrapeOptions: withoutRetention(body.scrapeOptions) };
}

export const crawlBody = z
  .strictObject({
    ...crawlKeys,
    ...crawlFields,
    scrapeOptions: scrapeOptions.prefault({}),
    ...archiveKeys,
    ...senderKeys,
  })
  .superRefine(checkRetention)
  .superRefine((body, context) => {
    const zeroDataRetention = body.zeroDataRetention || body.scrapeOptions.zeroDataRetention;
    checkArchive(body, { ...body.scrapeOptions, zeroDataRetention }, context);
  })
  .transform(resolveRetention);

/** Fields that the caller sent take precedence over options derived from the prompt. */
function withGiven(request: z.output<typeof crawlBody>, given: readonly string[]) {
  return { ...request, given };
}

const options = z.record(z.string(), z.unknown());

const crawlStarted = z.object({
  ...jobStarted,
  promptGeneratedOptions: options.optional().describe("Options derived from the prompt"),
  finalCrawlerOptions: options.optional().describe("Options the crawl runs with"),
  warning,
});
const crawlEstimate = z.object({
  success,
  estimate: z.object({
    pages: z.int(),
    credits: z.number(),
    seconds: z.number(),
    bytes: z.number(),
    basis: z
      .object({ pages: z.string(), credits: z.string(), seconds: z.string(), bytes: z.string() })
      .describe("How each figure was found"),
  }),
  warning,
});

export const crawlResponse = z.union([crawlStarted, crawlEstimate]);

/** How the options of a running crawl are shown. */
const shownScrapeOptions = z.looseObject({
  formats: z.array(z.union([z.string(), options])).optional(),
  parsers: z.array(z.union([z.string(), options])).optional(),
  actions: z.array(options).optional(),
  headers: z.record(z.string(), z.string()).optional(),
});
const shownCrawl = {
  id: z.string(),
  teamId: z.string(),
  url: z.string(),
  created_at: time.optional(),
  options: z.looseObject({ scrapeOptions: shownScrapeOptions }),
};
export const activeCrawls = z.object({ success, crawls: z.array(z.object(shownCrawl)) });

const crawlsQuery = z.strictObject({
  status: jobProgress.status.optional().describe("Only crawls with this status"),
  ...cursorQuery,
});
const crawlList = z.object({
  success,
  crawls: z.array(
    z.object({
      ...shownCrawl,
      ...jobProgress,
      paused: z.boolean().optional().describe("Whether the crawl is paused"),
      completedAt: time.optional(),
      expiresAt: time.optional(),
      stopReason: z.string().optional().describe("The limit that ended the crawl"),
    }),
  ),
  ...cursorEnd,
});

const previewBody = z.strictObject({
  url: crawlKeys.url,
  prompt: promptField("What to crawl, in plain language"),
  ...senderKeys,
});
const preview = z.object({ success, data: z.looseObject({ url: z.string() }), warning });

const endpoint = section({ tag: "Crawl", group: "crawl", notFound: "JOB_NOT_FOUND", rateGroup: "status" });

export const crawlEndpoints = [
  endpoint("POST /v2/crawl", "startCrawl", "Start a crawl of a site", {
    body: crawlBody,
    response: crawlResponse,
    rateGroup: "job",
    activity: "crawl",
    toInput: withGiven,
  }),
  endpoint("GET /v2/crawl", "listCrawls", "List the team's crawls, running and ended, the newest first", {
    query: crawlsQuery,
    response: crawlList,
  }),
  endpoint("GET /v2/crawl/active", "listActiveCrawls", "List the team's running crawls", { response: activeCrawls }),
  endpoint("GET /v2/crawl/ongoing", "listActiveCrawls", "List the team's running crawls (alias)", {
    response: activeCrawls,
  }),
  endpoint("POST /v2/crawl/params-preview", "previewCrawl", "Preview the crawl options that a prompt produces", {
    body: previewBody,
    response: preview,
    rateGroup: "scrape",
  }),
  ...startedJobEndpoints("/v2/crawl", "Crawl", "crawl"),
];
