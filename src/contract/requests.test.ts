// Rules of single requests that no type shows.
import { describe, expect, test } from "vitest";
import { endpoints } from "./operations/all-endpoints.ts";
import { readRequest } from "./requests/read-request.ts";
import type { Endpoint } from "./table/endpoint.ts";

function read(name: string, body: unknown) {
  const row = (endpoints as readonly Endpoint[]).find((one) => `${one.method} ${one.path}` === name);
  if (!row) throw new Error(`No row ${name}`);
  const reading = readRequest(row, { params: { id: "0198f1c2-7b1e-7c11-9a55-0d6f5f0a1b01" }, body });
  return reading.ok ? { input: reading.input } : { paths: reading.issues.map((issue) => issue.path.join(".")) };
}

const url = "https://example.com";

describe("addresses", () => {
  test("that are bad stay as they are while they may be ignored", () => {
    const urls = ["https://example.com/a", "notaurl::", "example.com"];
    expect(read("POST /v2/batch/scrape", { urls })).toMatchObject({ input: { urls, ignoreInvalidURLs: true } });
    expect(read("POST /v2/extract", { urls })).toMatchObject({ input: { urls } });
  });

  test("that are bad fail the request at their index otherwise", () => {
    const body = { urls: [url, "ftp://x", "http://"], ignoreInvalidURLs: false };
    expect(read("POST /v2/batch/scrape", body)).toEqual({ paths: ["urls.1", "urls.2"] });
    expect(read("POST /v2/extract", body)).toEqual({ paths: ["urls.1", "urls.2"] });
    expect(read("POST /v1/extract", { urls: body.urls })).toEqual({ paths: ["urls.1", "urls.2"] });
  });

  test("are needed", () => {
    expect(read("POST /v2/extract", { prompt: "x" })).toEqual({ paths: ["urls"] });
    expect(read("POST /v2/batch/scrape", { urls: [] })).toEqual({ paths: ["urls"] });
  });
});

describe("webhooks", () => {
  const all = ["started", "page", "paused", "resumed", "completed", "failed"];
  test.each([
    ["https://h.example", { url: "https://h.example/", headers: {}, metadata: {}, events: all }],
    [{ url: "h.example" }, { url: "http://h.example/", headers: {}, metadata: {}, events: all }],
    [{ url: "h.example", events: [] }, { events: all }],
    [{ url: "h.example", events: ["crawl.page", "page", "failed"] }, { events: ["page", "failed"] }],
  ])("%j", (webhook, resolved) => {
    expect(read("POST /v2/crawl", { url, webhook })).toMatchObject({ input: { webhook: resolved } });
  });

  test("of monitors keep their own event names", () => {
    const monitor = { name: "n", schedule: { text: "hourly" }, targets: [{ type: "scrape", urls: [url] }] };
    expect(
      read("POST /v2/monitor", { ...monitor, webhook: { url, events: ["monitor.check.completed"] } }),
    ).toMatchObject({ input: { webhook: { events: ["check.completed"] } } });
  });
});

describe("crawls", () => {
  test.each([
    [{ includePaths: ["^/a", "("] }, "includePaths.1"],
    [{ excludePaths: ["a".repeat(1025)] }, "excludePaths.0"],
    [{ includePaths: new Array(1001).fill("a") }, "includePaths"],
    [{ changedSince: "yesterday" }, "changedSince"],
    [{ changedSince: "2026-13-01" }, "changedSince"],
    [{ scrapeOptions: { fastMode: true, formats: ["screenshot"] } }, "scrapeOptions.formats.0"],
  ])("%j is refused", (options, path) => {
    expect(read("POST /v2/crawl", { url, ...options })).toEqual({ paths: [path] });
  });

  test.each(["last", "2026-11-01", "2026-11-01T10:00:00Z"])("changedSince %s is taken", (changedSince) => {
    expect(read("POST /v2/crawl", { url, changedSince })).toMatchObject({ input: { changedSince } });
  });

  test("keep nothing of their pages when asked to", () => {
    expect(read("POST /v2/crawl", { url, zeroDataRetention: true })).toMatchObject({
      input: { zeroDataRetention: true, scrapeOptions: { zeroDataRetention: true, storeInCache: false } },
    });
  });

  test("may use lookahead in their patterns", () => {
    expect(read("POST /v2/crawl", { url, includePaths: ["^/(?!old)"] })).toHaveProperty("input");
  });
});

