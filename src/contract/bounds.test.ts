// Bounds and defaults as the wire contract gives them, written down a second time so that a change is noticed.
import { expect, test } from "vitest";
import { buildOpenApi } from "./description/openapi.ts";

type Json = Record<string, unknown>;

const document = buildOpenApi({ version: "1" });

function follow(value: Json): Json {
  const [kind, name] = typeof value.$ref === "string" ? value.$ref.split("/").slice(-2) : [];
  if (kind === undefined || name === undefined) return value;
  return { ...(document.components as Record<string, Record<string, Json>>)[kind]?.[name], ...value };
}

function fieldsOf(method: string, path: string): Record<string, Json> {
  const operation = (document.paths as Record<string, Record<string, Json>>)[path]?.[method] as Json;
  const body = operation.requestBody as { content: Record<string, { schema: Json }> } | undefined;
  if (body) return follow(body.content["application/json"]?.schema ?? {}).properties as Record<string, Json>;
  const parameters = (operation.parameters as Json[]).map(follow);
  return Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
}

function fieldAt(method: string, path: string, field: string): Json {
  const [first = "", ...rest] = field.split(".");
  let schema = follow(fieldsOf(method, path)[first] ?? {});
  for (const name of rest) schema = follow((schema.properties as Record<string, Json>)[name] ?? {});
  return schema;
}

const rows: [string, string, Json][] = [
  ["post /v2/scrape", "timeout", { minimum: 1000, maximum: 300_000, default: 60_000 }],
  ["post /v2/scrape", "waitFor", { minimum: 0, maximum: 60_000, default: 0 }],
  ["post /v2/scrape", "maxAge", { minimum: 0 }],
  ["post /v2/scrape", "actions", { maxItems: 50, default: [] }],
  ["post /v2/scrape", "formats", { default: ["markdown"] }],
  ["post /v2/scrape", "parsers", { default: ["pdf", "image"] }],
  ["post /v2/scrape", "proxy", { enum: ["basic", "enhanced", "stealth", "auto"], default: "auto" }],
  ["post /v2/scrape", "profile.name", { minLength: 1, maxLength: 128 }],
  ["post /v2/scrape", "profile.saveChanges", { default: true }],
  ["post /v2/scrape", "onlyMainContent", { default: true }],
  ["post /v2/scrape", "threatProtection.riskScoreThreshold", { minimum: 0, maximum: 100 }],
  ["post /v2/scrape", "auditMetadata.username", { maxLength: 1024 }],
  ["post /v2/scrape/{id}/interact", "prompt", { minLength: 1, maxLength: 10_000 }],
  ["post /v2/scrape/{id}/interact", "code", { minLength: 1, maxLength: 100_000 }],
  ["post /v2/scrape/{id}/interact", "language", { default: "node" }],
  ["post /v2/scrape/{id}/interact", "timeout", { minimum: 1, maximum: 300, default: 30 }],
  ["post /v2/parse", "timeout", { maximum: 300_000, default: 30_000 }],
  ["post /v2/parse", "proxy", { enum: ["basic", "auto"] }],
  ["post /v2/batch/scrape", "ignoreInvalidURLs", { default: true }],
  ["post /v2/batch/scrape", "urls", { minItems: 1, maxItems: 10_000 }],
  ["get /v2/batch/scrape/{id}", "limit", { minimum: 1, maximum: 1000 }],
  ["post /v2/crawl", "limit", { minimum: 1, default: 10_000 }],
  ["post /v2/crawl", "delay", { exclusiveMinimum: 0, maximum: 60 }],
  ["post /v2/crawl", "sitemap", { enum: ["skip", "include", "only"], default: "include" }],
  ["post /v2/crawl", "includePaths", { maxItems: 1000, default: [] }],
  ["post /v2/crawl", "deduplicateSimilarURLs", { default: true }],
  ["post /v2/crawl", "ignoreQueryParameters", { default: false }],
  ["post /v2/map", "limit", { minimum: 1, maximum: 100_000, default: 5000 }],
  ["post /v2/map", "ignoreQueryParameters", { default: true }],
  ["post /v2/map", "includeSubdomains", { default: true }],
  ["post /v2/map", "ignoreCache", { default: false }],
  ["post /v2/map", "location.country", { default: "US" }],
  ["post /v2/search", "query", { maxLength: 500 }],
  ["post /v2/search", "limit", { minimum: 1, maximum: 100, default: 10 }],
  ["post /v2/search", "timeout", { default: 60_000 }],
  ["post /v2/search", "highlights", { default: true }],
  ["post /v2/search", "scrapeOptions.formats", { default: [] }],
  ["post /v2/extract", "urls", { minItems: 1, maxItems: 10_000 }],
  ["post /v2/extract", "ignoreInvalidURLs", { default: true }],
  ["post /v2/extract", "includeSubdomains", { default: true }],
  ["post /v2/extract", "showSources", { default: false }],
  ["post /v2/extract", "prompt", { maxLength: 10_000 }],
  ["post /v2/agent", "maxCredits", { default: 2500 }],
  ["post /v2/browser", "ttl", { minimum: 30, maximum: 3600, default: 600 }],
  ["post /v2/browser", "activityTtl", { minimum: 10, maximum: 3600, default: 300 }],
  ["post /v2/interact", "ttl", { minimum: 30, maximum: 3600, default: 600 }],
  ["get /v2/team/activity", "limit", { minimum: 1, maximum: 100, default: 50 }],
  ["get /v2/team/activity", "cursor", { minLength: 1, maxLength: 1024 }],
  ["get /v2/team/credit-usage/historical", "byApiKey", { type: "boolean", default: false }],
  ["post /v2/monitor", "name", { maxLength: 256 }],
  ["post /v2/monitor", "targets", { minItems: 1, maxItems: 50 }],
  ["post /v2/monitor", "goal", { maxLength: 2000 }],
  ["post /v2/monitor", "retentionDays", { minimum: 1, maximum: 365, default: 30 }],
  ["get /v2/monitor", "limit", { minimum: 1, maximum: 100, default: 25 }],
  ["post /v2/feedback", "note", { maxLength: 4000 }],
  ["post /v2/feedback", "missingContent", { maxItems: 50 }],
  ["post /v2/search/{id}/feedback", "missingContent", { maxItems: 20 }],
  ["post /v1/search", "limit", { minimum: 1, maximum: 100, default: 5 }],
  ["post /v1/search", "timeout", { default: 60_000 }],
  ["post /v1/search", "ignoreInvalidURLs", { default: false }],
  ["post /v1/scrape", "timeout", { default: 30_000 }],
  ["post /v1/map", "limit", { minimum: 1, maximum: 30_000, default: 5000 }],
  ["post /v1/batch/scrape", "ignoreInvalidURLs", { default: false }],
  ["post /v1/extract", "ignoreInvalidURLs", { default: false }],
  ["post /v1/crawl", "maxDepth", { default: 10 }],
];

test.each(rows)("%s: %s is %j", (row, field, expected) => {
  const [method = "", path = ""] = row.split(" ");
  expect(fieldAt(method, path, field)).toMatchObject(expected);
});
