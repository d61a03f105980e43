// A search service on loopback, spoken to as SearXNG: it answers whatever a test has put into it.
import { type FixtureSite, startSite } from "./fixture-site.ts";

export interface ServiceResult {
  url: string;
  title?: string;
  content?: string;
  publishedDate?: string;
  img_src?: string;
  resolution?: string;
}

export interface SearchService extends FixtureSite {
  results: ServiceResult[];
  /** Answers with this status in place of results. */
  status: number;
  /** Parameters of the latest request. */
  query(): URLSearchParams;
  /** Finds nothing, and has been asked nothing. */
  reset(): void;
}

export async function startSearchService(): Promise<SearchService> {
  let latest = new URLSearchParams();
  const site = await startSite(() => (request, response) => {
    latest = new URL(request.url ?? "", "http://service").searchParams;
    const isFirst = latest.get("pageno") === "1";
    response.writeHead(service.status, { "content-type": "application/json" });
    response.end(JSON.stringify({ results: isFirst ? service.results : [], unresponsive_engines: [] }));
  });
  const reset = () => {
    Object.assign(service, { results: [], status: 200 });
    service.asked.length = 0;
  };
  const service: SearchService = Object.assign(site, { results: [], status: 200, query: () => latest, reset });
  return service;
}
