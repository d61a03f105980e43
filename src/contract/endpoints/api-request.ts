// Any HTTP request, sent as pages are asked for and without a browser.
import * as z from "zod";
import { senderKeys, success, urlField } from "../fields/common-fields.ts";
import { pageFields, zeroDataRetention } from "../fields/scrape-options.ts";
import { section } from "../table/endpoint.ts";

const bodiless = ["GET", "HEAD", "DELETE", "OPTIONS"];
const maxEntries = 100_000;

const apiRequestBody = z
  .strictObject({
    url: urlField("URL to request"),
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]).default("GET").describe("HTTP method"),
    headers: pageFields.headers,
    params: z.record(z.string().max(1024), z.string().max(8192)).default({}).describe("Added to the query of the URL"),
    body: z
      .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown()).max(maxEntries)])
      .optional()
      .describe("An object or array is sent as JSON, text as it is"),
    timeout: z.int().min(1000).max(300_000).default(30_000).describe("In milliseconds"),
    proxy: pageFields.proxy,
    location: pageFields.location,
    skipTlsVerification: z.boolean().default(false).describe("Ignore TLS certificate errors"),
    zeroDataRetention,
    ...senderKeys,
  })
  .superRefine(({ method, body }, context) => {
    if (body === undefined || !bodiless.includes(method)) return;
    context.addIssue({ code: "custom", path: ["body"], message: `A request with ${method} has no body` });
  });

const apiResponse = z.object({
  url: z.string().describe("After redirects"),
  statusCode: z.int(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  body: z.string(),
  bodyEncoding: z.literal("base64").optional().describe("Where the body is no text"),
  metadata: z.object({
    method: z.string(),
    requestId: z.string(),
    redirects: z.array(z.string()),
    proxyUsed: z.enum(["basic", "stealth"]),
    creditsUsed: z.number(),
  }),
  timing: z.object({ total: z.number() }),
});

const endpoint = section({ tag: "Scrape", rateGroup: "scrape", group: "scrape" });

export const apiRequestEndpoints = [
  endpoint("POST /v2/apirequest", "apiRequest", "Send an HTTP request", {
    body: apiRequestBody,
    response: z.object({ success, data: apiResponse }),
    activity: "scrape",
  }),
];
