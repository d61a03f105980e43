// Two features that exist only in v1 and are deprecated there. Neither is served.
import * as z from "zod";
import { idParams, promptField, senderKeys, success, time, urlField } from "../fields/fields.ts";
import { endpoint } from "../table/endpoint.ts";

const most = (description: string) => z.int().min(1).optional().describe(description);

const researchBody = z.strictObject({
  query: promptField("Question to research").optional(),
  topic: promptField("Deprecated: use query").optional(),
  maxDepth: most("Maximum number of search rounds"),
  maxUrls: most("Maximum number of pages to read"),
  timeLimit: most("Timeout of the whole job, in seconds"),
  analysisPrompt: promptField("Instructions for the answer").optional(),
  systemPrompt: promptField("Instructions for the language model").optional(),
  formats: z.array(z.unknown()).max(64).optional().describe("Formats of the answer"),
  jsonOptions: z.record(z.string(), z.unknown()).optional().describe("Options of the json format"),
  ...senderKeys,
});
const llmsTextBody = z.strictObject({
  url: urlField("URL of the site"),
  maxUrls: most("Maximum number of pages to read"),
  showFullText: z.boolean().optional().describe("Also return the full text"),
  cache: z.boolean().optional().describe("Whether a cached result is acceptable"),
  ...senderKeys,
});

const started = z.object({ success, id: z.string() });
const status = z.object({
  success,
  status: z.enum(["processing", "completed", "failed"]),
  data: z.record(z.string(), z.unknown()).optional(),
  error: z.string().optional(),
  expiresAt: time.optional(),
});

const row = { tag: "Other" } as const;

export const v1DeprecatedEndpoints = [
  endpoint({
    ...row,
    method: "POST",
    path: "/v1/deep-research",
    summary: "Start a research job",
    operation: "startDeepResearch",
    body: researchBody,
    response: started,
    rateGroup: "job",
  }),
  endpoint({
    ...row,
    method: "GET",
    path: "/v1/deep-research/{id}",
    summary: "Get the result of a research job",
    operation: "readDeepResearch",
    params: idParams,
    response: status,
    rateGroup: "status",
    notFound: "JOB_NOT_FOUND",
  }),
  endpoint({
    ...row,
    method: "POST",
    path: "/v1/llmstxt",
    summary: "Start generating an llms.txt",
    operation: "startLlmsText",
    body: llmsTextBody,
    response: started,
    rateGroup: "job",
  }),
  endpoint({
    ...row,
    method: "GET",
    path: "/v1/llmstxt/{id}",
    summary: "Get the llms.txt of a site",
    operation: "readLlmsText",
    params: idParams,
    response: status,
    rateGroup: "status",
    notFound: "JOB_NOT_FOUND",
  }),
];
