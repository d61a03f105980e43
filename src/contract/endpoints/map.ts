// Map: the URLs of a site.
import * as z from "zod";
import { replay } from "../fields/archive-fields.ts";
import {
  agentHints,
  auditMetadata,
  headersField,
  location,
  patternsField,
  senderKeys,
  success,
  threatProtection,
  timeoutField,
  urlField,
  warning,
} from "../fields/common-fields.ts";
import { section } from "../table/endpoint.ts";

/** Fields that v1 has under the same names. */
export const sharedMapFields = {
  url: urlField("URL of the site"),
  search: z.string().max(10_000).optional().describe("Rank the URLs by how well they match these words"),
  includeSubdomains: z.boolean().default(true).describe("Include URLs of subdomains"),
  ignoreQueryParameters: z.boolean().default(true).describe("Omit URLs with a query string"),
  ignoreCache: z.boolean().default(false).describe("Fetch sitemaps again instead of using cached copies"),
  timeout: timeoutField().optional().describe("Timeout of the whole request, in milliseconds; no limit by default"),
  location: location.prefault({}).describe("Location to emulate: language and country of the visitor"),
  headers: headersField("HTTP headers to send to the site").default({}),
  includePaths: patternsField("Regular expressions: list only matching paths"),
  excludePaths: patternsField("Regular expressions: omit matching paths"),
  filterByPath: z.boolean().default(true).describe("When url has a path, list only URLs below it"),
  useIndex: z.boolean().default(true).describe("Include pages that the team has scraped before"),
  threatProtection: threatProtection.optional().describe("URL policy for this request"),
  auditMetadata: auditMetadata.optional().describe("Tags for audit logs, accepted without effect"),
  useMock: z.unknown().optional().describe("Accepted and ignored"),
};

const mapBody = z
  .strictObject({
    ...sharedMapFields,
    replay: replay.optional(),
    sitemap: z.enum(["skip", "include", "only"]).default("include").describe("How to use sitemaps"),
    limit: z.int().min(1).max(100_000).default(5000).describe("Maximum number of URLs to return"),
    ...senderKeys,
  })
  .transform(({ useMock: _, ...body }) => body);

export const mapResponse = z.object({
  success,
  id: z.string().optional(),
  links: z.array(z.object({ url: z.string(), title: z.string().optional(), description: z.string().optional() })),
  warning,
  agent_hints: agentHints,
});

const endpoint = section({ tag: "Map", group: "map", rateGroup: "scrape" });

export const mapEndpoints = [
  endpoint("POST /v2/map", "map", "List the URLs of a site", {
    body: mapBody,
    response: mapResponse,
    activity: "map",
    hasAgentHints: true,
  }),
];
