import { describe, expect, test } from "vitest";
import { endpoints } from "../operations/all-endpoints.ts";
import { readRequest } from "../requests/read-request.ts";
import type { Endpoint } from "../table/endpoint.ts";

function rowOf(name: string): Endpoint {
  const row = (endpoints as readonly Endpoint[]).find((one) => `${one.method} ${one.path}` === name);
  if (!row) throw new Error(`No row ${name}`);
  return row;
}

function inputOf(name: string, body: unknown) {
  const reading = readRequest(rowOf(name), { body });
  if (!reading.ok) throw new Error(JSON.stringify(reading.issues));
  return reading.input as { scrapeOptions: { formats: unknown[] } };
}

function answerOf(name: string, answer: unknown): unknown {
  const row = rowOf(name);
  const translated = row.toResponse ? row.toResponse(answer as never) : answer;
  expect(row.response.safeParse(translated).error).toBeUndefined();
  return translated;
}

const url = "https://example.com/";

describe("scrape", () => {
  test("has v1's defaults", () => {
    expect(inputOf("POST /v1/scrape", { url }).scrapeOptions).toMatchObject({
      maxAge: 0,
      timeout: 30_000,
      skipTlsVerification: false,
      parsers: [{ type: "pdf" }],
    });
    expect(inputOf("POST /v1/scrape", { url, parsePDF: false }).scrapeOptions).toMatchObject({ parsers: [] });
  });

  test("outputs get their options from beside them", () => {
    const { formats } = inputOf("POST /v1/scrape", {
      url,
      formats: ["markdown", "screenshot@fullPage", "extract", "json", "changeTracking"],
      jsonOptions: {
        schema: { type: "object" },
        prompt: "names",
        systemPrompt: "be brief",
        checkPromptInjection: true,
      },
      changeTrackingOptions: { modes: ["git-diff"], tag: "x" },
    }).scrapeOptions;
    expect(formats).toEqual([
      { type: "markdown" },
      { type: "screenshot", fullPage: true },
      {
        type: "json",
        schema: { type: "object" },
        prompt: "be brief\n\nnames",
        checkPromptInjection: true,
        evidence: false,
      },
      { type: "changeTracking", modes: ["git-diff"], tag: "x" },
    ]);
  });

  test("options of outputs that are not asked for are named as ignored", () => {
    const unknownOf = (body: object) => readRequest(rowOf("POST /v1/scrape"), { body: { url, ...body } });
    const both = { extract: { prompt: "names" }, jsonOptions: { prompt: "names" } };
    expect(unknownOf(both)).toMatchObject({ ok: true, unknownFields: ["extract", "jsonOptions"] });
    expect(unknownOf({ ...both, formats: ["json"] })).toMatchObject({ ok: true, unknownFields: [] });
    expect(unknownOf({ extract: {}, formats: ["extract"] })).toMatchObject({ ok: true, unknownFields: [] });
    expect(unknownOf({ extract: { prompt: 1 } })).toMatchObject({
      ok: false,
      issues: [{ path: ["extract", "prompt"] }],
    });
    const crawl = readRequest(rowOf("POST /v1/crawl"), { body: { url, scrapeOptions: { extract: {} } } });
    expect(crawl).toMatchObject({ ok: true, unknownFields: ["scrapeOptions.extract"] });
  });

  test("the rules between fields hold", () => {
    const reading = readRequest(rowOf("POST /v1/scrape"), {
      body: { url, formats: ["screenshot", "screenshot@fullPage"] },
    });
    expect(reading).toMatchObject({ ok: false, issues: [{ path: ["formats", 1] }] });
    const wait = readRequest(rowOf("POST /v1/scrape"), { body: { url, waitFor: 15_001 } });
    expect(wait).toMatchObject({ ok: false, issues: [{ path: ["waitFor"] }] });
  });

  test("extracted data has both names", () => {
    const answer = { success: true, data: { json: { a: 1 }, metadata: {} } };
    expect(answerOf("POST /v1/scrape", answer)).toEqual({
      success: true,
      data: { json: { a: 1 }, extract: { a: 1 }, metadata: {} },
    });
  });
});

