// What the pages of the dashboard ask that the API does not have: who is signed in, keys, charts, forms. Everything else they ask
// of the API itself.
import * as z from "zod";
import { futureTime, ipRange, nameField, queryBoolean, shortLabel, success, time } from "../fields/common-fields.ts";
import { limitedFormats } from "../fields/required-formats.ts";
import { activityNames } from "../table/endpoint.ts";
import { endpointGroups } from "../table/endpoint-groups.ts";
import { member, owner, peopleEndpoints } from "./dashboard-people.ts";
import { appEndpoints } from "./oauth.ts";

const key = z.object({
  id: z.string(),
  name: z.string(),
  lastFour: z.string(),
  createdAt: time,
  lastUsedAt: time.nullable(),
  revokedAt: time.nullable(),
  requestsPerMinute: z.number().nullable(),
  creditsPerMonth: z.number().nullable(),
  allowedEndpoints: z.array(z.string()).nullable(),
  allowedFormats: z.array(z.string()).nullable(),
  allowedIps: z.array(z.string()).nullable(),
  expiresAt: time.nullable(),
});

/** Null: no limit. */
const limitFields = {
  requestsPerMinute: z.int().min(1).max(10_000_000).nullish().describe("Of this key, in each group of endpoints"),
  creditsPerMonth: z.int().min(1).max(1_000_000_000).nullish().describe("Of this key, in a calendar month"),
  allowedEndpoints: z
    .array(z.enum(endpointGroups))
    .min(1)
    .max(100)
    .nullish()
    .describe("Only these groups of endpoints"),
  allowedFormats: z.array(z.enum(limitedFormats)).min(1).max(100).nullish().describe("Only these formats"),
  allowedIps: z.array(ipRange).min(1).max(100).nullish().describe("Only from these IP addresses and ranges"),
  expiresAt: futureTime.nullish().describe("When it ends, as an ISO 8601 time"),
};

export const keyLimits = z.strictObject(limitFields);

const range = z.enum(["24h", "7d", "30d"]).prefault("24h").describe("How far back");
const counts = {
  requests: z.number(),
  failed: z.number(),
  pages: z.number(),
  cacheHits: z.number(),
  credits: z.number(),
};
const latency = { p50Ms: z.number().nullable(), p95Ms: z.number().nullable() };
const part = z.object({ name: z.string(), ...counts });
const overview = z.object({
  success,
  total: z.object({ ...counts, ...latency }),
  /** By hour for a day, else by day; oldest first, without gaps. */
  steps: z.array(z.object({ at: time, ...counts, ...latency })),
  endpoints: z.array(part),
  keys: z.array(part),
  causes: z.array(z.object({ name: z.string(), requests: z.number() })),
});

const finding = z.object({
  subject: z.string(),
  state: z.enum(["ok", "absent", "failed"]),
  message: z.string(),
  fix: z.string().optional(),
});

const index = z.object({
  success,
  isOn: z.boolean(),
  pages: z.number(),
  bytes: z.number(),
  hosts: z.array(z.object({ host: z.string(), pages: z.number() })),
});

const foundPage = z.object({
  url: z.string(),
  title: z.string(),
  description: z.string(),
  date: time,
  /** Null for pages that are not ranked by their texts. */
  reason: z
    .object({
      total: z.number().describe("What the page is ordered by, of 1 for the best page"),
      words: z.array(
        z.object({
          word: z.string().describe("As a stem"),
          score: z.number(),
          fields: z.record(z.string(), z.number()).describe("How often it occurs in each field"),
        }),
      ),
      closeness: z.number().describe("For query words that are close together"),
      hasAllWords: z.boolean(),
      title: z.number().describe("What the share of its title that the query has multiplies the score by"),
      authority: z.number().describe("What links of other hosts multiply the score by"),
      likeness: z.number().describe("What likeness to the first few pages adds"),
      linkHosts: z.number().describe("Other hosts that link to the page"),
    })
    .nullable(),
});

/** What the playground and other sections have forms for. */
export const formOperations = [
  "scrape",
  "startCrawl",
  "startBatch",
  "map",
  "search",
  "startExtract",
  "parse",
  "startAgent",
] as const;

const failure = z.object({
  code: z.string().optional(),
  message: z.string(),
  details: z.unknown().optional(),
});

const settings = z.object({
  success,
  sections: z.array(
    z.object({
      name: z.string(),
      settings: z.array(
        z.object({
          name: z.string(),
          /** What is in effect; null for a secret, of which only `isSet` is told. */
          value: z.string().nullable(),
          isSet: z.boolean(),
          description: z.string(),
        }),
      ),
    }),
  ),
});

const done = z.object({ success });

