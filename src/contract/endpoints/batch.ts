// Batch scrape: a list of URLs as one job.
import * as z from "zod";
import { maxUrlLength } from "../../base/index.ts";
import { checkUrlList, emptyBody, idParams, pageQuery, senderKeys, uuidField, warning } from "../fields/fields.ts";
import {
  exportFile,
  exportQuery,
  jobCancelled,
  jobErrors,
  jobMessage,
  jobPaused,
  jobStarted,
  jobStatus,
  retentionHours,
} from "../fields/job.ts";
import { checkScrapeOptions, resolveScrapeOptions, scrapeFields } from "../fields/scrape-options.ts";
import { webhookField } from "../fields/webhook.ts";
import { endpoint } from "../table/endpoint.ts";

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

const batchBody = z
  .strictObject({ ...batchKeys, retentionHours: retentionHours.optional(), ...scrapeFields, ...senderKeys })
  .superRefine(checkScrapeOptions)
  .superRefine((body, context) => {
    if (!body.ignoreInvalidURLs) checkUrlList(body.urls, "urls", context);
  })
  .transform((fields) => {
    const { urls, webhook, maxConcurrency, ignoreInvalidURLs, appendToId, origin, integration } = fields;
    const scrapeOptions = resolveScrapeOptions(fields);
    const batch = { urls, webhook, maxConcurrency, ignoreInvalidURLs, appendToId };
    const kept = fields.retentionHours === undefined ? {} : { retentionHours: fields.retentionHours };
    return { ...batch, ...kept, scrapeOptions, origin, integration };
  });

export const batchStarted = z.object({
  ...jobStarted,
  invalidURLs: z.array(z.string()).optional().describe("Invalid URLs; absent unless ignoreInvalidURLs is set"),
  warning,
});

const row = { tag: "Batch", notFound: "JOB_NOT_FOUND" } as const;

export const batchEndpoints = [
  endpoint({
    ...row,
    method: "POST",
    path: "/v2/batch/scrape",
    summary: "Start a batch scrape of many URLs",
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
    summary: "Get the status and documents of a batch scrape",
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
    summary: "Follow a batch scrape",
    operation: "watchBatch",
    params: idParams,
    response: jobMessage,
    rateGroup: "status",
  }),
  endpoint({
    ...row,
    method: "DELETE",
    path: "/v2/batch/scrape/{id}",
    summary: "Cancel a batch scrape",
    operation: "cancelBatch",
    params: idParams,
    response: jobCancelled,
    rateGroup: "status",
  }),
  endpoint({
    ...row,
    method: "GET",
    path: "/v2/batch/scrape/{id}/errors",
    summary: "List the errors of a batch scrape",
    operation: "listBatchErrors",
    params: idParams,
    response: jobErrors,
    rateGroup: "status",
  }),
  endpoint({
    ...row,
    method: "GET",
    path: "/v2/batch/scrape/{id}/export",
    summary: "Download the documents of a batch scrape that has ended as one file",
    operation: "exportBatch",
    params: idParams,
    query: exportQuery,
    response: exportFile,
    responseType: "application/octet-stream",
    isFile: true,
    rateGroup: "status",
  }),
  endpoint({
    ...row,
    method: "POST",
    path: "/v2/batch/scrape/{id}/pause",
    summary: "Pause a batch scrape",
    operation: "pauseBatch",
    params: idParams,
    body: emptyBody,
    response: jobPaused,
    rateGroup: "status",
  }),
  endpoint({
    ...row,
    method: "POST",
    path: "/v2/batch/scrape/{id}/resume",
    summary: "Resume a paused batch scrape",
    operation: "resumeBatch",
    params: idParams,
    body: emptyBody,
    response: jobPaused,
    rateGroup: "status",
  }),
];
