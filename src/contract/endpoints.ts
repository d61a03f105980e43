// The table of every endpoint. Faces generate their routes from it.
// Of two paths that match the same request, the literal one comes first.
import { agentEndpoints } from "./agent.ts";
import { batchEndpoints } from "./batch.ts";
import { browserEndpoints } from "./browser.ts";
import { crawlEndpoints } from "./crawl.ts";
import { extractEndpoints } from "./extract.ts";
import { feedbackEndpoints } from "./feedback.ts";
import { hostedEndpoints } from "./hosted.ts";
import { mapEndpoints } from "./map.ts";
import { monitorEndpoints } from "./monitor.ts";
import { parseEndpoints } from "./parse.ts";
import { scrapeEndpoints } from "./scrape.ts";
import { searchEndpoints } from "./search.ts";
import { teamEndpoints } from "./team.ts";
import { traceEndpoints } from "./trace.ts";
import { v1Endpoints } from "./v1/endpoints.ts";

export const endpoints = [
  ...scrapeEndpoints,
  ...parseEndpoints,
  ...batchEndpoints,
  ...crawlEndpoints,
  ...mapEndpoints,
  ...hostedEndpoints,
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