export const dashboardEndpoints = [
  ...peopleEndpoints,
  ...appEndpoints,
  member("GET /dashboard/api/keys", "listApiKeys", "List the API keys of the team", {
    response: z.object({ success, keys: z.array(key) }),
  }),
  owner("POST /dashboard/api/keys", "createApiKey", "Create an API key", {
    body: z.strictObject({
      name: shortLabel("Name of the key"),
      ...limitFields,
    }),
    response: z.object({ success, id: z.string(), key: z.string().describe("Shown only here") }),
  }),
  owner("PATCH /dashboard/api/keys/{keyId}", "changeApiKey", "Change the limits of an API key", {
    params: z.strictObject({ keyId: nameField("Id of the key") }),
    body: keyLimits,
    response: done,
    notFound: "KEY_NOT_FOUND",
  }),
  owner("DELETE /dashboard/api/keys/{keyId}", "revokeApiKey", "Revoke an API key", {
    params: z.strictObject({ keyId: nameField("Id of the key") }),
    response: done,
    notFound: "KEY_NOT_FOUND",
  }),
  member("GET /dashboard/api/overview", "readOverview", "Get the figures of the team's requests", {
    query: z.strictObject({ range }),
    response: overview,
  }),
  member("GET /dashboard/api/usage.csv", "exportUsage", "Get the usage by day, key and endpoint", {
    response: z.string(),
    responseType: "text/csv; charset=utf-8",
    responseHeaders: {
      "content-disposition": {
        description: "A file name",
        read: () => 'attachment; filename="trawl-usage.csv"',
      },
    },
  }),
  member(
    "GET /dashboard/api/requests/{requestId}",
    "readRequest",
    "Get the details of a request of the last 24 hours",
    {
      params: z.strictObject({ requestId: nameField("Id of the request") }),
      query: z.strictObject({ endpoint: z.enum(activityNames).optional().describe("Of several with one id") }),
      response: z.object({
        success,
        endpoint: z.string(),
        status: z.enum(["running", "succeeded", "failed"]),
        durationMs: z.number().nullable(),
        creditsUsed: z.number(),
        cacheState: z.enum(["hit", "miss"]).nullable(),
        /** Null unless it failed. */
        error: failure.nullable(),
        /** As it was sent, without secrets; null where it was not kept. */
        sent: z
          .object({
            method: z.string(),
            path: z.string(),
            body: z.record(z.string(), z.unknown()).optional(),
            /** Whether something was left out that it cannot be sent again without. */
            isWhole: z.boolean(),
            /** The form that it can be changed in; null for a request without one. */
            form: z.enum(formOperations).nullable(),
          })
          .nullable(),
        target: z.string(),
        apiVersion: z.string(),
        /** Null without a key. */
        key: z.string().nullable(),
        at: time,
        /** Of a job: what it was started with, without secrets. */
        options: z.record(z.string(), z.unknown()).nullable(),
      }),
      notFound: "JOB_NOT_FOUND",
    },
  ),
  member("GET /dashboard/api/errors/{code}", "explainError", "Get what an error means and what to do about it", {
    params: z.strictObject({ code: nameField("Code of the error") }),
    response: z.object({
      success,
      happened: z.string(),
      causes: z.array(z.string()),
      fix: z.string(),
      charge: z.string().describe("Whether it costs credits"),
    }),
    notFound: "NOT_FOUND",
  }),
  member("GET /dashboard/api/forms/{operation}", "readForm", "Get the fields of a request", {
    params: z.strictObject({
      operation: z.enum([...formOperations, "replaceNotify"]),
    }),
    response: z.object({
      success,
      method: z.string(),
      path: z.string(),
      required: z.array(z.string()),
      /** JSON Schema of each field. */
      fields: z.record(z.string(), z.record(z.string(), z.unknown())),
    }),
  }),
  member("GET /dashboard/api/connect", "listTools", "Get the settings that connect other tools to this server", {
    response: z.object({
      success,
      tools: z.array(z.object({ tool: z.string(), use: z.string(), speaks: z.string(), lines: z.array(z.string()) })),
    }),
  }),
  owner("GET /dashboard/api/settings", "listSettings", "List the settings in effect", { response: settings }),
  member("GET /dashboard/api/health", "checkServer", "Check what this server depends on", {
    query: z.strictObject({
      subject: z.string().max(64).optional().describe("Only this one"),
      quick: queryBoolean().prefault(false).describe("Leave out what asks other servers"),
    }),
    response: z.object({ success, findings: z.array(finding) }),
  }),
  member("GET /dashboard/api/index", "readIndex", "Get the size of the local index and its hosts", { response: index }),
  member(
    "GET /dashboard/api/index/search",
    "searchIndex",
    "Search the local index alone, with the reasons for each rank",
    {
      query: z.strictObject({ query: z.string().trim().min(1).max(500).describe("Words and operators") }),
      response: z.object({ success, pages: z.array(foundPage) }),
    },
  ),
  member(
    "DELETE /dashboard/api/index",
    "removeFromIndex",
    "Remove a page, or all pages of a host, from the local index",
    {
      query: z.strictObject({ place: z.string().min(1).max(2048).describe("URL or host") }),
      response: z.object({ success, removed: z.number() }),
    },
  ),
];
