// Two features that exist only in v1 and are deprecated there. Neither is served.
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { idParams, promptField, senderKeys, success, time, urlField } from "../fields.ts";

const most = (description: string) => z.int().min(1).optional().describe(description);

const researchBody = z.strictObject({
  query: promptField("What to find out").optional(),
  topic: promptField("Old name of query").optional(),
  maxDepth: most("Rounds of searching"),
  maxUrls: most("Pages to read"),
  timeLimit: most("Seconds for the whole job"),
  analysisPrompt: promptField("How to write the answer").optional(),
  systemPrompt: promptField("How the model should work").optional(),
  formats: z.array(z.unknown()).max(64).optional().describe("Forms of the answer"),
  jsonOptions: z.record(z.string(), z.unknown()).optional().describe("Options of the json form"),
  ...senderKeys,
});
const llmsTextBody = z.strictObject({
  url: urlField("Address of the site"),
  maxUrls: most("Pages to read"),
  showFullText: z.boolean().optional().describe("Also answer the full text"),
  cache: z.boolean().optional().describe("Whether an older result will do"),
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
    summary: "Start researching a question",
    operation: "startDeepResearch",
    body: researchBody,
    response: started,
    rateGroup: "job",
  }),
  endpoint({
    ...row,
    method: "GET",
    path: "/v1/deep-research/{id}",
    summary: "Read the result of a research",
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
    summary: "Start writing an llms.txt",
    operation: "startLlmsText",
    body: llmsTextBody,
    response: started,
    rateGroup: "job",
  }),
  endpoint({
    ...row,
    method: "GET",
    path: "/v1/llmstxt/{id}",
    summary: "Read the llms.txt of a site",
    operation: "readLlmsText",
    params: idParams,
    response: status,
    rateGroup: "status",
    notFound: "JOB_NOT_FOUND",
  }),
];
