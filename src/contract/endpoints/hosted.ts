// Rows of the hosted service that depend on its own data. None is served.
import * as z from "zod";
import { queryBoolean, queryInteger, senderKeys, success, uuidField } from "../fields/common-fields.ts";
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

/** A list in a query string: one value, or the same name several times. */
const queryList = (description: string) =>
  z
    .union([z.string(), z.array(z.string()).max(1000)])
    .optional()
    .describe(description);
const searchText = z.string().min(1).max(2000);

const developerFields = {
  query: searchText.describe("What to search for"),
  k: z.int().min(1).max(100).default(10).describe("Maximum number of results"),
  types: z
    .array(z.enum(["doc", "issue", "pull_request", "readme"]))
    .max(64)
    .optional()
    .describe("Types of text"),
  repos: z.array(z.string()).max(1000).optional().describe("Only these repositories"),
  sources: z.array(z.string()).max(20).optional().describe("Only these sources"),
  skills: z.literal("only").optional().describe("Only skill files"),
  passages: z.int().min(1).max(5).optional().describe("Passages per result"),
  language: z.string().optional().describe("Programming language"),
  topic: z.string().optional().describe("Topic of the repository"),
  license: z.string().optional().describe("License of the repository"),
  min_stars: z.int().min(0).optional().describe("Minimum number of stars"),
  max_stars: z.int().min(0).optional().describe("Maximum number of stars"),
  archived: z.boolean().optional().describe("Include archived repositories"),
  fork: z.boolean().optional().describe("Include forks"),
};
const developerQuery = z.strictObject({
  ...developerFields,
  k: queryInteger(z.int().min(1).max(100)).prefault(10).describe("Maximum number of results"),
  types: queryList("Types of text"),
  repos: queryList("Only these repositories"),
  sources: queryList("Only these sources"),
  passages: queryInteger(z.int().min(1).max(5)).optional().describe("Passages per result"),
  min_stars: queryInteger(z.int().min(0)).optional().describe("Minimum number of stars"),
  max_stars: queryInteger(z.int().min(0)).optional().describe("Maximum number of stars"),
  archived: queryBoolean().optional().describe("Include archived repositories"),
  fork: queryBoolean().optional().describe("Include forks"),
});
const results = z.object({
  success,
  results: z.array(z.looseObject({})),
  repos: z.array(z.unknown()).optional(),
  sources: z.array(z.unknown()).optional(),
  poolSize: z.int().optional(),
  truncated: z.boolean().optional(),
});

const support = section({ tag: "Other", rateGroup: "scrape", response: supportAnswer });
const search = section({ tag: "Search", rateGroup: "scrape", response: results });
const exchange = section({
  tag: "Other",
  rateGroup: "status",
  params: z.strictObject({ path: z.string().describe("Any path") }),
  response: z.object({ success }),
  refusal: "EXCHANGE_NOT_ENABLED",
});

export const hostedEndpoints = [
  support("POST /v2/support/ask", "askSupport", "Ask about a job", { body: supportBody }),
  support("POST /v2/support/docs-search", "searchSupport", "Search the documentation", { body: supportBody }),
  search("GET /v2/search/developer", "searchDeveloper", "Search code", { query: developerQuery }),
  search("POST /v2/search/developer", "searchDeveloper", "Search code and documentation", {
    body: z.strictObject({ ...developerFields, ...senderKeys }),
  }),
  exchange("GET /exchange/{path+}", "askExchange", "Data catalog of the hosted service", {}),
  exchange("POST /exchange/{path+}", "askExchange", "Data catalog of the hosted service", {}),
];