describe("crawl and batch", () => {
  test("old names are translated", () => {
    const body = { url, maxDepth: 3, ignoreSitemap: true, allowBackwardLinks: true };
    expect(inputOf("POST /v1/crawl", body)).toMatchObject({
      sitemap: "skip",
      maxDiscoveryDepth: 3,
      crawlEntireDomain: true,
      dryRun: false,
      scrapeOptions: { maxAge: 0 },
    });
    expect(inputOf("POST /v1/crawl", body)).not.toHaveProperty("maxDepth");
    expect(inputOf("POST /v1/crawl", { url, sitemapOnly: true })).toMatchObject({
      sitemap: "only",
      maxDiscoveryDepth: 10,
    });
  });

  test("bad addresses fail a batch unless they are to be ignored", () => {
    const reading = readRequest(rowOf("POST /v1/batch/scrape"), { body: { urls: [url, "ftp://x"] } });
    expect(reading).toMatchObject({ ok: false, issues: [{ path: ["urls", 1] }] });
    expect(inputOf("POST /v1/batch/scrape", { urls: ["ftp://x"], ignoreInvalidURLs: true })).toMatchObject({
      urls: ["ftp://x"],
    });
  });

  test("links lead to v1", () => {
    const started = { success: true, id: "1", url: "https://svc/v2/api/v2/crawl/1" };
    expect(answerOf("POST /v1/crawl", started)).toMatchObject({ url: "https://svc/v2/api/v1/crawl/1" });
    const batch = { success: true, id: "1", url: "https://svc/v2/batch/scrape/1" };
    expect(answerOf("POST /v1/batch/scrape", batch)).toMatchObject({ url: "https://svc/v1/batch/scrape/1" });
  });

  const status = {
    success: true,
    status: "scraping",
    total: 1,
    completed: 1,
    creditsUsed: 1,
    data: [{ metadata: {} }],
  };

  test("next is translated, and absent on the last page", () => {
    const next = "https://svc/v2/crawl/1?skip=10&limit=5";
    expect(answerOf("GET /v1/crawl/{id}", { ...status, next })).toMatchObject({
      next: "https://svc/v1/crawl/1?skip=10&limit=5",
    });
    expect(answerOf("GET /v1/crawl/{id}", { ...status, next: undefined })).not.toHaveProperty("next");
  });

  test("messages of a watched job are translated", () => {
    const row = "WS /v1/crawl/{id}";
    expect(answerOf(row, { type: "document", data: { json: 1, metadata: {} } })).toMatchObject({
      data: { extract: 1 },
    });
    const done = { type: "done", data: { status: "completed", total: 1, completed: 1, creditsUsed: 1 } };
    expect(answerOf(row, done)).toEqual(done);
    expect(answerOf(row, { type: "catchup", data: status })).toEqual({ type: "catchup", data: status });
  });

  test("running crawls show v1's option names", () => {
    const options = { limit: 5, sitemap: "only", crawlEntireDomain: true, scrapeOptions: { parsers: ["pdf"] } };
    expect(
      answerOf("GET /v1/crawl/active", { success: true, crawls: [{ id: "1", teamId: "t", url, options }] }),
    ).toEqual({
      success: true,
      crawls: [
        {
          id: "1",
          teamId: "t",
          url,
          options: {
            limit: 5,
            ignoreSitemap: false,
            sitemapOnly: true,
            allowBackwardLinks: true,
            scrapeOptions: { formats: [], parsePDF: true },
          },
        },
      ],
    });
  });

  test("running crawls show formats by v1's names, with their options beside them", () => {
    const schema = { type: "object" };
    const formats = [
      "markdown",
      { type: "screenshot", fullPage: true },
      { type: "json", schema, prompt: "the price" },
      { type: "changeTracking", modes: ["git-diff"] },
    ];
    const options = { maxDiscoveryDepth: 3, dryRun: false, scrapeOptions: { formats, parsers: [] } };
    expect(
      answerOf("GET /v1/crawl/active", { success: true, crawls: [{ id: "1", teamId: "t", url, options }] }),
    ).toMatchObject({
      crawls: [
        {
          options: {
            maxDepth: 3,
            scrapeOptions: {
              formats: ["markdown", "screenshot@fullPage", "json", "changeTracking"],
              jsonOptions: { schema, prompt: "the price" },
              changeTrackingOptions: { modes: ["git-diff"] },
              parsePDF: false,
            },
          },
        },
      ],
    });
  });
});

describe("map and search", () => {
  test("map answers plain addresses", () => {
    expect(inputOf("POST /v1/map", { url, ignoreSitemap: true })).toMatchObject({ sitemap: "skip", limit: 5000 });
    expect(readRequest(rowOf("POST /v1/map"), { body: { url, limit: 30_001 } })).toMatchObject({ ok: false });
    const answer = { success: true, id: "1", links: [{ url, title: "A" }] };
    expect(answerOf("POST /v1/map", answer)).toEqual({ success: true, links: [url] });
  });

  test("search is read with v1's defaults and no bound on the query", () => {
    expect(inputOf("POST /v1/search", { query: "a".repeat(2000) })).toMatchObject({
      limit: 5,
      timeout: 60_000,
      ignoreInvalidURLs: false,
      sources: [{ type: "web" }],
      scrapeOptions: { formats: [] },
    });
    for (const limit of [0, 101, 1.5, "5"]) {
      expect(readRequest(rowOf("POST /v1/search"), { body: { query: "x", limit } })).toMatchObject({ ok: false });
    }
  });

  test("search answers one flat list with exactly the fields of the specification", () => {
    const web = [{ url, title: "A", description: "B", position: 1, category: "pdf" }];
    const answer = { success: true, data: { web }, id: "1", creditsUsed: 2 };
    expect(answerOf("POST /v1/search", answer)).toEqual({
      success: true,
      data: [{ url, title: "A", description: "B" }],
      warning: null,
      id: "1",
    });
    expect(answerOf("POST /v1/search", { ...answer, data: {} })).toMatchObject({ data: [] });
  });
});

test("usage has v1's names", () => {
  const period = { billingPeriodStart: null, billingPeriodEnd: "2026-12-01T00:00:00.000Z" };
  const v1Period = { billing_period_start: null, billing_period_end: "2026-12-01T00:00:00.000Z" };
  expect(
    answerOf("GET /v1/team/credit-usage", { success: true, data: { remainingCredits: 1, planCredits: 2, ...period } }),
  ).toEqual({ success: true, data: { remaining_credits: 1, plan_credits: 2, ...v1Period } });
  expect(
    answerOf("GET /v1/team/token-usage", { success: true, data: { remainingTokens: 1, planTokens: 2, ...period } }),
  ).toEqual({ success: true, data: { remaining_tokens: 1, plan_tokens: 2, ...v1Period } });
});
