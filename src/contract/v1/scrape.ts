import * as z from "zod";
import { scrapeResponse } from "../endpoints/scrape.ts";
import { idParams, senderKeys, urlField } from "../fields/fields.ts";
import { endpoint } from "../table/endpoint.ts";
import { fromV2Document, v1Document } from "./document.ts";
import { checkV1ScrapeOptions, toV1FieldPath, toV2ScrapeOptions, v1ScrapeFields } from "./scrape-options.ts";

const scrapeBody = z
  .strictObject({ url: urlField("URL of the page"), ...v1ScrapeFields, ...senderKeys })
  .superRefine(checkV1ScrapeOptions)
  .transform(({ url, origin, integration, ...options }) => ({
    url,
    scrapeOptions: toV2ScrapeOptions(options),
    origin,
    integration,
  }));

const response = scrapeResponse.safeExtend({ data: v1Document });

const fromV2 = (answer: z.output<typeof scrapeResponse>) => ({ ...answer, data: fromV2Document(answer.data) });

export const v1ScrapeEndpoints = [
  endpoint({
    method: "POST",
    path: "/v1/scrape",
    tag: "Scrape",
    summary: "Scrape one page",
    operation: "scrape",
    body: scrapeBody,
    response,
    rateGroup: "scrape",
    activity: "scrape",
    toResponse: fromV2,
    toFieldPath: toV1FieldPath,
  }),
  endpoint({
    method: "GET",
    path: "/v1/scrape/{id}",
    tag: "Scrape",
    summary: "Get the result of a scrape again",
    operation: "readScrape",
    params: idParams,
    response,
    rateGroup: "status",
    notFound: "JOB_NOT_FOUND",
    toResponse: fromV2,
  }),
];
