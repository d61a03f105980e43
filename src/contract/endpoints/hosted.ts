// Rows of the hosted service that depend on its own data. None is served.
import * as z from "zod";
import { senderKeys, success, uuidField } from "../fields/common-fields.ts";
import { section } from "../table/endpoint.ts";

const supportBody = z.strictObject({
  question: z.string().min(1).max(10_000).describe("The question"),
  jobId: uuidField("Job the question is about").optional(),
  rationale: z.string().max(10_000).optional().describe("Why you ask"),
  ...senderKeys,
});
const supportAnswer = z.object({
  answer: z.string(),
  confidence: z.string().optional(),
  fixParameters: z.record(z.string(), z.unknown()).optional(),
  sources: z.array(z.unknown()).optional(),
  docs: z.array(z.unknown()).optional(),
  durationMs: z.number().optional(),
});

const support = section({ tag: "Other", group: "team", rateGroup: "scrape", response: supportAnswer });
const exchange = section({
  tag: "Other",
  group: "team",
  rateGroup: "status",
  params: z.strictObject({ path: z.string().describe("Any path") }),
  response: z.object({ success }),
  refusal: "EXCHANGE_NOT_ENABLED",
});

export const hostedEndpoints = [
  support("POST /v2/support/ask", "askSupport", "Ask about a job", { body: supportBody }),
  support("POST /v2/support/docs-search", "searchSupport", "Search the documentation", { body: supportBody }),
  exchange("GET /exchange/{path+}", "askExchange", "Data catalog of the hosted service", {}),
  exchange("POST /exchange/{path+}", "askExchange", "Data catalog of the hosted service", {}),
];
