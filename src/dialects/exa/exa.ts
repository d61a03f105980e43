// Exa's API: search, contents, findSimilar and answer. There is no neural index here, and the answers say so.
import * as z from "zod";
import { newId } from "../../base/index.ts";
import type { Cause } from "../frame/cause.ts";
import { below, type Dialect, dialectRow, unservedRow } from "../frame/dialect.ts";
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

const notServed = "This server implements only search, contents, findSimilar and answer of Exa's API.";

export const exa: Dialect = {
  name: "exa",
  tag: "Exa",
  group: "search",
  owns: below("/exa"),
  rows: [
    dialectRow("POST /exa/search", "exaSearch", "Search as Exa does", {
      request: exaSearchRequest,
      response: searchResponse,
      answer: ({ fields: { query, ...fields } }, call) => answerExaSearch(query, fields, call),
    }),
    dialectRow("POST /exa/contents", "exaContents", "Read pages as Exa does", {
      group: "scrape",
      request: exaContentsRequest,
      response: contentsResponse,
      answer: ({ fields }, call) => answerExaContents(fields, call),
    }),
    dialectRow("POST /exa/findSimilar", "exaFindSimilar", "Find sites like that of a page, as Exa does", {
      request: exaSimilarRequest,
      response: searchResponse,
      async answer({ fields: { url, ...fields } }, call) {
        return answerExaSearch(`related:${call.requireAllowedUrl(url).host}`, fields, call);
      },
    }),
    dialectRow(
      "POST /exa/answer",
      "exaAnswer",
      "Answer a question from search results by the language model, as Exa does",
      {
        request: exaAnswerRequest,
        response: answerResponse,
        answer: ({ fields }, call) => answerExaAnswer(fields, call),
      },
    ),
    unservedRow("GET /exa/{rest+}", "readOtherExa", notServed),
    unservedRow("POST /exa/{rest+}", "otherExa", notServed, ["PUT", "PATCH", "DELETE"]),
  ],
  failure: ({ cause, message }) => ({
    requestId: newId(Date.now()),
    error: message,
    tag: tags[cause] ?? "INTERNAL_ERROR",
  }),
  failureSchema: z.object({ requestId: z.string(), error: failureText, tag: z.string().describe("Kind of the error") }),
};
