import * as z from "zod";
import { batchKeys, batchStarted } from "../endpoints/batch.ts";
import { checkUrlList, idParams, pageQuery, senderKeys } from "../fields/common-fields.ts";
import { jobCancelled, jobErrors } from "../fields/job.ts";
import { section } from "../table/endpoint.ts";
import { fromV2Started, fromV2Status, v1JobStatus } from "./job.ts";
import { checkV1ScrapeOptions, toV1FieldPath, toV2ScrapeOptions, v1ScrapeFields } from "./scrape-options.ts";

const batchBody = z
  .strictObject({
    ...batchKeys,
    ignoreInvalidURLs: z
      .boolean()
      .default(false)
      .describe("Report invalid URLs in the response instead of failing the request"),
    ...v1ScrapeFields,
    ...senderKeys,
  })
  .superRefine(checkV1ScrapeOptions)
  .superRefine((body, context) => {
    if (!body.ignoreInvalidURLs) checkUrlList(body.urls, "urls", context);
  })
  .transform(({ urls, webhook, maxConcurrency, ignoreInvalidURLs, appendToId, origin, integration, ...options }) => ({
    urls,
    webhook,
    maxConcurrency,
    ignoreInvalidURLs,
    appendToId,
    scrapeOptions: toV2ScrapeOptions(options),
    origin,
    integration,
  }));

const endpoint = section({ tag: "Batch", rateGroup: "status", notFound: "JOB_NOT_FOUND" });
const listErrors = [
  "listBatchErrors",
  "List the errors of a batch scrape",
  { params: idParams, response: jobErrors },
] as const;

export const v1BatchEndpoints = [
  endpoint("POST /v1/batch/scrape", "startBatch", "Start a batch scrape of many URLs", {
    body: batchBody,
    response: batchStarted,
    rateGroup: "job",
    activity: "batch_scrape",
    toResponse: fromV2Started<z.output<typeof batchStarted>>,
    toFieldPath: toV1FieldPath,
  }),
  endpoint("GET /v1/batch/scrape/{id}", "readBatch", "Get the status and documents of a batch scrape", {
    params: idParams,
    query: pageQuery,
    response: v1JobStatus,
    toResponse: fromV2Status,
  }),
  endpoint("DELETE /v1/batch/scrape/{id}", "cancelBatch", "Cancel a batch scrape", {
    params: idParams,
    response: jobCancelled,
  }),
  endpoint("GET /v1/batch/scrape/{id}/errors", ...listErrors),
  // An official client lists with this verb; nothing is deleted.
  endpoint("DELETE /v1/batch/scrape/{id}/errors", ...listErrors),
];
