// Papers: found by words, looked up by a name, and those that are related to one.
import * as z from "zod";
import { nameField, queryBoolean, queryInteger, queryList, success } from "../fields/common-fields.ts";
import { section } from "../table/endpoint.ts";

const names = (most: number, description: string) =>
  queryList(z.array(z.string()).max(most)).prefault([]).describe(description);
export const searchText = z.string().min(1).max(2000).regex(/\S/, "Must not be blank");
const kOf = (most: number, otherwise: number) =>
  queryInteger(z.int().min(1).max(most)).prefault(otherwise).describe("Maximum number of results");
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, "Must be a date such as 2026-01-31")
  .refine((text) => !Number.isNaN(Date.parse(text)), "Must be a date such as 2026-01-31");
const sender = { origin: z.string().optional().describe("Accepted and ignored") };

const ids = z
  .object({
    arxiv: z.array(z.string()).optional(),
    pmid: z.array(z.string()).optional(),
    pmcid: z.array(z.string()).optional(),
    doi: z.array(z.string()).optional(),
    openalex: z.array(z.string()).optional(),
  })
  .describe("Names of the paper, without prefix or version");
const result = z.object({
  paperId: z.string(),
  primaryId: z.string(),
  ids: ids.optional(),
  title: z.string(),
  abstract: z.string(),
  score: z.number().describe("0 to 1"),
});
const relatedResult = result.extend({
  signals: z.object({
    structural: z.number(),
    semantic: z.number(),
    articleRank: z.number(),
    seedOverlap: z.number(),
  }),
});
const warning = z.string().optional().describe("Sources that failed");
const papers = z.object({ success, results: z.array(result), warning });
const similar = z.object({
  success,
  results: z.array(relatedResult),
  poolSize: z.int().describe("Papers that were considered"),
  truncated: z.boolean().describe("Whether more were found than returned"),
  note: z.string().nullish(),
  warning,
});
const paper = z.object({
  success,
  paper: z.object({
    paperId: z.string(),
    ids: ids.optional(),
    title: z.string(),
    abstract: z.string(),
    authors: z.string().optional(),
    categories: z.array(z.string()).optional(),
    createdDate: z.string().optional(),
    updateDate: z.string().optional(),
  }),
  paperId: z.string().optional(),
  query: z.string().optional(),
  passages: z
    .array(z.object({ text: z.string(), score: z.number() }))
    .optional()
    .describe("With query: the passages of the paper that fit it, best first"),
  warning,
});

const params = z.strictObject({ id: nameField("Id of the paper: arXiv id, DOI, or a name with its prefix") });
const endpoint = section({
  tag: "Search",
  group: "search",
  rateGroup: "scrape",
  activity: "search",
  badRequest: "Invalid query parameters",
});

const goneEndpoint = section({ tag: "Search", group: "search", rateGroup: "status", response: z.object({ success }) });

export const researchEndpoints = [
  endpoint("GET /v2/search/research/papers", "searchPapers", "Search papers", {
    query: z.strictObject({
      query: searchText.describe("What to search for"),
      k: kOf(500, 40),
      authors: names(20, "Only papers by all of these: part of a name each"),
      categories: names(20, "Only papers in all of these categories"),
      from: day.optional().describe("Only papers from this day on"),
      to: day.optional().describe("Only papers up to this day"),
      ...sender,
    }),
    response: papers,
  }),
  endpoint("GET /v2/search/research/papers/{id}", "readPaper", "Get a paper, or the passages in it that fit a query", {
    params,
    query: z
      .strictObject({
        query: searchText.optional().describe("Passages to look for"),
        k: queryInteger(z.int().min(1).max(50)).optional().describe("Maximum number of passages; needs query"),
        ...sender,
      })
      .refine(({ query, k }) => k === undefined || query !== undefined, { path: ["k"], message: "Needs query" }),
    response: paper,
    notFound: "PAPER_NOT_FOUND",
  }),
  endpoint("GET /v2/search/research/papers/{id}/similar", "listSimilarPapers", "List papers related to a paper", {
    params,
    query: z.strictObject({
      intent: searchText.describe("What the related papers are for; the results are ordered by it"),
      mode: z
        .enum(["similar", "citers", "references"])
        .default("similar")
        .describe("Similar papers, those that cite it, or those that it cites"),
      k: kOf(500, 40),
      rerank: queryBoolean().prefault(true).describe("Let the intent decide the order, more than the links"),
      anchor: names(20, "Further papers to start from"),
      ...sender,
    }),
    response: similar,
    notFound: "PAPER_NOT_FOUND",
  }),
  goneEndpoint("GET /v2/search/research/github", "searchPaperCode", "Search the repositories of papers (gone)", {
    refusal: "RESEARCH_GITHUB_GONE",
  }),
];
