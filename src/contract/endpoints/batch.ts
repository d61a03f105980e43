// Batch scrape: a list of URLs as one job.
import * as z from "zod";
import { maxUrlLength } from "../../base/index.ts";
import { archiveKeys, archiveOf, checkArchive } from "../fields/archive-fields.ts";
import { checkUrlList, senderKeys, success, time, uuidField, warning } from "../fields/common-fields.ts";
import { jobProgress, jobStarted, retentionHours } from "../fields/job.ts";
import { cursorEnd, cursorQuery } from "../fields/list-cursor.ts";
import { checkScrapeOptions, resolveScrapeOptions, scrapeFields } from "../fields/scrape-options.ts";
import { webhookField } from "../fields/webhook.ts";
import { section } from "../table/endpoint.ts";
import { startedJobEndpoints } from "./started-job.ts";

/** Kept as sent: invalid entries may be reported instead of refused. */
export const urlList = z.array(z.string().max(maxUrlLength)).min(1).max(10_000);

export const batchKeys = {
  urls: urlList.describe("URLs to scrape"),
  webhook: webhookField("BatchWebhook", "batch_scrape", [
    "started",
    "page",
    "paused",
    "resumed",
    "completed",
    "failed",
  ]).optional(),
  maxConcurrency: z
    .int()
    .min(1)
    .optional()
    .describe("Maximum pages in progress at the same time, up to the team's limit"),
  ignoreInvalidURLs: z
    .boolean()
    .default(true)
    .describe("Report invalid URLs in the response instead of failing the request"),
  appendToId: uuidField("Id of a running batch to add these URLs to").optional(),
};

export const batchBody = z
  .strictObject({
    ...batchKeys,
    retentionHours: retentionHours.optional(),
    ...scrapeFields,
    ...archiveKeys,
    ...senderKeys,
  })
  .superRefine(checkScrapeOptions)
  .superRefine((body, context) => checkArchive(body, body, context))
  .superRefine((body, context) => {
    if (!body.ignoreInvalidURLs) checkUrlList(body.urls, "urls", context);
  })
  .transform((fields) => {
    const { urls, webhook, maxConcurrency, ignoreInvalidURLs, appendToId, origin, integration } = fields;
    const scrapeOptions = resolveScrapeOptions(fields);
    const batch = { urls, webhook, maxConcurrency, ignoreInvalidURLs, appendToId };
    const kept = fields.retentionHours === undefined ? {} : { retentionHours: fields.retentionHours };
    return { ...batch, ...kept, ...archiveOf(fields), scrapeOptions, origin, integration };
  });

export const batchStarted = z.object({
  ...jobStarted,
  invalidURLs: z.array(z.string()).optional().describe("Invalid URLs; absent unless ignoreInvalidURLs is set"),
  warning,
});

const batchList = z.object({
  success,
  batchScrapes: z.array(
    z.object({
      id: z.string(),
      teamId: z.string(),
      created_at: time,
      urlCount: z.int(),
      status: jobProgress.status,
      completed: jobProgress.completed,
      total: jobProgress.total,
    }),
  ),
  ...cursorEnd,
});

const endpoint = section({ tag: "Batch", group: "batch", notFound: "JOB_NOT_FOUND", rateGroup: "status" });

export const batchEndpoints = [
  endpoint("POST /v2/batch/scrape", "startBatch", "Start a batch scrape of many URLs", {
    body: batchBody,
    response: batchStarted,
    rateGroup: "job",
    activity: "batch_scrape",
  }),
  endpoint(
    "GET /v2/batch/scrape",
    "listBatches",
    "List the team's batch scrapes, running and ended, the newest first",
    {
      query: z.strictObject({
        status: jobProgress.status.optional().describe("Only batch scrapes with this status"),
        ...cursorQuery,
      }),
      response: batchList,
    },
  ),
  ...startedJobEndpoints("/v2/batch/scrape", "Batch", "batch scrape"),
];
