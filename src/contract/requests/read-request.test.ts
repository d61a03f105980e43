import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startCpuTimer } from "../../../test/support/cpu-timer.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import { endpoints } from "../operations/all-endpoints.ts";
import type { Endpoint } from "../table/endpoint.ts";
import { readRequest } from "./read-request.ts";

const id = "0198f1c2-7b1e-7c11-9a55-0d6f5f0a1b01";

function rowOf(name: string): Endpoint {
  const row = (endpoints as readonly Endpoint[]).find((one) => `${one.method} ${one.path}` === name);
  if (!row) throw new Error(`No row ${name}`);
  return row;
}

function readBody(name: string, body: unknown) {
  return readRequest(rowOf(name), { body });
}

function issuesOf(name: string, body: unknown) {
  const reading = readBody(name, body);
  return reading.ok ? [] : reading.issues;
}

describe("a scrape like many others", () => {
  test.each([
    {},
    { formats: ["markdown", "links"], onlyMainContent: false, maxAge: 0, timeout: 5000 },
    { includeTags: ["main"], origin: "js-sdk@4.42.0", integration: null },
    { formats: ["json"] },
    { timeout: "soon" },
    { maxAge: -1 },
    { bogus: 1 },
    { zeroDataRetention: true, onlyCleanContent: true },
    { headers: { cookie: "a=b" } },
    { proxyUrl: "http://proxy.example" },
    { formats: Array.from({ length: 20 }, () => "markdown") },
  ])("is read as its schema reads it, the second time, too: %j", (options) => {
    const row = rowOf("POST /v2/scrape");
    const { readUsual: _, ...whole } = row;
    for (const url of ["example.com/a", "https://example.com/b?c", "ftp://example.com", "", 7, undefined]) {
      const parts = { body: { url, ...options } };
      const expected = readRequest(whole, parts);
      expect(readRequest(row, parts)).toEqual(expected);
      expect(readRequest(row, parts)).toEqual(expected);
    }
  });

  test("is shared by requests, and none of them can change it", () => {
    const [one, other] = ["a.example", "b.example"].map((url) => readBody("POST /v2/scrape", { url, maxAge: 7 }));
    if (!one?.ok || !other?.ok) throw new Error("refused");
    const [first, second] = [one.input, other.input] as { url: string; scrapeOptions: object }[];
    expect([first?.url, second?.url]).toEqual(["http://a.example/", "http://b.example/"]);
    expect(second?.scrapeOptions).toBe(first?.scrapeOptions);
    expect(Object.isFrozen(first?.scrapeOptions)).toBe(true);
  });
});

describe("unknown fields", () => {
  const body = {
    url: "example.com",
    bogus: 1,
    location: { country: "de", planet: "earth" },
    formats: ["links", { type: "json", prompt: "x", style: "y" }],
    redactPII: { mode: "fast", extra: true },
  };

  test("are named with their paths and otherwise ignored", () => {
    const reading = readBody("POST /v2/scrape", body);
    if (!reading.ok) throw new Error("refused");
    expect(reading.unknownFields.sort()).toEqual(["bogus", "formats.1.style", "location.planet", "redactPII.extra"]);
    expect(reading.input).toMatchObject({ url: "http://example.com/", scrapeOptions: { location: { country: "DE" } } });
  });

  test("leave the caller's objects as they were", () => {
    const copy = structuredClone(body);
    readBody("POST /v2/scrape", body);
    expect(body).toEqual(copy);
  });

  test("do not hide what is wrong", () => {
    expect(issuesOf("POST /v2/scrape", { ...body, timeout: "soon" }).map((issue) => issue.path)).toEqual([["timeout"]]);
  });

  test("of official clients are known everywhere", () => {
    const sender = { origin: "js-sdk@4.42.0", integration: null };
    for (const name of ["POST /v2/monitor/{id}/run", "POST /v2/crawl/{id}/pause"]) {
      const reading = readRequest(rowOf(name), { params: { id }, body: sender });
      expect(reading).toEqual({ ok: true, input: { id }, unknownFields: [] });
    }
    const search = { query: "x", sources: ["web", "alexandria"], domainTools: true, toolDetail: "compact", ...sender };
    expect(readBody("POST /v2/search", search)).toMatchObject({
      ok: true,
      unknownFields: [],
      input: { sources: [{ type: "web" }] },
    });
  });

  test("are named up to twenty, the rest is counted", () => {
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`field${index}`, 1]));
    const reading = readBody("POST /v2/scrape", { url: "example.com", ...many });
    if (!reading.ok) throw new Error("refused");
    expect(reading.unknownFields).toEqual([...Object.keys(many).slice(0, 20), "and 5 more"]);
  });

  test("named like parts of every object are only data", () => {
    const hostile = JSON.parse(
      '{"url":"example.com","__proto__":{"timeout":5},"constructor":1,"headers":{"__proto__":"x"}}',
    );
    const reading = readBody("POST /v2/scrape", hostile);
    expect(reading).toMatchObject({ ok: true, input: { scrapeOptions: { timeout: 60_000 } } });
    expect(({} as { timeout?: number }).timeout).toBeUndefined();
  });
});

