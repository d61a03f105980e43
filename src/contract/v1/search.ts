// v1 search returns one flat list of results.
import * as z from "zod";
import { invalidSearch, queryField, type searchResponse, sharedSearchFields, webResult } from "../endpoints/search.ts";
import { senderKeys, success } from "../fields/common-fields.ts";
import { section } from "../table/endpoint.ts";
import { fromV2Document, v1Document } from "./document.ts";
import { toV1FieldPath, v1OptionalScrapeOptions } from "./scrape-options.ts";

const searchBody = z
  .strictObject({
    ...sharedSearchFields,
    query: queryField(),
    limit: z.int().min(1).max(100).default(5).describe("Maximum number of results"),
    lang: z.string().max(1024).default("en").describe("Language of the results"),
    country: z.string().max(1024).default("us").describe("Country code of the searcher"),
    filter: z.unknown().optional().describe("Accepted and ignored"),
    scrapeOptions: v1OptionalScrapeOptions.prefault({}),
    ...senderKeys,
  })
  .transform(({ filter, ...body }) => ({
    ...body,
    sources: [{ type: "web" as const }],
    categories: [],
    includeDomains: [],
    excludeDomains: [],
    safe: undefined,
    objective: undefined,
    asyncScraping: false,
    highlights: true,
    excludeSeen: [],
    trace: body.scrapeOptions.trace,
    extras: false,
    threatProtection: undefined,
    auditMetadata: undefined,
  }));

const response = z.object({
  success,
  data: z.array(
    webResult
      .omit({ position: true, category: true, engines: true, date: true })
      .safeExtend({ extract: v1Document.shape.extract }),
  ),
  warning: z.string().nullable().describe("What is missing or may be wrong"),
  id: z.string().describe("Id of the search"),
});

function fromV2(answer: z.output<typeof searchResponse>): z.output<typeof response> {
  const results = answer.data.web ?? [];
  return {
    success: answer.success,
    data: results.map(({ position, category, engines, date, ...result }) => fromV2Document(result)),
    warning: answer.warning ?? null,
    id: answer.id,
  };
}

const endpoint = section({ tag: "Search", group: "search", rateGroup: "scrape" });

export const v1SearchEndpoints = [
  endpoint("POST /v1/search", "search", "Search the web", {
    body: searchBody,
    badRequest: invalidSearch,
    response,
    activity: "search",
    toResponse: fromV2,
    toFieldPath: toV1FieldPath,
  }),
];
