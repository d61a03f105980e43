// Structured data from pages, as a job.
import { z } from "zod";
import { urlList } from "./batch.ts";
import { evidence, trace } from "./document.ts";
import { endpoint } from "./endpoint.ts";
import {
  checkUrlList,
  idParams,
  jsonSchemaField,
  promptField,
  senderKeys,
  success,
  threatProtection,
  time,
  timeoutField,
  warning,
} from "./fields.ts";
import { scrapeOptions } from "./scrape-options.ts";
import { webhookField } from "./webhook.ts";

/** Fields that v1 has under the same names. */
const extractFields = {
  urls: urlList.describe("Addresses of the pages; * stands for any part of the path"),
  prompt: promptField("What to extract").optional(),
  schema: jsonSchemaField().optional(),
  systemPrompt: promptField("How the model should work").optional(),
  enableWebSearch: z.boolean().default(false).describe("Search the web for more data"),
  ignoreSitemap: z.boolean().default(false).describe("Do not use sitemaps to find pages"),
  includeSubdomains: z.boolean().default(true).describe("Look at subdomains too"),
  allowExternalLinks: z.boolean().default(false).describe("Look at linked sites too"),
  showSources: z.boolean().default(false).describe("Answer which pages were used"),
  webhook: webhookField("ExtractWebhook", "extract", ["started", "completed", "failed"]).optional(),
  limit: z.int().min(1).optional().describe("Most pages to look at"),
  timeout: timeoutField().optional().describe("Milliseconds for the whole job"),
  evidence: z.boolean().default(false).describe("Say for each field where it was found"),
  trace: z.boolean().default(false).describe("Answer the steps that were taken"),
  threatProtection: threatProtection.optional().describe("Address policy of this request"),
  agent: z.unknown().optional().describe("Accepted and ignored"),
  urlTrace: z.unknown().optional().describe("Accepted and ignored"),
};

/** v1 differs in how it takes options, and in what becomes of bad addresses when nothing is said. */
export function extractBodyWith<Options extends z.ZodType>(options: Options, ignoreInvalidURLs: boolean) {
  return z
    .strictObject({
      ...extractFields,
      scrapeOptions: options,
      ignoreInvalidURLs: z
        .boolean()
        .default(ignoreInvalidURLs)
        .describe("List bad addresses in the answer instead of failing"),
      ...senderKeys,
    })
    .superRefine((body, context) => {
      if (!body.ignoreInvalidURLs) checkUrlList(body.urls, "urls", context);
    })
    .transform(({ agent, urlTrace, ...body }) => body);
}

export const extractStarted = z.object({
  success,
  id: z.string(),
  invalidURLs: z.array(z.string()).nullish().describe("Bad addresses; absent unless they are ignored"),
  urlTrace: z.array(z.unknown()).optional(),
  warning,
});

export const extractStatus = z.object({
  success: z.boolean().describe("False only when the job failed"),
  status: z.enum(["processing", "completed", "failed", "cancelled"]),
  data: z.unknown().optional().describe("What was found"),
  error: z.string().optional(),
  expiresAt: time.optional(),
  sources: z.record(z.string(), z.array(z.string())).optional().describe("Pages used, by field"),
  evidence: evidence.optional(),
  trace: trace.optional(),
  tokensUsed: z.number().optional(),
  creditsUsed: z.number().optional(),
  warning,
});

export const extractEndpoints = [
  endpoint({
    method: "POST",
    path: "/v2/extract",
    tag: "Extract",
    summary: "Start extracting structured data from pages",
    operation: "startExtract",
    body: extractBodyWith(scrapeOptions.prefault({}), true),
    response: extractStarted,
    rateGroup: "job",
    activity: "extract",
  }),
  endpoint({
    method: "GET",
    path: "/v2/extract/{id}",
    tag: "Extract",
    summary: "Read the result of an extract or agent job",
    operation: "readExtract",
    params: idParams,
    response: extractStatus,
    rateGroup: "status",
    notFound: "EXTRACT_NOT_FOUND",
  }),
];
