import * as z from "zod";
import { batchKeys, batchStarted } from "../endpoints/batch.ts";
import { checkUrlList, senderKeys } from "../fields/common-fields.ts";
import { section } from "../table/endpoint.ts";
import { fromV2Started, v1JobEndpoints } from "./job.ts";
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

const endpoint = section({ tag: "Batch", group: "batch", rateGroup: "job" });
export const v1BatchEndpoints = [
  endpoint("POST /v1/batch/scrape", "startBatch", "Start a batch scrape of many URLs", {
    body: batchBody,
    response: batchStarted,
    activity: "batch_scrape",
    toResponse: fromV2Started<z.output<typeof batchStarted>>,
    toFieldPath: toV1FieldPath,
  }),
  ...v1JobEndpoints("/v1/batch/scrape", "Batch", "batch scrape"),
];
