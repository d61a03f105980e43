import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { errorTable } from "../../base/index.ts";
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

interface ErrorResponse {
  content: {
    "application/json": { schema: { allOf: ({ $ref: string } | { properties: { code: { enum: string[] } } })[] } };
  };
}

const document = buildOpenApi({ version: "1.2.3" });
const text = JSON.stringify(document);
const paths = document.paths as Record<string, Record<string, Operation>>;
const { schemas, parameters, responses } = document.components as Record<string, Record<string, object>>;

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
  const [kind = "", name = ""] = $ref?.split("/").slice(-2) ?? [];
  const shared = depth > 5 ? undefined : { schemas, parameters }[kind]?.[name];
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
  const places = [...text.matchAll(/"\$ref":"#\/components\/(schemas|parameters|responses)\/(\w+)"/g)];
  expect(places.length).toBeGreaterThan(200);
  const lost = places.filter(
    ([, kind = "", name = ""]) => !Object.hasOwn({ schemas, parameters, responses }[kind] ?? {}, name),
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

test("the committed file has at most 2304 bytes an operation: 450 KB for 200", () => {
  const written = readFileSync(join(import.meta.dirname, "../../../openapi.json"));
  const operations = Object.values(JSON.parse(written.toString()).paths as object).flatMap((path) => Object.keys(path));
  expect(written.length / operations.length).toBeLessThanOrEqual(2304);
});

test("every component has a use", () => {
  const names = Object.keys({ ...schemas, ...parameters, ...responses });
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

describe("the errors of an operation", () => {
  const codesOf = (method: string, path: string) => {
    const listed = Object.entries(paths[path]?.[method]?.responses ?? {}).filter(([status]) => status !== "200");
    return Object.fromEntries(
      listed.map(([status, response]) => {
        const shared = responses?.[(response as { $ref: string }).$ref.split("/").at(-1) ?? ""];
        const { allOf } = (shared as ErrorResponse).content["application/json"].schema;
        return [status, allOf.flatMap((part) => ("properties" in part ? part.properties.code.enum : []))];
      }),
    );
  };

  test("are listed by status: those of its key, limits and fields, and its own", () => {
    const scrape = codesOf("post", "/v2/scrape");
    expect(scrape[401]).toEqual(["UNAUTHORIZED", "TOKEN_MISSING", "TOKEN_INVALID"]);
    expect(scrape[402]).toContain("INSUFFICIENT_CREDITS");
    expect(scrape[403]).toEqual(expect.arrayContaining(["URL_NOT_ALLOWED", "ROBOTS_BLOCKED"]));
    expect(scrape[408]).toContain("SCRAPE_TIMEOUT");
    expect(scrape[429]).toContain("RATE_LIMITED");
    expect(scrape["default"]).toContain("INTERNAL_ERROR");
    expect(codesOf("get", "/v2/crawl/{id}")[400]).toContain("INVALID_ID");
    expect(codesOf("get", "/v2/crawl/{id}")[404]).toEqual(["JOB_NOT_FOUND"]);
    expect(codesOf("get", "/v2/team/activity")[400]).toContain("INVALID_CURSOR");
    // An upload is sent without a key, and a broken file is the caller's fault.
    expect(Object.keys(codesOf("put", "/v2/parse/upload/{uploadId}"))).toEqual(["400", "404", "default"]);
    expect(codesOf("post", "/v2/parse")[400]).toContain("PARSE_FILE_BROKEN");
    expect(codesOf("post", "/v2/support/ask")[501]).toEqual(["NOT_IMPLEMENTED"]);
  });

  test("are those of the error table, each in one place at least", () => {
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      path.startsWith("/v2/")
        ? Object.keys(methods).flatMap((method) => Object.values(codesOf(method, path)).flat())
        : [],
    );
    expect(listed.filter((code) => !Object.hasOwn(errorTable, code))).toEqual([]);
    expect(new Set(listed).size).toBeGreaterThan(70);
  });
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
    expect(Object.keys(operation.responses)).toEqual(["200", "400", "401", "429", "default"]);
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
