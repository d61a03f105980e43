// The table of every endpoint. Faces generate their routes from it.
// Of two paths that match the same request, the literal one comes first.
import { agentEndpoints } from "../endpoints/agent.ts";
import { apiRequestEndpoints } from "../endpoints/api-request.ts";
import { archiveEndpoints } from "../endpoints/archive.ts";
import { batchEndpoints } from "../endpoints/batch.ts";
import { browserEndpoints } from "../endpoints/browser.ts";
import { crawlEndpoints } from "../endpoints/crawl.ts";
import { developerEndpoints } from "../endpoints/developer.ts";
import { extractEndpoints } from "../endpoints/extract.ts";
import { feedbackEndpoints } from "../endpoints/feedback.ts";
import { flowEndpoints } from "../endpoints/flows.ts";
import { hostedEndpoints } from "../endpoints/hosted.ts";
import { indexedSourceEndpoints } from "../endpoints/indexed-sources.ts";
import { traceEndpoints } from "../endpoints/job-trace.ts";
import { listFeedEndpoints } from "../endpoints/list-feed.ts";
import { mapEndpoints } from "../endpoints/map.ts";
import { monitorEndpoints } from "../endpoints/monitor.ts";
import { noticeEndpoints } from "../endpoints/notices.ts";
import { parseEndpoints } from "../endpoints/parse.ts";
import { researchEndpoints } from "../endpoints/research.ts";
import { scrapeEndpoints } from "../endpoints/scrape.ts";
import { searchEndpoints } from "../endpoints/search.ts";
import { searchSourceEndpoints } from "../endpoints/search-sources.ts";
import { teamEndpoints } from "../endpoints/team.ts";
import { teamPolicyEndpoints } from "../endpoints/team-policy.ts";
import { secretEndpoints } from "../endpoints/team-secrets.ts";
import type { Endpoint, HttpMethod } from "../table/endpoint.ts";
import { v1BatchEndpoints } from "../v1/batch.ts";
import { v1CrawlEndpoints } from "../v1/crawl.ts";
import { v1DeprecatedEndpoints } from "../v1/deprecated.ts";
import { v1ExtractEndpoints } from "../v1/extract.ts";
import { v1MapEndpoints } from "../v1/map.ts";
import { v1ScrapeEndpoints } from "../v1/scrape.ts";
import { v1SearchEndpoints } from "../v1/search.ts";
import { v1TeamEndpoints } from "../v1/team.ts";

/** Written down, because the compiler writes out no type as long as that of the whole table. */
type Rows = (
  | typeof scrapeEndpoints
  | typeof apiRequestEndpoints
  | typeof parseEndpoints
  | typeof batchEndpoints
  | typeof crawlEndpoints
  | typeof mapEndpoints
  | typeof archiveEndpoints
  | typeof hostedEndpoints
  | typeof developerEndpoints
  | typeof researchEndpoints
  | typeof searchSourceEndpoints
  | typeof indexedSourceEndpoints
  | typeof searchEndpoints
  | typeof extractEndpoints
  | typeof agentEndpoints
  | typeof browserEndpoints
  | typeof flowEndpoints
  | typeof teamEndpoints
  | typeof teamPolicyEndpoints
  | typeof secretEndpoints
  | typeof noticeEndpoints
  | typeof monitorEndpoints
  | typeof listFeedEndpoints
  | typeof feedbackEndpoints
  | typeof traceEndpoints
  | typeof v1ScrapeEndpoints
  | typeof v1BatchEndpoints
  | typeof v1CrawlEndpoints
  | typeof v1MapEndpoints
  | typeof v1SearchEndpoints
  | typeof v1ExtractEndpoints
  | typeof v1TeamEndpoints
  | typeof v1DeprecatedEndpoints
)[number];

export const endpoints: Rows[] = [
  ...scrapeEndpoints,
  ...apiRequestEndpoints,
  ...parseEndpoints,
  ...batchEndpoints,
  ...crawlEndpoints,
  ...mapEndpoints,
  ...archiveEndpoints,
  ...hostedEndpoints,
  ...developerEndpoints,
  ...researchEndpoints,
  ...searchSourceEndpoints,
  ...indexedSourceEndpoints,
  ...searchEndpoints,
  ...extractEndpoints,
  ...agentEndpoints,
  ...browserEndpoints,
  ...flowEndpoints,
  ...teamEndpoints,
  ...teamPolicyEndpoints,
  ...secretEndpoints,
  ...noticeEndpoints,
  ...monitorEndpoints,
  ...listFeedEndpoints,
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

interface FoundEndpoint {
  row: Endpoint;
  params: Record<string, string>;
}

/** Of two rows that match, the first one: literal paths come before those with names. */
export function findEndpoint(method: HttpMethod, path: string): FoundEndpoint | null {
  for (const row of endpoints as readonly Endpoint[]) {
    if (row.method !== method) continue;
    const names = Array.from(row.path.matchAll(/\{(\w+)\+?\}/g), ([, name]) => name ?? "");
    const pattern = row.path.replace(/\{\w+\+\}/g, "(.+)").replace(/\{\w+\}/g, "([^/]+)");
    const match = new RegExp(`^${pattern}$`).exec(path);
    if (!match) continue;
    return {
      row,
      params: Object.fromEntries(names.map((name, place) => [name, decodeURIComponent(match[place + 1] ?? "")])),
    };
  }
  return null;
}

/** The row under which an operation is documented: its first of v2. */
export function endpointFor(operation: string): Endpoint | undefined {
  return (endpoints as readonly Endpoint[]).find(
    (row) => row.operation === operation && row.path.startsWith("/v2/") && row.method !== "WS",
  );
}
