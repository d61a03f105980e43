// The table of every endpoint. Faces generate their routes from it.
// Of two paths that match the same request, the literal one comes first.
import { agentEndpoints } from "./endpoints/agent.ts";
import { batchEndpoints } from "./endpoints/batch.ts";
import { browserEndpoints } from "./endpoints/browser.ts";
import { crawlEndpoints } from "./endpoints/crawl.ts";
import { extractEndpoints } from "./endpoints/extract.ts";
import { feedbackEndpoints } from "./endpoints/feedback.ts";
import { hostedEndpoints } from "./endpoints/hosted.ts";
import { mapEndpoints } from "./endpoints/map.ts";
import { monitorEndpoints } from "./endpoints/monitor.ts";
import { parseEndpoints } from "./endpoints/parse.ts";
import { scrapeEndpoints } from "./endpoints/scrape.ts";
import { searchEndpoints } from "./endpoints/search.ts";
import { searchSourceEndpoints } from "./endpoints/search-sources.ts";
import { teamEndpoints } from "./endpoints/team.ts";
import { traceEndpoints } from "./endpoints/trace.ts";
import { v1Endpoints } from "./v1/endpoints.ts";

export const endpoints = [
  ...scrapeEndpoints,
  ...parseEndpoints,
  ...batchEndpoints,
  ...crawlEndpoints,
  ...mapEndpoints,
  ...hostedEndpoints,
  ...searchSourceEndpoints,
  ...searchEndpoints,
  ...extractEndpoints,
  ...agentEndpoints,
  ...browserEndpoints,
  ...teamEndpoints,
  ...monitorEndpoints,
  ...feedbackEndpoints,
  ...traceEndpoints,
  ...v1Endpoints,
];
