// The way into operations: a foreign request becomes a request of v2, which v2's own schema checks and completes.
import { ServiceError } from "../../base/index.ts";
import { type Endpoint, endpoints, type OperationInput, readRequest } from "../../contract/index.ts";

const rows = {
  search: "/v2/search",
  scrape: "/v2/scrape",
  parse: "/v2/parse",
  map: "/v2/map",
  startCrawl: "/v2/crawl",
  sendFeedback: "/v2/feedback",
} as const;

export function v2Input<Name extends keyof typeof rows>(operation: Name, body: object): OperationInput<Name> {
  const row = (endpoints as readonly Endpoint[]).find(
    ({ method, path }) => method === "POST" && path === rows[operation],
  ) as Endpoint;
  const reading = readRequest(row, { body });
  if (!reading.ok) throw new ServiceError(reading.code, reading.message, { details: reading.issues });
  return reading.input as OperationInput<Name>;
}