describe("issues", () => {
  test("of an unknown format name every format", () => {
    const [issue] = issuesOf("POST /v2/scrape", { url: "example.com", formats: ["pdf"] });
    expect(issue?.path).toEqual(["formats", 0]);
    for (const name of ["markdown", "rawBase64", "question", "attributes"]) expect(issue?.message).toContain(name);
  });

  test("of a format that needs options say so", () => {
    const [issue] = issuesOf("POST /v2/scrape", { url: "example.com", formats: ["question"] });
    expect(issue?.message).toBe("The format question has required options: send an object with its type and options");
  });

  test("of an unknown type list the types", () => {
    const [issue] = issuesOf("POST /v2/scrape", { url: "example.com", actions: [{ type: "fly" }] });
    expect(issue?.path).toEqual(["actions", 0, "type"]);
    expect(issue?.message).toContain('"wait", "click"');
  });

  test("of a field inside an alternative point into it", () => {
    const body = { url: "example.com", webhook: { url: "https://h.example", events: ["nothing"] } };
    expect(issuesOf("POST /v2/crawl", body).map((issue) => issue.path)).toEqual([["webhook", "events", 0]]);
    expect(issuesOf("POST /v2/crawl", { ...body, webhook: "ftp://h" }).map((issue) => issue.message)).toEqual([
      "Invalid URL: only http and https are supported",
    ]);
  });

  test("of a value that fits no alternative say what is taken", () => {
    const [issue] = issuesOf("POST /v2/crawl", { url: "example.com", webhook: 5 });
    expect(issue).toEqual({
      code: "invalid_union",
      path: ["webhook"],
      message: "Must be text or an object",
    });
  });

  test("are at most a hundred", () => {
    const body = { urls: new Array(5000).fill("::"), ignoreInvalidURLs: false };
    expect(issuesOf("POST /v2/batch/scrape", body)).toHaveLength(100);
  });
});

describe("floods", () => {
  function timed<Result>(run: () => Result): { result: Result; durationMs: number } {
    const spentMs = startCpuTimer();
    const result = run();
    return { result, durationMs: spentMs() };
  }
  const wrong = (count: number) => new Array(count).fill(1);

  test.each(["POST /v2/batch/scrape", "POST /v1/batch/scrape", "POST /v2/extract"])(
    "%s with two million wrong addresses is answered at once",
    (name) => {
      const { result, durationMs } = timed(() => issuesOf(name, { urls: wrong(2_000_000) }));
      expect(result).toMatchObject([{ code: "too_big", path: ["urls"] }]);
      expect(durationMs).toBeLessThan(1000);
    },
  );

  test("the schema alone stops before the entries too", () => {
    const schema = rowOf("POST /v2/batch/scrape").body;
    const { result, durationMs } = timed(() => schema?.safeParse({ urls: wrong(2_000_000) }));
    expect(result?.error?.issues).toMatchObject([{ code: "too_big", path: ["urls"] }]);
    expect(durationMs).toBeLessThan(1000);
  });

  test("lists inside lists are counted together", () => {
    const formats = new Array(64).fill({ type: "attributes", selectors: wrong(1000) });
    const target = { type: "scrape", urls: ["example.com"], scrapeOptions: { formats } };
    const body = { name: "flood", schedule: { text: "hourly" }, targets: new Array(50).fill(target) };
    const { result, durationMs } = timed(() => issuesOf("POST /v2/monitor", body));
    expect(result).toMatchObject([{ code: "too_big" }]);
    expect(result[0]?.path.slice(-1)).toEqual(["selectors"]);
    expect(durationMs).toBeLessThan(1000);
  });

  test("the largest lists that are allowed are read", () => {
    const urls = new Array(10_000).fill("https://example.com/");
    expect(readBody("POST /v2/batch/scrape", { urls })).toMatchObject({ ok: true });
    expect(issuesOf("POST /v2/batch/scrape", { urls: [...urls, "https://example.com/"] })).toMatchObject([
      { code: "too_big", path: ["urls"] },
    ]);
  });

  test("a thousand bad headers give a hundred issues", () => {
    const headers = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`bad name ${index}`, "x"]));
    expect(issuesOf("POST /v2/scrape", { url: "example.com", headers })).toHaveLength(100);
  });

  test("the bytes of a file are not a list", () => {
    const file = { filename: "a.pdf", contentType: "application/pdf", bytes: new Uint8Array(20_000_000) };
    const { result, durationMs } = timed(() => readBody("POST /v2/parse", { file }));
    expect(result.ok).toBe(true);
    expect(durationMs).toBeLessThan(1000);
  });
});

