// A team's own activity, usage, queue, hosts and webhook deliveries.
import * as z from "zod";
import { emptyBody, nameField, queryBoolean, success, time } from "../fields/common-fields.ts";
import { blockKinds, documentStates } from "../fields/document.ts";
import { cursorEnd, cursorQuery } from "../fields/list-cursor.ts";
import { activityNames, section } from "../table/endpoint.ts";

const activityStates = ["running", "succeeded", "failed"] as const;

const activityQuery = z.strictObject({
  endpoint: z.enum(activityNames).optional().describe("Only requests to this endpoint"),
  status: z.enum(activityStates).optional().describe("Only requests that went like this"),
  apiKey: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe("Only requests with the key of this name; dashboard for those without a key"),
  ...cursorQuery,
});
const activity = z.object({
  success,
  data: z.array(
    z.object({
      id: z.string().describe("Id of the job"),
      endpoint: z.enum(activityNames),
      api_version: z.string().describe("v1, v2 or the name of a dialect"),
      created_at: time,
      target: z.string().describe("URL, query, prompt or file name of the request"),
      externalRequestId: z.string().optional().describe("What the request said in its header External-Request-Id"),
      status: z.enum(activityStates).describe("How the request went so far"),
      durationMs: z.number().nullable().describe("From the request to its end, in milliseconds; null while it runs"),
      creditsUsed: z.number().describe("What the request has cost so far"),
      cacheState: z.enum(["hit", "miss"]).optional().describe("Whether a cached copy of its page was used"),
      apiKey: z.string().optional().describe("Name of the key; absent for a request without one"),
      error: z.object({ code: z.string().optional(), message: z.string() }).optional().describe("Why it failed"),
    }),
  ),
  ...cursorEnd,
});

const billingPeriod = {
  billingPeriodStart: time.nullable(),
  billingPeriodEnd: time.nullable(),
};
export const creditUsage = z.object({
  success,
  data: z.object({ remainingCredits: z.number(), planCredits: z.number(), ...billingPeriod }),
});
export const tokenUsage = z.object({
  success,
  data: z.object({ remainingTokens: z.number(), planTokens: z.number(), ...billingPeriod }),
});

export const historyQuery = z.strictObject({
  byApiKey: queryBoolean().prefault(false).describe("Break the usage down by API key"),
});
const period = {
  startDate: time,
  endDate: time,
  apiKey: z.string().optional().describe("Name of the key; only with byApiKey=true"),
};
export const creditHistory = z.object({
  success,
  periods: z.array(
    z.object({
      ...period,
      totalCredits: z.number().describe("Credits used in the period"),
      creditsUsed: z.number().describe("Same as above, under the name that official clients read"),
    }),
  ),
});
export const tokenHistory = z.object({
  success,
  periods: z.array(
    z.object({
      ...period,
      totalTokens: z.number().describe("Tokens used in the period"),
      tokensUsed: z.number().describe("Same as above, under the name that official clients read"),
    }),
  ),
});

export const queueStatus = z.object({
  success,
  jobsInQueue: z.int(),
  activeJobsInQueue: z.int(),
  waitingJobsInQueue: z.int(),
  maxConcurrency: z.int(),
  mostRecentSuccess: time.nullable(),
});
export const concurrency = z.object({ success, concurrency: z.int(), maxConcurrency: z.int() });

const verdicts = [...documentStates, ...blockKinds] as const;
const hosts = z.object({
  success,
  hosts: z.array(
    z.object({
      host: z.string().describe("Name or IP address, with the port unless it is the usual one"),
      delayMs: z.number().describe("Delay between two requests to this host, in milliseconds"),
      inFlight: z.int().describe("Pages of this host that are being read for the team"),
      last429At: time.nullable().describe("When the host last answered 429 (too many requests)"),
      robots: z
        .string()
        .nullable()
        .describe("What its robots.txt says: rules, free (no rules), closed (not readable); null when it was not read"),
      rung: z
        .object({ engine: z.enum(["http", "browser", "solver"]), proxy: z.enum(["basic", "enhanced"]) })
        .optional()
        .describe("The attempt that got past the host's block page; its next pages start with it"),
      state: z.enum(verdicts).optional().describe("What came back with the latest page"),
      verdicts: z.array(z.enum(verdicts)).optional().describe("What came back with the last five pages, latest first"),
    }),
  ),
});

const delivery = z.object({
  id: z.string(),
  event: z.string(),
  url: z.string(),
  channel: z.string().optional().describe("Channel of a notice; absent for the webhook of a job"),
  status: z.string(),
  attempts: z.int(),
  lastError: z.string().nullable(),
  at: time,
});
const extractors = z.object({
  success,
  extractors: z
    .array(
      z.object({
        id: z.string(),
        host: z.string().describe("With its port; file:pdf and so on for files that were sent"),
        fields: z.array(z.string()).describe("Paths of the fields that it finds"),
        version: z.int().describe("Starts at 1 and increases with each repair"),
        createdAt: time,
        updatedAt: time,
      }),
    )
    .describe("Latest first, at most 1000"),
});

const deliveries = z.object({ success, deliveries: z.array(delivery), ...cursorEnd });

const endpoint = section({ tag: "Team", group: "team", rateGroup: "status" });

export const teamEndpoints = [
  endpoint("GET /v2/team/activity", "listActivity", "List the team's requests of the last 24 hours", {
    query: activityQuery,
    response: activity,
  }),
  endpoint("GET /v2/team/credit-usage", "readCreditUsage", "Get the remaining credits", { response: creditUsage }),
  endpoint("GET /v2/team/credit-usage/historical", "readCreditHistory", "Get the credits used per month", {
    query: historyQuery,
    response: creditHistory,
  }),
  endpoint("GET /v2/team/token-usage", "readTokenUsage", "Get the remaining tokens", { response: tokenUsage }),
  endpoint("GET /v2/team/token-usage/historical", "readTokenHistory", "Get the tokens used per month", {
    query: historyQuery,
    response: tokenHistory,
  }),
  endpoint("GET /v2/team/queue-status", "readQueueStatus", "Get the number of waiting and running jobs", {
    response: queueStatus,
  }),
  endpoint("GET /v2/concurrency-check", "readConcurrency", "Get the number of pages in progress", {
    response: concurrency,
  }),
  endpoint("GET /v2/team/hosts", "listHosts", "List the hosts being crawled and their pace", { response: hosts }),
  endpoint("GET /v2/team/extractors", "listExtractors", "List the extractors that deterministicJson has learned", {
    response: extractors,
  }),
  endpoint("DELETE /v2/team/extractors/{extractorId}", "deleteExtractor", "Forget an extractor", {
    params: z.strictObject({ extractorId: nameField("Id of the extractor") }),
    response: z.object({ success }),
    notFound: "EXTRACTOR_NOT_FOUND",
  }),
  endpoint(
    "GET /v2/team/webhooks",
    "listDeliveries",
    "List the deliveries of webhooks and notices of the last 24 hours",
    {
      query: z.strictObject({ ...cursorQuery, jobId: nameField("Only those of this job").optional() }),
      response: deliveries,
    },
  ),
  endpoint("POST /v2/team/webhooks/{deliveryId}/redeliver", "redeliver", "Redeliver a webhook", {
    params: z.strictObject({ deliveryId: nameField("Id of the delivery") }),
    body: emptyBody,
    response: z.object({ success, delivery: delivery.optional() }),
    notFound: "DELIVERY_NOT_FOUND",
  }),
];
