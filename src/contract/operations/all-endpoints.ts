// The table of every endpoint. Faces generate their routes from it.
// Of two paths that match the same request, the literal one comes first.
import { agentEndpoints } from "../endpoints/agent.ts";
import { batchEndpoints } from "../endpoints/batch.ts";
import { browserEndpoints } from "../endpoints/browser.ts";
import { crawlEndpoints } from "../endpoints/crawl.ts";
import { extractEndpoints } from "../endpoints/extract.ts";
import { feedbackEndpoints } from "../endpoints/feedback.ts";
import { hostedEndpoints } from "../endpoints/hosted.ts";
import { traceEndpoints } from "../endpoints/job-trace.ts";
import { mapEndpoints } from "../endpoints/map.ts";
import { monitorEndpoints } from "../endpoints/monitor.ts";
import { parseEndpoints } from "../endpoints/parse.ts";
import { researchEndpoints } from "../endpoints/research.ts";
import { scrapeEndpoints } from "../endpoints/scrape.ts";
import { searchEndpoints } from "../endpoints/search.ts";
import { searchSourceEndpoints } from "../endpoints/search-sources.ts";
import { teamEndpoints } from "../endpoints/team.ts";
import { v1BatchEndpoints } from "../v1/batch.ts";
import { v1CrawlEndpoints } from "../v1/crawl.ts";
import { v1DeprecatedEndpoints } from "../v1/deprecated.ts";
import { v1ExtractEndpoints } from "../v1/extract.ts";
import { v1MapEndpoints } from "../v1/map.ts";
import { v1ScrapeEndpoints } from "../v1/scrape.ts";
import { v1SearchEndpoints } from "../v1/search.ts";
import { v1TeamEndpoints } from "../v1/team.ts";

export const endpoints = [
  ...scrapeEndpoints,
  ...parseEndpoints,
  ...batchEndpoints,
  ...crawlEndpoints,
  ...mapEndpoints,
  ...hostedEndpoints,
  ...researchEndpoints,
  ...searchSourceEndpoints,
  ...searchEndpoints,
  ...extractEndpoints,
  ...agentEndpoints,
  ...browserEndpoints,
  ...teamEndpoints,
  ...monitorEndpoints,
  ...feedbackEndpoints,
  ...traceEndpoints,
  ...v1ScrapeEndpoints,
  ...v1BatchEndpoints,
  ...v1CrawlEndpoints,
  ...v1MapEndpoints,
  ...v1SearchEndpoints,
  ...v1ExtractEndpoints,
  ...v1TeamEndpoints,
  ...v1DeprecatedEndpoints,
];