describe("searches", () => {
  test.each(["qdr:h", "qdr:y", "sbd:1,qdr:w", "cdr:1,cd_min:01/31/2026,cd_max:2/1/2026", "cdr:1,cd_min:1/1/2026"])(
    "tbs %s is taken",
    (tbs) => {
      expect(read("POST /v2/search", { query: "x", tbs })).toMatchObject({ input: { tbs } });
    },
  );
  test("an empty tbs, as n8n's node sends it, counts as absent", () => {
    expect(read("POST /v2/search", { query: "x", tbs: "" })).toMatchObject({ input: { tbs: undefined } });
  });
  test.each([" ", "qdr:x", "last week", "cdr:1,cd_min:02/30/2026", "cdr:1,cd_min:2/2/2026,cd_max:1/1/2026", "qdr:d;x"])(
    "tbs %j is refused",
    (tbs) => {
      expect(read("POST /v2/search", { query: "x", tbs })).toEqual({ paths: ["tbs"] });
    },
  );
  test("have a country only when there is no location", () => {
    expect(read("POST /v2/search", { query: "x" })).toMatchObject({ input: { country: "US" } });
    expect(read("POST /v2/search", { query: "x", location: "Germany" })).toMatchObject({
      input: { country: undefined },
    });
  });
  test.each([
    [{ includeDomains: ["a.example"], excludeDomains: ["b.example"] }, "excludeDomains"],
    [{ includeDomains: ["https://a.example/x"] }, "includeDomains.0"],
    [{ categories: ["developer", { type: "pdf" }] }, "categories"],
    [{ query: "a".repeat(501) }, "query"],
  ])("%j is refused", (options, path) => {
    expect(read("POST /v2/search", { query: "x", ...options })).toEqual({ paths: [path] });
  });
});

describe("files", () => {
  const file = { filename: "a.pdf", contentType: "application/pdf", bytes: new Uint8Array([1]) };
  test.each([
    [{ actions: [{ type: "scrape" }] }, "actions"],
    [{ waitFor: 1 }, "waitFor"],
    [{ location: { country: "US" } }, "location"],
    [{ mobile: true }, "mobile"],
    [{ proxy: "enhanced" }, "proxy"],
    [{ formats: ["screenshot"] }, "formats.0"],
  ])("%j is refused", (options, path) => {
    expect(read("POST /v2/parse", { file, ...options })).toEqual({ paths: [path] });
  });
  test("or a reference to one are needed", () => {
    expect(read("POST /v2/parse", {})).toEqual({ paths: ["file"] });
    expect(read("POST /v2/parse", { file: { bytes: "forged" } })).toEqual({ paths: ["file"] });
    expect(read("POST /v2/parse", { uploadRef: "up_1", mobile: false, actions: [] })).toMatchObject({
      input: { source: { uploadRef: "up_1" }, scrapeOptions: { timeout: 30_000 } },
    });
  });
});

test.each([
  ["POST /v2/scrape/{id}/interact", {}, "prompt"],
  ["POST /v2/monitor", { name: "n", schedule: {}, targets: [{ type: "scrape", urls: [url] }] }, "schedule"],
  [
    "POST /v2/monitor",
    { name: "n", schedule: { cron: "* *" }, targets: [{ type: "scrape", urls: [url] }] },
    "schedule.cron",
  ],
  [
    "POST /v2/monitor",
    { name: "n", schedule: { text: "hourly" }, targets: [{ type: "search", queries: ["q"] }] },
    "goal",
  ],
  ["PATCH /v2/monitor/{id}", { origin: "x" }, ""],
  ["POST /v2/search/{id}/feedback", { rating: "good" }, "valuableSources"],
  ["POST /v2/search/{id}/feedback", { rating: "bad" }, "missingContent"],
])("%s with %j is refused", (name, body, path) => {
  expect(read(name, body)).toEqual({ paths: [path] });
});

test("feedback on a search has one form", () => {
  expect(read("POST /v2/search/{id}/feedback", { rating: "bad", querySuggestions: "more" })).toMatchObject({
    input: { endpoint: "search", jobId: "0198f1c2-7b1e-7c11-9a55-0d6f5f0a1b01", rating: "bad" },
  });
});
