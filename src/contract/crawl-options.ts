// What a crawl follows, and how far: used by crawl, monitors, and v1 crawls.
import { z } from "zod";
import { patternsField } from "./fields.ts";

const budget = () => z.int().min(1).optional();

/** "last", or a date or time in ISO 8601. */
function isChangeMark(text: string): boolean {
  if (text === "last") return true;
  return /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Fields that v1 has under the same names. */
export const sharedCrawlFields = {
  includePaths: patternsField("Regular expressions: follow only these paths"),
  excludePaths: patternsField("Regular expressions: never follow these paths"),
  regexOnFullURL: z.boolean().default(false).describe("Test the expressions on the whole address"),
  maxDiscoveryDepth: z.int().min(0).optional().describe("Links to follow from the start page, in a row"),
  ignoreQueryParameters: z.boolean().default(false).describe("Addresses that differ only in their query are one page"),
  deduplicateSimilarURLs: z.boolean().default(true).describe("With and without www, https or index file is one page"),
  limit: z.int().min(1).default(10_000).describe("Most pages to read"),
  allowSubdomains: z.boolean().default(false).describe("Follow links to subdomains"),
  allowExternalLinks: z.boolean().default(false).describe("Follow links to other sites, one step"),
  ignoreRobotsTxt: z.boolean().default(false).describe("Do not obey robots.txt, where the operator permits that"),
  robotsUserAgent: z.string().min(1).max(256).optional().describe("Name to look for in robots.txt"),
  delay: z.number().gt(0).max(60).optional().describe("Seconds between two pages"),
  maxConcurrency: z.int().min(1).optional().describe("Pages read at the same time; at most the team's limit"),
  maxCredits: budget().describe("Stop when this many credits are used"),
  maxSeconds: budget().describe("Stop after this many seconds"),
  maxBytes: budget().describe("Stop when this many bytes were received"),
  dryRun: z.boolean().default(false).describe("Only estimate pages, credits and time"),
  changedSince: z
    .string()
    .refine(isChangeMark, 'Must be "last" or a date in ISO 8601')
    .optional()
    .describe('Skip the content of pages unchanged since "last" time or this date'),
};

export const crawlFields = {
  ...sharedCrawlFields,
  sitemap: z.enum(["skip", "include", "only"]).default("include").describe("Whether sitemaps are used"),
  crawlEntireDomain: z.boolean().default(false).describe("Follow links outside the start path"),
};
