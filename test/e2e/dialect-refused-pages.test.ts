// Pages that a site refuses to this server, in every dialect that reads pages: the site's doing, in the dialect's own shape, and
// never a 5xx. The real app on loopback.
import { beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { creditsUsed, startDialects } from "../support/dialects.ts";
import { anyEngine } from "../support/engines.ts";
import type { FixtureSite } from "../support/fixture-site.ts";
import { page } from "../support/jobs.ts";
import type { SearchService } from "../support/search-service.ts";
import { challenge, refuse } from "../support/walls.ts";

describe("a page that its site refuses", () => {
  let service: SearchService;
  let site: FixtureSite;
  let app: TestApp;
  const wall = (path = "") => `${site.url}/wall${path}`;
  const why = expect.stringContaining("refuses the request");
  beforeAll(async () => {
    const asksForProof = challenge(page("Never seen"), { isPassable: false });
    const kit = await startDialects(anyEngine, (path) => {
      if (path === "/robots.txt") return undefined;
      if (path.startsWith("/proof")) return asksForProof;
      return path.startsWith("/wall") ? refuse : page("Open");
    });
    ({ service, site, app } = kit);
    return kit.stop;
  });
  const post = (path: string, body: object) => app.call("POST", path, { body });

  it("has its status for Exa and costs nothing", async () => {
    const before = await creditsUsed(app);
    const { status, body } = await post("/exa/contents", { urls: [wall(), `${site.url}/proof`, `${site.url}/open`] });
    const error = { tag: "SOURCE_NOT_AVAILABLE", httpStatusCode: 403 };
    expect([status, body.results.length]).toEqual([200, 1]);
    expect(body.statuses).toEqual([
      { id: wall(), status: "error", source: "crawled", error },
      { id: `${site.url}/proof`, status: "error", source: "crawled", error },
      { id: `${site.url}/open`, status: "success", source: "crawled" },
    ]);
    expect((await creditsUsed(app)) - before).toBe(1);
  });

  it("is named among Tavily's failures, and is 422 as the start of a crawl", async () => {
    const extracted = await post("/tavily/extract", { urls: [wall(), `${site.url}/open`] });
    expect([extracted.status, extracted.body.results.length]).toEqual([200, 1]);
    expect(extracted.body.failed_results).toEqual([{ url: wall(), error: why }]);
    const crawled = await post("/tavily/crawl", { url: wall() });
    expect([crawled.status, crawled.body]).toEqual([422, { detail: { error: why } }]);
    const mapped = await post("/tavily/map", { url: wall() });
    expect(mapped.status).toBeLessThan(500);
  });

  it("is a warning for Jina's reader, as every error of a page, and shows nothing of the site's words", async () => {
    const json = await app.get(`/jina/${wall()}`, { headers: { accept: "application/json" } });
    expect([json.status, json.body.data]).toEqual([
      200,
      expect.objectContaining({ url: wall(), content: "", warning: why, usage: { tokens: 0 } }),
    ]);
    expect(json.body.data.warning).toMatch(/^Target URL returned error 403: Forbidden\n/);
    const text = await app.get(`/jina/${wall()}`, { headers: { "x-target-selector": "main" } });
    expect([text.status, text.text]).toEqual([200, expect.stringContaining("Warning: Target URL returned error 403")]);
    expect(text.text).not.toContain("blocked.");
    const stream = await app.get(`/jina/${wall()}`, { headers: { accept: "text/event-stream" } });
    expect(stream.text).toMatch(/^event: data\ndata: \{.*error 403/);
  });

  it("is left out by Open WebUI's loader with a warning", async () => {
    const { status, body, headers } = await post("/openwebui/load", { urls: [wall(), `${site.url}/open`] });
    expect([status, body.length]).toEqual([200, 1]);
    expect(headers.get("x-trawl-warning")).toMatch(/^Left out: http\S+\/wall: The site refuses the request/);
  });

  it("is 422 for docling, whether or not the conversion is waited for", async () => {
    for (const path of ["source", "source/async"]) {
      const { status, body } = await post(`/docling/v1/convert/${path}`, { sources: [{ kind: "http", url: wall() }] });
      expect([status, body]).toEqual([422, { detail: why }]);
    }
  });

  it("keeps its place in a search with contents, which says nothing of it", async () => {
    service.results = [
      { url: wall("/found"), title: "Walled", content: "C" },
      { url: `${site.url}/open`, title: "Open", content: "C" },
    ];
    const exa = await post("/exa/search", { query: "one", contents: { text: true } });
    const tavily = await post("/tavily/search", { query: "two", include_raw_content: true });
    const jina = await app.get("/jina/s?q=three", { headers: { accept: "application/json" } });
    const searxng = await app.get("/searxng/search?q=four");
    expect([exa, tavily, jina, searxng].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const titles of [exa.body.results, tavily.body.results, jina.body.data].map(titlesOf))
      expect(titles).toEqual(["Walled", "Open"]);
    const [first] = [exa.body.results[0].text, tavily.body.results[0].raw_content, jina.body.data[0].content];
    expect([first, tavily.body.results[0].raw_content, jina.body.data[0].content]).toEqual(["", null, ""]);
    expect(titlesOf(searxng.body.results)).toEqual(["Walled", "Open"]);
  });
});

const titlesOf = (results: { title: string }[]) => results.map(({ title }) => title);
