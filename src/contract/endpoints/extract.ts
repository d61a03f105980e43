// Extract: structured data from many pages, as a job.
import * as z from "zod";
import { replay } from "../fields/archive-fields.ts";
import {
  checkUrlList,
  idParams,
  jsonSchemaField,
  optionalPromptField,
  promptField,
  senderKeys,
  success,
  threatProtection,
  time,
  timeoutField,
  warning,
} from "../fields/common-fields.ts";
import { trace } from "../fields/document.ts";
import { evidence } from "../fields/outputs.ts";
import { scrapeOptions } from "../fields/scrape-options.ts";
import { webhookField } from "../fields/webhook.ts";
import { section } from "../table/endpoint.ts";
import { urlList } from "./batch.ts";

/** Fields that v1 has under the same names. */
const extractFields = {
  urls: urlList.describe("URLs of the pages; * matches any part of the path"),
  prompt: optionalPromptField("What to extract, in plain language"),
  schema: jsonSchemaField().optional(),
  systemPrompt: promptField("Instructions for the language model").optional(),
  enableWebSearch: z.boolean().default(false).describe("Search the web for more pages"),
  ignoreSitemap: z.boolean().default(false).describe("Do not use sitemaps to find pages"),
  includeSubdomains: z.boolean().default(true).describe("Include subdomains"),
  allowExternalLinks: z.boolean().default(false).describe("Include linked sites"),
  showSources: z.boolean().default(false).describe("Include the pages that were used"),
  webhook: webhookField("ExtractWebhook", "extract", ["started", "completed", "failed"]).optional(),
  limit: z.int().min(1).optional().describe("Maximum number of pages to read"),
  timeout: timeoutField().optional().describe("Timeout of the whole job, in milliseconds"),
  evidence: z.boolean().default(false).describe("Report where each field was found"),
  trace: z.boolean().default(false).describe("Include the steps that were taken"),
  threatProtection: threatProtection.optional().describe("URL policy for this request"),
  agent: z.unknown().optional().describe("Accepted and ignored"),
  urlTrace: z.unknown().optional().describe("Accepted and ignored"),
};

/** v1 differs in its scrape options and in the default of ignoreInvalidURLs. */
export function extractBodyWith<Options extends z.ZodType>(options: Options, ignoreInvalidURLs: boolean) {
  return z
    .strictObject({
      ...extractFields,
      scrapeOptions: options,
      replay: replay.optional(),
      ignoreInvalidURLs: z
        .boolean()
        .default(ignoreInvalidURLs)
        .describe("Report invalid URLs in the response instead of failing the request"),
      ...senderKeys,
    })
    .superRefine((body, context) => {
      if (!body.ignoreInvalidURLs) checkUrlList(body.urls, "urls", context);
      if (body.replay === undefined || !body.enableWebSearch) return;
      const message = "enableWebSearch cannot be combined with replay, which makes no connection";
      context.addIssue({ code: "custom", path: ["enableWebSearch"], message });
    })
    .transform(({ agent, urlTrace, ...body }) => body);
}

export const extractStarted = z.object({
  success,
  id: z.string(),
  invalidURLs: z.array(z.string()).nullish().describe("Invalid URLs; absent unless ignoreInvalidURLs is set"),
  urlTrace: z.array(z.unknown()).optional(),
  warning,
});

export const extractStatus = z.object({
  success: z.boolean().describe("False only when the job has failed"),
  status: z.enum(["processing", "completed", "failed", "cancelled"]),
  data: z.unknown().optional().describe("The data that was found"),
  error: z.string().optional(),
  expiresAt: time.optional(),
  sources: z.record(z.string(), z.array(z.string())).optional().describe("URLs of the pages used, by field"),
  evidence: evidence.optional(),
  trace: trace.optional(),
  tokensUsed: z.number().optional(),
  creditsUsed: z.number().optional(),
  warning,
});

const endpoint = section({ tag: "Extract", group: "extract", rateGroup: "job" });

export const extractEndpoints = [
  endpoint("POST /v2/extract", "startExtract", "Start extracting structured data from pages", {
    body: extractBodyWith(scrapeOptions.prefault({}), true),
    response: extractStarted,
    activity: "extract",
  }),
  endpoint("GET /v2/extract/{id}", "readExtract", "Get the status and result of an extract job", {
    params: idParams,
    response: extractStatus,
    rateGroup: "status",
    notFound: "EXTRACT_NOT_FOUND",
  }),
];
