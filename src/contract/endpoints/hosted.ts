// Rows of the hosted service that depend on its own data. None is served.
import * as z from "zod";
import { nameField, queryBoolean, queryInteger, senderKeys, success, uuidField } from "../fields/fields.ts";
import { endpoint } from "../table/endpoint.ts";

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

const k = queryInteger(z.int().min(1).max(500)).prefault(40).describe("Maximum number of results");
const papersQuery = z.strictObject({
  query: searchText.describe("What to search for"),
  k,
  authors: queryList("Only papers by these authors"),
  categories: queryList("Only papers in these categories"),
  from: z.string().optional().describe("Only papers from this date on"),
  to: z.string().optional().describe("Only papers up to this date"),
});
const paperParams = z.strictObject({ id: nameField("Id of the paper") });
const paper = z.object({
  success,
  paper: z.looseObject({}),
  paperId: z.string().optional(),
  query: z.string().optional(),
  passages: z.array(z.looseObject({})).optional(),
});

const other = { tag: "Other" } as const;
const research = {
  tag: "Search",
  method: "GET",
  rateGroup: "scrape",
} as const;
const developer = {
  tag: "Search",
  rateGroup: "scrape",
  response: results,
  operation: "searchDeveloper",
} as const;
const exchange = {
  tag: "Other",
  path: "/exchange/{path+}",
  summary: "Data catalog of the hosted service",
  operation: "askExchange",
  params: z.strictObject({ path: z.string().describe("Any path") }),
  response: z.object({ success }),
  rateGroup: "status",
  refusal: "EXCHANGE_NOT_ENABLED",
} as const;

export const hostedEndpoints = [
  endpoint({
    ...other,
    method: "POST",
    path: "/v2/support/ask",
    summary: "Ask about a job",
    operation: "askSupport",
    body: supportBody,
    response: supportAnswer,
    rateGroup: "scrape",
  }),
  endpoint({
    ...other,
    method: "POST",
    path: "/v2/support/docs-search",
    summary: "Search the documentation",
    operation: "searchSupport",
    body: supportBody,
    response: supportAnswer,
    rateGroup: "scrape",
  }),
  endpoint({
    ...developer,
    method: "GET",
    path: "/v2/search/developer",
    summary: "Search code",
    query: developerQuery,
  }),
  endpoint({
    ...developer,
    method: "POST",
    path: "/v2/search/developer",
    summary: "Search code and documentation",
    body: z.strictObject({ ...developerFields, ...senderKeys }),
  }),
  endpoint({
    ...research,
    path: "/v2/search/research/papers",
    summary: "Search papers",
    operation: "searchPapers",
    query: papersQuery,
    response: results,
  }),
  endpoint({
    ...research,
    path: "/v2/search/research/github",
    summary: "Search the repositories of papers",
    operation: "searchPaperCode",
    query: z.strictObject({ query: searchText.describe("What to search for"), k }),
    response: results,
  }),
  endpoint({
    ...research,
    path: "/v2/search/research/papers/{id}",
    summary: "Get a paper",
    operation: "readPaper",
    params: paperParams,
    query: z.strictObject({ query: searchText.optional().describe("Passages to look for"), k }),
    response: paper,
    notFound: "PAPER_NOT_FOUND",
  }),
  endpoint({
    ...research,
    path: "/v2/search/research/papers/{id}/similar",
    summary: "List papers similar to a paper",
    operation: "listSimilarPapers",
    params: paperParams,
    query: z.strictObject({
      intent: searchText.optional().describe("In what way they should be similar"),
      mode: z.enum(["similar", "citers", "references"]).optional().describe("Type of relation"),
      k,
      rerank: queryBoolean().optional().describe("Rerank the results by the intent"),
      anchor: queryList("Additional papers to compare with"),
    }),
    response: results,
    notFound: "PAPER_NOT_FOUND",
  }),
  endpoint({ ...exchange, method: "GET" }),
  endpoint({ ...exchange, method: "POST" }),
];
