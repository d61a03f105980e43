// The way into operations: a foreign request becomes a request of v2, which v2's own schema checks and completes.
import { ServiceError } from "../../base/index.ts";
import { type Endpoint, endpoints, type OperationInput, readRequest } from "../../contract/index.ts";

const paths = {
  search: "/v2/search",
  scrape: "/v2/scrape",
  parse: "/v2/parse",
  map: "/v2/map",
  startCrawl: "/v2/crawl",
  sendFeedback: "/v2/feedback",
} as const;

type Named = keyof typeof paths;

const rows = Object.fromEntries(
  Object.entries(paths).map(([operation, path]) => [operation, findRow(path)]),
) as Readonly<Record<Named, Endpoint>>;

function findRow(path: string): Endpoint | undefined {
  return (endpoints as readonly Endpoint[]).find((row) => row.method === "POST" && row.path === path);
}

export function v2Input<Name extends Named>(operation: Name, body: object): OperationInput<Name> {
  const reading = readRequest(rows[operation], { body });
  if (!reading.ok) throw new ServiceError(reading.code, reading.message, { details: reading.issues });
  return reading.input as OperationInput<Name>;
}
