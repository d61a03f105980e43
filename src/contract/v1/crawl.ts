import * as z from "zod";
import { activeCrawls, checkRetention, crawlKeys, crawlResponse, resolveRetention } from "../endpoints/crawl.ts";
import { sharedCrawlFields } from "../fields/crawl-options.ts";
import { idParams, pageQuery, senderKeys } from "../fields/fields.ts";
import { jobCancelled, jobErrors } from "../fields/job.ts";
import { endpoint } from "../table/endpoint.ts";
import { fromV2Message, fromV2Started, fromV2Status, v1JobMessage, v1JobStatus } from "./job.ts";
import { fromV2ScrapeOptions, toV1FieldPath, v1ScrapeOptions } from "./scrape-options.ts";
import { sitemapFields, toSitemap } from "./sitemap.ts";

const { prompt: _, ...sharedKeys } = crawlKeys;
const { dryRun: __, ...sharedFields } = sharedCrawlFields;

const crawlBody = z
  .strictObject({
    ...sharedKeys,
    ...sharedFields,
    ...sitemapFields,
    maxDepth: z.int().min(0).default(10).describe("Maximum number of links to follow from the start page"),
    crawlEntireDomain: z.boolean().optional().describe("Follow links outside the path of the start URL"),
    allowBackwardLinks: z.boolean().optional().describe("Deprecated: use crawlEntireDomain"),
    scrapeOptions: v1ScrapeOptions.prefault({}),
    ...senderKeys,
  })
  .superRefine(checkRetention)
  .transform(({ ignoreSitemap, sitemapOnly, maxDepth, allowBackwardLinks, crawlEntireDomain, ...body }) => ({
    ...resolveRetention(body),
    sitemap: toSitemap({ ignoreSitemap, sitemapOnly }),
    maxDiscoveryDepth: body.maxDiscoveryDepth ?? maxDepth,
    crawlEntireDomain: crawlEntireDomain ?? allowBackwardLinks ?? false,
    prompt: undefined,
    given: [],
    dryRun: false,
  }));

type ActiveCrawls = z.output<typeof activeCrawls>;

/** Running crawls with v1's option names. */
function fromV2Active(answer: ActiveCrawls): ActiveCrawls {
  return {
    ...answer,
    crawls: answer.crawls.map((crawl) => {
      const { sitemap, crawlEntireDomain, maxDiscoveryDepth, dryRun: _, scrapeOptions, ...options } = crawl.options;
      return {
        ...crawl,
        options: {
          ...options,
          ...(maxDiscoveryDepth === undefined ? {} : { maxDepth: maxDiscoveryDepth }),
          ignoreSitemap: sitemap === "skip",
          sitemapOnly: sitemap === "only",
          allowBackwardLinks: crawlEntireDomain ?? false,
          scrapeOptions: fromV2ScrapeOptions(scrapeOptions),
        },
      };
    }),
  };
}

const row = { tag: "Crawl", rateGroup: "status", notFound: "JOB_NOT_FOUND" } as const;
const errors = {
  ...row,
  path: "/v1/crawl/{id}/errors",
  summary: "List the errors of a crawl",
  operation: "listCrawlErrors",
  params: idParams,
  response: jobErrors,
} as const;

export const v1CrawlEndpoints = [
  endpoint({
    ...row,
    method: "POST",
    path: "/v1/crawl",
    summary: "Start a crawl of a site",
    operation: "startCrawl",
    body: crawlBody,
    response: crawlResponse,
    rateGroup: "job",
    activity: "crawl",
    toResponse: fromV2Started<z.output<typeof crawlResponse>>,
    toFieldPath: toV1FieldPath,
  }),
  endpoint({
    tag: "Crawl",
    method: "GET",
    path: "/v1/crawl/active",
    summary: "List the team's running crawls",
    operation: "listActiveCrawls",
    response: activeCrawls,
    rateGroup: "status",
    toResponse: fromV2Active,
  }),
  endpoint({
    ...row,
    method: "GET",
    path: "/v1/crawl/{id}",
    summary: "Get the status and documents of a crawl or batch scrape",
    operation: "readCrawl",
    params: idParams,
    query: pageQuery,
    response: v1JobStatus,
    toResponse: fromV2Status,
  }),
  endpoint({
    ...row,
    method: "WS",
    path: "/v1/crawl/{id}",
    summary: "Follow a crawl or batch scrape",
    operation: "watchCrawl",
    params: idParams,
    response: v1JobMessage,
    toResponse: fromV2Message,
  }),
  endpoint({
    ...row,
    method: "DELETE",
    path: "/v1/crawl/{id}",
    summary: "Cancel a crawl",
    operation: "cancelCrawl",
    params: idParams,
    response: jobCancelled,
  }),
  endpoint({ ...errors, method: "GET" }),
  // An official client lists with this verb; nothing is deleted.
  endpoint({ ...errors, method: "DELETE" }),
];
