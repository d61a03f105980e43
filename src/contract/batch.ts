// Reading a list of pages as one job.
import { z } from "zod";
import { maxUrlLength } from "../base/index.ts";
import { endpoint } from "./endpoint.ts";
import { checkUrlList, idParams, pageQuery, senderKeys, uuidField, warning } from "./fields.ts";
import { jobCancelled, jobErrors, jobMessage, jobStarted, jobStatus } from "./job.ts";
import { checkScrapeOptions, resolveScrapeOptions, scrapeFields } from "./scrape-options.ts";
import { webhookField } from "./webhook.ts";

/** A list whose bad entries may be sorted out later, so that they stay as they were sent. */
export const urlList = z.array(z.string().max(maxUrlLength)).min(1).max(10_000);

export const batchKeys = {
  urls: urlList.describe("Addresses of the pages"),
  webhook: webhookField("BatchWebhook", "batch_scrape", ["started", "page", "completed", "failed"]).optional(),
  maxConcurrency: z.int().min(1).optional().describe("Pages read at the same time; at most the team's limit"),
  ignoreInvalidURLs: z.boolean().default(true).describe("List bad addresses in the answer instead of failing"),
  appendToId: uuidField("Running batch that takes these addresses").optional(),
};

const batchBody = z
  .strictObject({ ...batchKeys, ...scrapeFields, ...senderKeys })
  .superRefine(checkScrapeOptions)
  .superRefine((body, context) => {
    if (!body.ignoreInvalidURLs) checkUrlList(body.urls, "urls", context);
  })
  .transform((fields) => {
    const { urls, webhook, maxConcurrency, ignoreInvalidURLs, appendToId, origin, integration } = fields;
    const scrapeOptions = resolveScrapeOptions(fields);
    return { urls, webhook, maxConcurrency, ignoreInvalidURLs, appendToId, scrapeOptions, origin, integration };
  });

export const batchStarted = z.object({
  ...jobStarted,
  invalidURLs: z.array(z.string()).optional().describe("Bad addresses; absent unless they are ignored"),
  warning,
});

const row = { tag: "Batch", notFound: "JOB_NOT_FOUND" } as const;

export const batchEndpoints = [
  endpoint({
    ...row,
    method: "POST",
    path: "/v2/batch/scrape",
    summary: "Start reading a list of pages",
    operation: "startBatch",
    body: batchBody,
    response: batchStarted,
    rateGroup: "job",
    activity: "batch_scrape",
  }),
  endpoint({
    ...row,
    method: "GET",
    path: "/v2/batch/scrape/{id}",
    summary: "Read how far a batch is, and its documents",
    operation: "readBatch",
    params: idParams,
    query: pageQuery,
    response: jobStatus,
    rateGroup: "status",
  }),
  endpoint({
    ...row,
    method: "WS",
    path: "/v2/batch/scrape/{id}",
    summary: "Watch a batch",
    operation: "watchBatch",
    params: idParams,
    response: jobMessage,
    rateGroup: "status",
  }),
  endpoint({
    ...row,
    method: "DELETE",
    path: "/v2/batch/scrape/{id}",
    summary: "Cancel a batch",
    operation: "cancelBatch",
    params: idParams,
    response: jobCancelled,
    rateGroup: "status",
  }),
  endpoint({
    ...row,
    method: "GET",
    path: "/v2/batch/scrape/{id}/errors",
    summary: "List the pages of a batch that could not be read",
    operation: "listBatchErrors",
    params: idParams,
    response: jobErrors,
    rateGroup: "status",
  }),
];
