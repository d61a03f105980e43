import * as z from "zod";
import { readScrapeResponse, scrapeResponse } from "../endpoints/scrape.ts";
import { idParams, senderKeys, urlField } from "../fields/common-fields.ts";
import { section } from "../table/endpoint.ts";
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

const readResponse = readScrapeResponse.safeExtend({ data: v1Document.optional() });

const readFromV2 = ({ data, ...answer }: z.output<typeof readScrapeResponse>) =>
  data === undefined ? answer : { ...answer, data: fromV2Document(data) };

const endpoint = section({ tag: "Scrape", group: "scrape", rateGroup: "scrape" });

export const v1ScrapeEndpoints = [
  endpoint("POST /v1/scrape", "scrape", "Scrape one page", {
    body: scrapeBody,
    response,
    activity: "scrape",
    toResponse: fromV2,
    toFieldPath: toV1FieldPath,
  }),
  endpoint("GET /v1/scrape/{id}", "readScrape", "Get the result of a scrape again", {
    params: idParams,
    response: readResponse,
    rateGroup: "status",
    notFound: "JOB_NOT_FOUND",
    toResponse: readFromV2,
  }),
];
