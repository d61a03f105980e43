import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { extractStarted, extractStatus, sharedExtractFields } from "../extract.ts";
import { checkUrlList, idParams, senderKeys } from "../fields.ts";
import { v1ScrapeOptions } from "./scrape-options.ts";

const extractBody = z
  .strictObject({
    ...sharedExtractFields,
    scrapeOptions: v1ScrapeOptions.prefault({}),
    ignoreInvalidURLs: z.boolean().default(false).describe("List bad addresses in the answer instead of failing"),
    ...senderKeys,
  })
  .superRefine((body, context) => {
    if (!body.ignoreInvalidURLs) checkUrlList(body.urls, "urls", context);
  })
  .transform(({ agent, urlTrace, ...body }) => body);

export const v1ExtractEndpoints = [
  endpoint({
    method: "POST",
    path: "/v1/extract",
    tag: "Extract",
    summary: "Start extracting structured data from pages",
    operation: "startExtract",
    body: extractBody,
    response: extractStarted,
    rateGroup: "job",
    activity: "extract",
  }),
  endpoint({
    method: "GET",
    path: "/v1/extract/{id}",
    tag: "Extract",
    summary: "Read the result of an extract job",
    operation: "readExtract",
    params: idParams,
    response: extractStatus,
    rateGroup: "status",
    notFound: "EXTRACT_NOT_FOUND",
  }),
];
