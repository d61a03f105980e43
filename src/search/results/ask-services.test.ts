import { describe, expect, it } from "vitest";
import { createTrace } from "../../base/index.ts";
import { createResultCache } from "../providers/result-cache.ts";
import type { ProviderOutcome, SearchProvider } from "../providers/search-provider.ts";
import { parseQuery } from "../query/parse-query.ts";
import { askWeb, type WebAnswer } from "./ask-services.ts";
import type { FacetRequest } from "./source-request.ts";

const result = { url: "https://a.example/", title: "Otters", description: "", published: null, date: "" };

function provider(name: string, outcome: ProviderOutcome): SearchProvider {
  const supports = {
    operators: new Set<never>(),
    understood: new Set<never>(),
    sources: new Set(["web"] as const),
    timeRange: "none" as const,
    maxPerCall: 10,
  };
  return { name, supports, search: () => Promise.resolve(outcome) };
}

const request: FacetRequest = {
  source: "web",
  teamId: "team",
  query: parseQuery("otters"),
  limit: 5,
  time: null,
  country: undefined,
  language: undefined,
  location: undefined,
  includeDomains: [],
  excludeDomains: [],
  categories: [],
  ignoreInvalidURLs: false,
  highlights: false,
  isCacheable: true,
  seen: new Set(),
  facet: { domains: [], isPdf: false, categoryOf: () => undefined },
};

describe("the trace of a search", () => {
  it("names services that failed before another one answered, of a cached answer, too", async () => {
    const clock = { now: () => 0, monotonic: () => 0 };
    const deps = {
      cache: createResultCache<WebAnswer>(clock as never, { seconds: 60, maxResults: 100 }),
      pageKeyOf: (url: URL) => url.href,
      isAllowed: () => true,
    };
    const services = [
      provider("A", { ok: false, cause: "A failed (500).", retry: true }),
      provider("B", { ok: true, results: [result], appliedTime: true, warnings: [] }),
    ];
    const askedIn = async () => {
      const trace = createTrace();
      const context = { readText: async () => null, trace, signal: new AbortController().signal };
      await askWeb(deps, services, request, context as never);
      return trace.steps.flatMap(({ sourcesAsked = [] }) => sourcesAsked);
    };
    const failed = [{ name: "A", ms: expect.any(Number), results: 0, error: "A failed (500)." }];
    expect(await askedIn()).toEqual(failed);
    services.length = 0;
    expect(await askedIn()).toEqual(failed);
  });
});