describe("bodies", () => {
  test("that are absent are read as empty", () => {
    expect(issuesOf("POST /v2/map", undefined)).toEqual([
      { code: "invalid_type", path: ["url"], message: "Required: text" },
    ]);
  });

  test.each([[null], [[]], ["text"], [5], [true]])("that are %j are refused", (body) => {
    expect(issuesOf("POST /v2/map", body)).toEqual([
      { code: "invalid_type", path: [], message: "Expected a JSON object" },
    ]);
  });

  test("of rows without a body schema are ignored", () => {
    const reading = readRequest(rowOf("DELETE /v2/crawl/{id}"), { params: { id }, body: "anything" });
    expect(reading).toEqual({ ok: true, input: { id }, unknownFields: [] });
  });
});

describe("the sentence of a refusal", () => {
  test("is that of a wrong address, when nothing else is wrong", () => {
    expect(readBody("POST /v2/scrape", { url: "not a url" })).toMatchObject({ message: "Invalid URL" });
    expect(readBody("POST /v2/crawl", { url: "ftp://x.example" })).toMatchObject({
      message: "Invalid URL: only http and https are supported",
    });
    expect(readBody("POST /v2/scrape", { url: "not a url", waitFor: -1 })).not.toHaveProperty("message");
    expect(readBody("POST /v2/scrape", { url: "example.com", waitFor: -1 })).not.toHaveProperty("message");
  });

  test.each(["/v1/search", "/v2/search"])("of %s is the one that clients know", (path) => {
    expect(readBody(`POST ${path}`, { query: "x", limit: 0 })).toMatchObject({ message: "Invalid request body" });
  });
});

describe("the message of an issue", () => {
  test.each([
    [{ timeout: 1500.5 }, ["timeout"], "Must be a whole number"],
    [{ headers: [] }, ["headers"], "Must be an object"],
    [{ formats: [{ type: "x" }] }, ["formats", 0, "type"], /^Unknown type: must be one of "markdown", "html", /],
    [{ formats: [{ type: "question" }] }, ["formats", 0, "question"], "Required: text"],
    [{ formats: [{ type: "attributes", selectors: [] }] }, ["formats", 0, "selectors"], "Must have at least 1 entry"],
    [{ waitFor: 40_000 }, ["waitFor"], "waitFor must be at most half of timeout"],
  ])("%j says what the field takes", (fields, path, message) => {
    const reading = readBody("POST /v2/scrape", { url: "example.com", ...fields });
    const text = typeof message === "string" ? message : expect.stringMatching(message);
    expect(reading).toMatchObject({ ok: false, issues: [{ path, message: text }] });
  });
});

