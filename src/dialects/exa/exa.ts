// Exa's API: search, contents, findSimilar and answer. There is no neural index here, and the answers say so.
import * as z from "zod";
import { newId, ServiceError } from "../../base/index.ts";
import type { Cause } from "../frame/cause.ts";
import { below, type Dialect, type DialectAnswer, dialectRow } from "../frame/dialect.ts";
import { failureText } from "../frame/dialect-fields.ts";
import { answerExaContents, exaContentsRequest } from "./read-contents.ts";
import { answerExaAnswer, answerExaSearch, exaAnswerRequest, exaSearchRequest, exaSimilarRequest } from "./search.ts";

const tags: Partial<Record<Cause, string>> = {
  badRequest: "INVALID_REQUEST_BODY",
  noKey: "INVALID_API_KEY",
  wrongKey: "INVALID_API_KEY",
  noCredits: "NO_MORE_CREDITS",
  refused: "SOURCE_NOT_AVAILABLE",
  notFound: "NOT_FOUND",
  wrongMethod: "NOT_FOUND",
  timeout: "REQUEST_TIMEOUT",
  tooLarge: "PAYLOAD_TOO_LARGE",
  rateLimited: "RATE_LIMIT_EXCEEDED",
  notServed: "NOT_IMPLEMENTED",
  unavailable: "SERVICE_UNAVAILABLE",
};

const page = z.looseObject({ id: z.string(), url: z.string(), title: z.string() });
const costDollars = z.object({ total: z.number() });
const searchResponse = z.object({
  requestId: z.string().describe("Id of the search: also known to GET /v2/search/{id}"),
  resolvedSearchType: z.literal("keyword"),
  searchTime: z.number(),
  costDollars,
  results: z.array(page),
});
const contentsResponse = z.object({
  requestId: z.string(),
  results: z.array(page),
  statuses: z.array(z.looseObject({ id: z.string(), status: z.enum(["success", "error"]), source: z.string() })),
  costDollars,
});
const answerResponse = z.object({ answer: z.string(), citations: z.array(page), requestId: z.string(), costDollars });

const post = { method: "POST", rateGroup: "scrape" } as const;
const others = {
  summary: "Not available: answers 501",
  paths: ["/exa/{rest+}"],
  rateGroup: "status",
  request: z.looseObject({}),
  response: z.unknown(),
  async answer(): Promise<DialectAnswer> {
    throw new ServiceError(
      "NOT_IMPLEMENTED",
      "This server implements only search, contents, findSimilar and answer of Exa's API.",
    );
  },
} as const;

export const exa: Dialect = {
  name: "exa",
  tag: "Exa",
  owns: below("/exa"),
  rows: [
    dialectRow({
      ...post,
      name: "exaSearch",
      summary: "Search as Exa does",
      paths: ["/exa/search"],
      request: exaSearchRequest,
      response: searchResponse,
      answer: ({ fields: { query, ...fields } }, call) => answerExaSearch(query, fields, call),
    }),
    dialectRow({
      ...post,
      name: "exaContents",
      summary: "Read pages as Exa does",
      paths: ["/exa/contents"],
      request: exaContentsRequest,
      response: contentsResponse,
      answer: ({ fields }, call) => answerExaContents(fields, call),
    }),
    dialectRow({
      ...post,
      name: "exaFindSimilar",
      summary: "Find sites like that of a page, as Exa does",
      paths: ["/exa/findSimilar"],
      request: exaSimilarRequest,
      response: searchResponse,
      async answer({ fields: { url, ...fields } }, call) {
        return answerExaSearch(`related:${call.requireAllowedUrl(url).host}`, fields, call);
      },
    }),
    dialectRow({
      ...post,
      name: "exaAnswer",
      summary: "Answer a question from search results by the language model, as Exa does",
      paths: ["/exa/answer"],
      request: exaAnswerRequest,
      response: answerResponse,
      answer: ({ fields }, call) => answerExaAnswer(fields, call),
    }),
    dialectRow({ ...others, method: "GET", name: "readOtherExa" }),
    dialectRow({ ...others, method: "POST", alsoMethods: ["PUT", "PATCH", "DELETE"], name: "otherExa" }),
  ],
  failure: ({ cause, message }) => ({
    requestId: newId(Date.now()),
    error: message,
    tag: tags[cause] ?? "INTERNAL_ERROR",
  }),
  failureSchema: z.object({ requestId: z.string(), error: failureText, tag: z.string().describe("Kind of the error") }),
};
