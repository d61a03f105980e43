// What a crawl follows, and how far: used by crawls, v1 crawls and monitors.
import * as z from "zod";
import { patternsField } from "./common-fields.ts";
import { retentionHours } from "./job.ts";

const budget = () => z.int().min(1).optional();

/** "last", or a date or time in ISO 8601. */
function isLastOrDate(text: string): boolean {
  if (text === "last") return true;
  return /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Fields that v1 has under the same names. */
export const sharedCrawlFields = {
  includePaths: patternsField("Regular expressions: crawl only matching paths"),
  excludePaths: patternsField("Regular expressions: skip matching paths"),
  regexOnFullURL: z.boolean().default(false).describe("Match the expressions against the whole URL"),
  maxDiscoveryDepth: z.int().min(0).optional().describe("Maximum number of links to follow from the start page"),
  ignoreQueryParameters: z.boolean().default(false).describe("Treat URLs that differ only in their query as one page"),
  deduplicateSimilarURLs: z
    .boolean()
    .default(true)
    .describe("Treat URLs that differ only in www, http/https or an index file as one page"),
  limit: z.int().min(1).default(10_000).describe("Maximum number of pages to scrape"),
  allowSubdomains: z.boolean().default(false).describe("Follow links to subdomains"),
  allowExternalLinks: z.boolean().default(false).describe("Follow links to other sites, one level deep"),
  ignoreRobotsTxt: z.boolean().default(false).describe("Ignore robots.txt, if the operator of this server permits it"),
  robotsUserAgent: z.string().min(1).max(256).optional().describe("User agent to look for in robots.txt"),
  delay: z.number().gt(0).max(60).optional().describe("Seconds to wait between two pages"),
  maxConcurrency: z
    .int()
    .min(1)
    .optional()
    .describe("Maximum pages in progress at the same time, up to the team's limit"),
  maxCredits: budget().describe("Credits that the crawl may use; a page that would cost more is not kept"),
  maxSeconds: budget().describe("End the crawl after this many seconds, without the pages in progress"),
  maxBytes: budget().describe("Start no further page once this many bytes have been received"),
  dryRun: z.boolean().default(false).describe("Estimate pages, credits and time without crawling"),
  changedSince: z
    .string()
    .refine(isLastOrDate, 'Must be "last" or a date in ISO 8601')
    .optional()
    .describe('Skip the content of pages that have not changed since the "last" crawl or this date'),
};

const stopWord = z.string().trim().min(1).max(200);

export const crawlFields = {
  ...sharedCrawlFields,
  sitemap: z.enum(["skip", "include", "only"]).default("include").describe("How to use sitemaps"),
  crawlEntireDomain: z.boolean().default(false).describe("Follow links outside the path of the start URL"),
  search: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .optional()
    .describe("What to look for: the most promising links are read first, so that a small limit finds what matters"),
  stopOnContent: z
    .array(stopWord)
    .max(100)
    .optional()
    .describe("End the crawl with the first page whose text contains one of these, in upper or lower case"),
  retentionHours: retentionHours.optional(),
};
