// Two features that exist only in v1 and are deprecated there. Neither is served.
import * as z from "zod";
import { idParams, promptField, senderKeys, success, time, urlField } from "../fields/common-fields.ts";
import { section } from "../table/endpoint.ts";

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

const endpoint = section({ tag: "Other", rateGroup: "job" });

export const v1DeprecatedEndpoints = [
  endpoint("POST /v1/deep-research", "startDeepResearch", "Start a research job", {
    body: researchBody,
    response: started,
  }),
  endpoint("GET /v1/deep-research/{id}", "readDeepResearch", "Get the result of a research job", {
    params: idParams,
    response: status,
    rateGroup: "status",
    notFound: "JOB_NOT_FOUND",
  }),
  endpoint("POST /v1/llmstxt", "startLlmsText", "Start generating an llms.txt", {
    body: llmsTextBody,
    response: started,
  }),
  endpoint("GET /v1/llmstxt/{id}", "readLlmsText", "Get the llms.txt of a site", {
    params: idParams,
    response: status,
    rateGroup: "status",
    notFound: "JOB_NOT_FOUND",
  }),
];
