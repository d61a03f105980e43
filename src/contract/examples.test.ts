// Every documented request and response of the API is kept in examples.json.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { errorBody } from "./fields/common-fields.ts";
import { endpoints } from "./operations/all-endpoints.ts";
import { readRequest } from "./requests/read-request.ts";
import type { Endpoint } from "./table/endpoint.ts";

interface Example {
  section: string;
  method: string;
  path: string;
  body?: unknown;
  response: { success?: boolean; details?: { code: string; path: string[] }[] };
}

const examples: Example[] = JSON.parse(readFileSync(new URL("examples.json", import.meta.url), "utf8"));

function findRow(method: string, pathname: string): { row: Endpoint; params: Record<string, string> } {
  for (const row of endpoints as readonly Endpoint[]) {
    const pattern = row.path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
    const match = new RegExp(`^${pattern}$`).exec(pathname);
    if (row.method === method && match) return { row, params: { ...match.groups } };
  }
  throw new Error(`No row for ${method} ${pathname}`);
}

/** Uploads arrive as bytes, which JSON cannot show. */
function bodyOf({ path, body }: Example): unknown {
  const bytes = new Uint8Array([1]);
  if (path.startsWith("/v2/parse/upload/")) return bytes;
  if (path !== "/v2/parse") return body;
  const { options } = body as { options: object };
  return { ...options, file: { filename: "report.pdf", contentType: "application/pdf", bytes } };
}

function read(example: Example) {
  const url = new URL(example.path, "http://localhost");
  const { row, params } = findRow(example.method, url.pathname);
  const query = Object.fromEntries(url.searchParams);
  return { row, reading: readRequest(row, { params, query, body: bodyOf(example) }) };
}

describe.each(examples)("$section $method $path", (example) => {
  test("the request is read, with every field known", () => {
    const { reading } = read(example);
    const refused = example.response.details?.[0];
    if (refused) {
      expect(reading).toMatchObject({
        ok: false,
        code: "BAD_REQUEST",
        issues: [{ code: refused.code, path: refused.path }],
      });
    } else if (example.section === "3.42") {
      expect(reading).toMatchObject({ ok: false, code: "EXCHANGE_NOT_ENABLED" });
    } else {
      expect(reading).toMatchObject({ ok: true, unknownFields: [] });
    }
  });

  test("the answer is as the row says, with every field known", () => {
    const { row } = read(example);
    const schema = example.response.success === false ? errorBody : row.response;
    expect(schema.parse(example.response)).toEqual(example.response);
  });
});

test("all examples are here", () => {
  expect(examples).toHaveLength(82);
});
