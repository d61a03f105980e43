// The way into operations: a foreign request becomes a request of v2, which v2's own schema checks and completes.
import { readUrl, ServiceError } from "../../base/index.ts";
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

type ScrapeInput = OperationInput<"scrape">;

/** What v2's schema made of options, by their JSON. Reading them takes a tenth of a cached page, and dialects ask for few. */
const knownOptions = new Map<string, Readonly<ScrapeInput>>();
const mostKnown = 100;
const longestKnown = 300;

/** The input of a scrape. Options with headers are not kept: they may hold secrets. */
export function scrapeInput(url: string, options: object): ScrapeInput {
  const key = "headers" in options ? "" : JSON.stringify(options);
  if (key === "" || key.length > longestKnown) return v2Input("scrape", { url, ...options });
  const known = knownOptions.get(key);
  const reading = known ? readUrl(url) : null;
  if (known && reading && "url" in reading) return { ...known, url: reading.url };
  const input = v2Input("scrape", { url, ...options });
  if (knownOptions.size >= mostKnown) knownOptions.clear();
  knownOptions.set(key, { ...input, url: "", scrapeOptions: deepFrozen(input.scrapeOptions) });
  return input;
}

/** Shared by requests, so nobody may change it. */
function deepFrozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) deepFrozen(inner);
  return Object.freeze(value);
}
