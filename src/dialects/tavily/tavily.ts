// Tavily's API: search, extract, crawl and map.
import * as z from "zod";
import { isUuid, ServiceError } from "../../base/index.ts";
import {
  below,
  type Dialect,
  type DialectAnswer,
  type DialectCall,
  dialectRow,
  unservedRow,
} from "../frame/dialect.ts";
import { failureText } from "../frame/dialect-fields.ts";
import {
  answerTavilyCrawl,
  answerTavilyMap,
  tavilyCrawlRequest,
  tavilyMapRequest,
  tavilyMapResponse,
} from "./crawl.ts";
import { answerTavilyExtract, tavilyCrawlResponse, tavilyExtractRequest, tavilyExtractResponse } from "./extract.ts";
import { answerTavilySearch, tavilySearchRequest, tavilySearchResponse } from "./search.ts";
import { secondsSince } from "./shared.ts";

const feedbackRequest = z
  .looseObject({
    request_id: z.string().refine(isUuid, "Must be the request_id of an answer").describe("What the feedback is about"),
    rating: z.unknown().optional().describe("good, partial or bad"),
  })
  .refine((body) => JSON.stringify(body).length <= 8192, "Must be at most 8192 characters");

const rated = ["search", "scrape", "crawl", "map"] as const;

/** The id does not say what it is of. */
async function answerFeedback(fields: z.output<typeof feedbackRequest>, call: DialectCall): Promise<DialectAnswer> {
  const startedAt = call.now();
  const { request_id: jobId, api_key: _, client_source: __, ...said } = fields;
  const rating = (["good", "partial", "bad"] as const).find((each) => each === said.rating) ?? "partial";
  for (const endpoint of rated) {
    try {
      const input = { endpoint, jobId, rating, metadata: said, origin: "api", integration: undefined };
      const { feedbackId } = await call.operations.sendFeedback(input, call.caller);
      return { body: { success: true, feedback_id: feedbackId, response_time: secondsSince(startedAt, call) } };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "JOB_NOT_FOUND") throw error;
    }
  }
  throw new ServiceError("JOB_NOT_FOUND", "No request of this team has this request_id.");
}

const noResearch = "Research is not available. Use POST /v2/agent, which searches, reads and answers in one job.";

export const tavily: Dialect = {
  name: "tavily",
  tag: "Tavily",
  group: "search",
  owns: below("/tavily"),
  hasKeyInBody: true,
  statuses: { noCredits: 432 },
  rows: [
    dialectRow("POST /tavily/search", "tavilySearch", "Search as Tavily does", {
      request: tavilySearchRequest,
      response: tavilySearchResponse,
      answer: ({ fields }, call) => answerTavilySearch(fields, call),
    }),
    dialectRow("POST /tavily/extract", "tavilyExtract", "Read pages as Tavily does", {
      group: "scrape",
      request: tavilyExtractRequest,
      response: tavilyExtractResponse,
      answer: ({ fields }, call) => answerTavilyExtract(fields, call),
    }),
    dialectRow("POST /tavily/crawl", "tavilyCrawl", "Crawl a site as Tavily does: the response has the pages", {
      group: "crawl",
      rateGroup: "job",
      request: tavilyCrawlRequest,
      response: tavilyCrawlResponse,
      answer: ({ fields }, call) => answerTavilyCrawl(fields, call),
    }),
    dialectRow("POST /tavily/map", "tavilyMap", "List the URLs of a site as Tavily does", {
      group: "map",
      request: tavilyMapRequest,
      response: tavilyMapResponse,
      answer: ({ fields }, call) => answerTavilyMap(fields, call),
    }),
    dialectRow("POST /tavily/feedback", "tavilyFeedback", "Send feedback on a search, an extract, a crawl or a map", {
      request: feedbackRequest,
      response: z.object({ success: z.boolean(), feedback_id: z.string(), response_time: z.number() }),
      answer: ({ fields }, call) => answerFeedback(fields, call),
    }),
    unservedRow("POST /tavily/research", "tavilyResearch", noResearch, [], "agent"),
    unservedRow("GET /tavily/research/{rest+}", "readTavilyResearch", noResearch, [], "agent"),
  ],
  failure: ({ message }) => ({ detail: { error: message } }),
  failureSchema: z.object({ detail: z.object({ error: failureText }) }),
};
