import * as z from "zod";
import { activeCrawls, checkRetention, crawlKeys, crawlResponse, resolveRetention } from "../endpoints/crawl.ts";
import { idParams, senderKeys } from "../fields/common-fields.ts";
import { sharedCrawlFields } from "../fields/crawl-options.ts";
import { section } from "../table/endpoint.ts";
import { fromV2Message, fromV2Started, v1JobEndpoints, v1JobMessage } from "./job.ts";
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

const endpoint = section({ tag: "Crawl", group: "crawl", rateGroup: "status", notFound: "JOB_NOT_FOUND" });
export const v1CrawlEndpoints = [
  endpoint("POST /v1/crawl", "startCrawl", "Start a crawl of a site", {
    body: crawlBody,
    response: crawlResponse,
    rateGroup: "job",
    activity: "crawl",
    toResponse: fromV2Started<z.output<typeof crawlResponse>>,
    toFieldPath: toV1FieldPath,
  }),
  endpoint("GET /v1/crawl/active", "listActiveCrawls", "List the team's running crawls", {
    response: activeCrawls,
    toResponse: fromV2Active,
  }),
  ...v1JobEndpoints("/v1/crawl", "Crawl", "crawl", "crawl or batch scrape"),
  endpoint("WS /v1/crawl/{id}", "watchCrawl", "Follow a crawl or batch scrape", {
    params: idParams,
    response: v1JobMessage,
    toResponse: fromV2Message,
  }),
];
