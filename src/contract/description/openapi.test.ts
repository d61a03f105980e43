import { describe, expect, test } from "vitest";
import { endpoints } from "../operations/all-endpoints.ts";
import type { Endpoint } from "../table/endpoint.ts";
import { buildOpenApi } from "./openapi.ts";

interface Operation {
  operationId: string;
  description?: string;
  parameters?: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: {
    required: boolean;
    content: Record<string, { schema: { required?: string[]; properties?: object } }>;
  };
  responses: Record<string, object>;
  security?: unknown[];
  "x-rate-group"?: string;
  "x-websocket"?: { message: object };
}

const document = buildOpenApi({ version: "1.2.3" });
const text = JSON.stringify(document);
const paths = document.paths as Record<string, Record<string, Operation>>;
const { schemas, parameters } = document.components as Record<string, Record<string, object>>;

function operationOf(method: string, path: string): Operation {
  const operation = paths[path]?.[method];
  if (!operation) throw new Error(`No ${method} ${path}`);
  return withComponents(operation) as Operation;
}

/** With what its references name, as a reader has it in the end. */
function withComponents(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((each) => withComponents(each, depth));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...own } = value as { $ref?: string };
  const name = $ref?.split("/").at(-1) ?? "";
  const shared = depth > 5 ? undefined : (schemas?.[name] ?? parameters?.[name]);
  const entries = Object.entries({ ...shared, ...own });
  return Object.fromEntries(entries.map(([key, each]) => [key, withComponents(each, shared ? depth + 1 : depth)]));
}

test("every row is an operation, and every operation has its own name", () => {
  const rows = (endpoints as readonly Endpoint[]).filter((row) => row.method !== "WS");
  const names = Object.values(paths).flatMap((path) => Object.values(path).map((operation) => operation.operationId));
  expect(names).toHaveLength(rows.length);
  expect(new Set(names).size).toBe(names.length);
  expect(operationOf("post", "/v2/scrape").operationId).toBe("scrape");
  expect(operationOf("post", "/v1/scrape").operationId).toBe("scrapeV1");
  expect(operationOf("get", "/v2/crawl/ongoing").operationId).toBe("listActiveCrawlsAlias");
});

test("no two paths differ only in the names of their parameters", () => {
  const shapes = Object.keys(paths).map((path) => path.replace(/\{\w+\}/g, "{}"));
  expect(new Set(shapes).size).toBe(shapes.length);
});

test("every reference leads somewhere", () => {
  const places = [...text.matchAll(/"\$ref":"#\/components\/(schemas|parameters)\/(\w+)"/g)];
  expect(places.length).toBeGreaterThan(200);
  const lost = places.filter(
    ([, kind = "", name = ""]) => !Object.hasOwn((kind === "schemas" ? schemas : parameters) ?? {}, name),
  );
  expect(lost).toEqual([]);
  expect(text).not.toContain("#/$defs/");
});

test("no schema of more than 20 lines is written twice", () => {
  const counts = new Map<string, number>();
  const visit = (value: unknown, isWhole = false): void => {
    if (typeof value !== "object" || value === null) return;
    const key = JSON.stringify(value, null, 1);
    const isObject = "properties" in value && typeof (value as { type?: unknown }).type === "string";
    if (isObject && !isWhole && key.split("\n").length > 20) counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const each of Object.values(value)) visit(each);
  };
  visit(paths);
  for (const schema of Object.values(schemas ?? {})) visit(schema, true);
  expect([...counts].filter(([, count]) => count > 1).map(([key]) => key)).toEqual([]);
});

test("every component has a use", () => {
  const names = Object.keys({ ...schemas, ...parameters });
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !text.includes(`/${name}"`))).toEqual([]);
});

test("nothing of the parser shows", () => {
  for (const word of ['"$schema"', '"$id"', '"additionalProperties":false', "9007199254740991"]) {
    expect(text).not.toContain(word);
  }
});

test("the same table makes the same text", () => {
  expect(JSON.stringify(buildOpenApi({ version: "1.2.3" }))).toBe(text);
  expect(buildOpenApi({ version: "1", serverUrl: "https://svc" }).servers).toEqual([{ url: "https://svc" }]);
});

describe("one operation", () => {
  test("shows its body with defaults and bounds", () => {
    const body = operationOf("post", "/v2/map").requestBody;
    expect(body?.required).toBe(true);
    expect(body?.content["application/json"]?.schema).toMatchObject({
      required: ["url"],
      properties: { limit: { type: "integer", minimum: 1, maximum: 100_000, default: 5000 } },
    });
    expect(operationOf("post", "/v2/scrape").requestBody?.content["application/json"]?.schema.required).toEqual([
      "url",
    ]);
  });

  test("shows its parameters", () => {
    expect(operationOf("get", "/v2/crawl/{id}").parameters).toMatchObject([
      { name: "id", in: "path", required: true, schema: { type: "string" } },
      { name: "skip", in: "query", required: false, schema: { type: "integer", default: 0, minimum: 0 } },
      { name: "limit", in: "query", required: false, schema: { type: "integer", minimum: 1, maximum: 1000 } },
    ]);
    expect(operationOf("get", "/v2/team/activity").parameters).toMatchObject([
      { name: "endpoint", schema: { enum: expect.arrayContaining(["deep_research"]) } },
      { name: "status", schema: { enum: ["running", "succeeded", "failed"] } },
      { name: "apiKey" },
      { name: "limit", schema: { default: 50 } },
      { name: "cursor" },
    ]);
  });

  test("shows its answers and its rate group", () => {
    const operation = operationOf("get", "/v2/team/activity");
    expect(Object.keys(operation.responses)).toEqual(["200", "default"]);
    expect(operation["x-rate-group"]).toBe("status");
    expect(operationOf("put", "/v2/parse/upload/{uploadId}").security).toEqual([]);
  });

  test("shows files, text and messages", () => {
    const parse = operationOf("post", "/v2/parse").requestBody;
    expect(parse?.content["multipart/form-data"]?.schema.required).toEqual(["file"]);
    expect(parse?.content["application/json"]?.schema.required).toEqual(["uploadRef"]);
    expect(operationOf("get", "/r/{url}").responses[200]).toHaveProperty(["content", "text/markdown; charset=utf-8"]);
    expect(operationOf("get", "/r/{url}").responses[200]).toHaveProperty(["headers", "X-Target-Status", "schema"]);
    expect(operationOf("get", "/v2/crawl/{id}")["x-websocket"]?.message).toHaveProperty("oneOf");
  });

  test("says when it is not served", () => {
    expect(operationOf("post", "/v2/support/ask").description).toContain("GET /v2/jobs/{id}/trace");
    expect(operationOf("get", "/exchange/{path}").description).toBe("Not available: answers 403.");
  });
});
