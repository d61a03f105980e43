// Listing the addresses of a site.
import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import {
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
} from "./fields.ts";

/** Fields that v1 has under the same names. */
export const sharedMapFields = {
  url: urlField("Address of the site"),
  search: z.string().max(10_000).optional().describe("Order the addresses by how well they fit these words"),
  includeSubdomains: z.boolean().default(true).describe("List addresses of subdomains too"),
  ignoreQueryParameters: z.boolean().default(true).describe("Leave out addresses with a query"),
  ignoreCache: z.boolean().default(false).describe("Read sitemaps anew"),
  timeout: timeoutField().optional().describe("Milliseconds for the whole request; none: no limit"),
  location: location.prefault({}).describe("Where the request should seem to come from"),
  headers: headersField("HTTP headers to send to the site").default({}),
  includePaths: patternsField("Regular expressions: list only these paths"),
  excludePaths: patternsField("Regular expressions: never list these paths"),
  filterByPath: z.boolean().default(true).describe("With a path in url: list only addresses below it"),
  useIndex: z.boolean().default(true).describe("Use pages that are already known"),
  threatProtection: threatProtection.optional().describe("Address policy of this request"),
  auditMetadata: auditMetadata.optional().describe("Tags for the log"),
  useMock: z.unknown().optional().describe("Accepted and ignored"),
};

const mapBody = z
  .strictObject({
    ...sharedMapFields,
    sitemap: z.enum(["skip", "include", "only"]).default("include").describe("Whether sitemaps are used"),
    limit: z.int().min(1).max(100_000).default(5000).describe("Most addresses to list"),
    ...senderKeys,
  })
  .transform(({ useMock: _, ...body }) => body);

export const mapResponse = z.object({
  success,
  id: z.string().optional(),
  links: z.array(z.object({ url: z.string(), title: z.string().optional(), description: z.string().optional() })),
  warning,
});

export const mapEndpoints = [
  endpoint({
    method: "POST",
    path: "/v2/map",
    tag: "Map",
    summary: "List the addresses of a site",
    operation: "map",
    body: mapBody,
    response: mapResponse,
    rateGroup: "scrape",
    activity: "map",
  }),
];