describe("paths and queries", () => {
  test("an id that is no UUID decides the whole answer", () => {
    expect(readRequest(rowOf("GET /v2/crawl/{id}"), { params: { id: "42" } })).toEqual({
      ok: false,
      code: "INVALID_ID",
      issues: [{ code: "INVALID_ID", path: ["id"], message: "Invalid job ID format. Job ID must be a valid UUID." }],
    });
  });

  test("a session id may be any text", () => {
    expect(readRequest(rowOf("DELETE /v2/browser/{sessionId}"), { params: { sessionId: "mine" } })).toMatchObject({
      input: { id: "mine" },
    });
    expect(readRequest(rowOf("DELETE /v2/browser"), { body: { id: "mine", origin: "x" } })).toMatchObject({
      input: { id: "mine" },
    });
  });

  test("numbers and booleans travel as text", () => {
    const history = rowOf("GET /v2/team/credit-usage/historical");
    expect(readRequest(history, { query: { byApiKey: "true" } })).toMatchObject({ input: { byApiKey: true } });
    expect(readRequest(history, {})).toMatchObject({ input: { byApiKey: false } });
    const activity = rowOf("GET /v2/team/activity");
    expect(readRequest(activity, { query: { limit: "100" } })).toMatchObject({ input: { limit: 100 } });
    expect(readRequest(activity, { query: {} })).toMatchObject({ input: { limit: 50 } });
  });

  test.each(["0", "101", "-1", "1.5", "1e2", "", " 5", "0x10", "ten", "99999999999999999999", ["5", "6"]])(
    "limit=%j is refused",
    (limit) => {
      const reading = readRequest(rowOf("GET /v2/team/activity"), { query: { limit } });
      const paths = reading.ok ? [] : reading.issues.map((issue) => issue.path.join("."));
      expect(new Set(paths)).toEqual(new Set(["limit"]));
    },
  );

  test("a fraction is told from a text", () => {
    const reading = readRequest(rowOf("GET /v2/team/activity"), { query: { limit: "1.5" } });
    expect(reading).toMatchObject({ issues: [{ message: "Must be a whole number" }] });
  });

  test.each(["yes", "1", "", "TRUE", ["true", "true"]])("byApiKey=%j is refused", (byApiKey) => {
    const reading = readRequest(rowOf("GET /v2/team/credit-usage/historical"), { query: { byApiKey } });
    expect(reading).toMatchObject({ ok: false, issues: [{ path: ["byApiKey"] }] });
  });

  test.each(["/v2/team/activity", "/v2/team/webhooks"])("%s: a cursor that cannot be one has its own code", (path) => {
    const row = rowOf(`GET ${path}`);
    for (const cursor of ["", "a".repeat(1025)]) {
      expect(readRequest(row, { query: { cursor } })).toEqual({
        ok: false,
        code: "INVALID_CURSOR",
        issues: [
          {
            code: "INVALID_CURSOR",
            path: ["cursor"],
            message: "Invalid cursor. Send the cursor of the previous page unchanged, or none for the first page.",
          },
        ],
      });
    }
    expect(readRequest(row, { query: { cursor: "a".repeat(1024) } })).toMatchObject({ ok: true });
  });

  test("the path wins over the body", () => {
    const other = "0198f1c2-7b1e-7c11-9a55-0d6f5f0a1b02";
    const row = { ...rowOf("GET /v2/crawl/{id}"), body: rowOf("DELETE /v2/browser").body } as Endpoint;
    expect(readRequest(row, { params: { id }, body: { id: other } })).toMatchObject({ input: { id } });
  });
});

/** Names that JavaScript looks up on a value when it makes text, numbers, JSON or promises of it. */
const hostileNames = ["__proto__", "constructor", "hasOwnProperty", "length", "then", "toJSON", "toString", "valueOf"];

// Found by the property below at seed -1775263557: a message put the caller's value into words.
test.each(hostileNames)("an object with its own %s is an ordinary wrong value", (name) => {
  const hostile = JSON.parse(`{"${name}":1}`);
  for (const formats of [[hostile], hostile, [[hostile]], [{ type: hostile }]]) {
    for (const version of ["v1", "v2"]) {
      expect(readBody(`POST /${version}/scrape`, { url: "example.com", formats })).toMatchObject({ ok: false });
      expect(readBody(`POST /${version}/search`, { query: "x", scrapeOptions: { formats } })).toMatchObject({
        ok: false,
      });
    }
  }
});

// Found by the property below at seed 1349060869: a schema compared the length of an object.
test.each(["toString", "valueOf"])("a length that cannot be compared, by its own %s, is a wrong value", (name) => {
  const length = JSON.parse(`[{"toString":1,"${name}":1}]`);
  expect(issuesOf("POST /v2/feedback", { url: { length } })).toEqual([
    { code: "invalid_type", path: ["url"], message: "The field length must be a number" },
  ]);
  expect(readBody("POST /v2/scrape", { url: "example.com", formats: { length } })).toMatchObject({ ok: false });
});

test("no JSON value makes any row throw", () => {
  const names = (endpoints as readonly Endpoint[]).flatMap((row) =>
    Object.keys((row.body as { shape?: object } | undefined)?.shape ?? {}),
  );
  const key = fc.oneof(
    fc.constantFrom("url", "urls", "formats", "actions", "scrapeOptions", "type", ...hostileNames, ...names),
    fc.string(),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.jsonValue(),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(key, tie("value"), { maxKeys: 5 }),
    ),
  }));
  fc.assert(
    fc.property(
      fc.constantFrom(...(endpoints as readonly Endpoint[])),
      value,
      value,
      value,
      (row, params, query, body) => {
        const before = JSON.stringify([params, query, body]);
        const reading = readRequest(row, { params, query, body });
        expect(typeof reading.ok).toBe("boolean");
        expect(JSON.stringify([params, query, body])).toBe(before);
      },
    ),
    { numRuns: propertyRuns(2000) },
  );
});

test("deep nesting is no danger", () => {
  let deep: unknown = {};
  for (let level = 0; level < 100_000; level += 1) deep = { a: deep };
  const body = { endpoint: "map", jobId: id, rating: "good", metadata: deep };
  expect(issuesOf("POST /v2/feedback", body).map((issue) => issue.path)).toEqual([["metadata"]]);
});
