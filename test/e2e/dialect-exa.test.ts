// Exa's API through every room: the real app, a search service, a site and a language model on loopback, both engines.
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type CallOptions, otherKey, type TestApp, testKey } from "../support/app.ts";
import { startDialects, startPoorApp } from "../support/dialects.ts";
import { bystanders, onOneEngine } from "../support/engines.ts";
import type { FixtureSite } from "../support/fixture-site.ts";
import { startModelApp } from "../support/models.ts";
import type { SearchService } from "../support/search-service.ts";

const article = `<!doctype html><html lang="en"><head><title>Otters – 獭</title><meta name="author" content="Ada"><meta property="og:image" content="/pic.png"></head><body>
<main><h1>Otters</h1><p>${"An otter lives by the river and eats fish and crabs. ".repeat(8)}</p><p>${"Mountains are cold and high in winter. ".repeat(9)}</p>
<p>It sleeps in a <a href="/holt">holt</a> under the bank. <img src="/otter.jpg" alt="An otter"></p></main></body></html>`;

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const exaError = (tag: string, error: unknown = expect.any(String)) => ({ requestId: uuid, error, tag });

describe.each(bystanders)("Exa on $name", (engine) => {
  const { describeOnce } = onOneEngine(engine);
  let service: SearchService;
  let site: FixtureSite;
  let app: TestApp;
  let asked = 0;
  beforeAll(async () => {
    const kit = await startDialects(engine, (path) => {
      if (path.startsWith("/article")) return article;
      if (path === "/forbidden") return (_request, response) => response.writeHead(403).end("no");
      if (path === "/empty") return "<!doctype html><title>Empty</title><main></main>";
      if (path === "/slow") return () => {};
      return undefined;
    });
    ({ service, site, app } = kit);
    return kit.stop;
  });
  beforeEach(() => {
    service.reset();
    asked += 1;
  });

  const call = (path: string, body: unknown, options: CallOptions = {}) =>
    app.call("POST", `/exa/${path}`, { body, ...options });
  const search = (body: object = {}) => call("search", { query: `otter ${asked}`, ...body });
  const hit = (url: string, title = "Otter", publishedDate?: string) => ({
    url,
    title,
    content: "C",
    ...(publishedDate ? { publishedDate } : {}),
  });
  const titles = (body: { results: { title: string }[] }) => body.results.map(({ title }) => title);

  it("searches in Exa's shape with contents; a page that failed keeps its place", async () => {
    service.results = [hit(`${site.url}/article`, "Otters", "2026-02-03"), hit(`${site.url}/gone`, "Gone")];
    const contents = {
      text: { maxCharacters: 20 },
      highlights: { highlightsPerUrl: 1 },
      extras: { links: 1, imageLinks: 1 },
      subpages: 2,
    };
    const answer = await call(
      "search",
      { query: `otter ${asked}`, type: "neural", numResults: 5, contents },
      { key: null, headers: { "x-api-key": testKey } },
    );
    expect([answer.status, answer.headers.get("x-trawl-ignored")]).toEqual([200, "contents.subpages"]);
    expect(answer.body).toEqual({
      requestId: uuid,
      resolvedSearchType: "keyword",
      searchTime: expect.any(Number),
      costDollars: { total: 0 },
      results: [
        {
          id: `${site.url}/article`,
          url: `${site.url}/article`,
          title: "Otters",
          score: 1,
          publishedDate: "2026-02-03T00:00:00.000Z",
          author: "Ada",
          image: expect.stringContaining("/pic.png"),
          text: "# Otters\n\nAn otter l",
          highlights: [expect.stringContaining("otter")],
          highlightScores: [expect.any(Number)],
          extras: { links: [`${site.url}/holt`], imageLinks: [`${site.url}/otter.jpg`] },
        },
        {
          id: `${site.url}/gone`,
          url: `${site.url}/gone`,
          title: "Gone",
          score: 0.9091,
          text: "",
          highlights: [],
          highlightScores: [],
          extras: { links: [], imageLinks: [] },
        },
      ],
    });
    expect((await app.get(`/v2/search/${answer.body.requestId}`)).status).toBe(200);
    expect((await app.get(`/v2/search/${answer.body.requestId}`, { key: otherKey })).status).toBe(404);
    expect((await app.get("/v2/team/activity?limit=1")).body.data[0].api_version).toBe("exa");
  });

  it("reads pages by their addresses, with a status for each", async () => {
    const urls = [
      `${site.url}/article?${asked}`,
      `${site.url}/gone`,
      `${site.url}/forbidden`,
      "http://10.0.0.1/",
      "nonsense://x",
    ];
    const { status, body } = await call("contents", { urls });
    expect(status).toBe(200);
    expect(body.results).toEqual([
      expect.objectContaining({
        id: urls[0],
        url: urls[0],
        title: "Otters – 獭",
        text: expect.stringContaining("# Otters"),
      }),
    ]);
    const failed = (id: string | undefined, tag: string, httpStatusCode: number) => ({
      id,
      status: "error",
      source: "crawled",
      error: { tag, httpStatusCode },
    });
    expect(body.statuses).toEqual([
      { id: urls[0], status: "success", source: "crawled" },
      failed(urls[1], "CRAWL_NOT_FOUND", 404),
      failed(urls[2], "SOURCE_NOT_AVAILABLE", 403),
      failed(urls[3], "SOURCE_NOT_AVAILABLE", 403),
      failed(urls[4], "SOURCE_NOT_AVAILABLE", 403),
    ]);
    const again = await call("contents", { ids: [urls[0]], highlights: { query: "mountains", maxCharacters: 100 } });
    expect(again.body.statuses[0].source).toBe("cached");
    expect(again.body.results[0].highlights[0]).toMatch(/^.{1,100}$/);
    expect(again.body.results[0].highlights[0]).toContain("Mountains");
    expect(again.body.results[0].text).toBeUndefined();
  });

  describeOnce("search", () => {
    it("keeps to domains, dates, phrases, categories and places", async () => {
      service.results = [
        hit("https://a.example/1", "A", "2026-01-01"),
        hit("https://b.example/1", "B", "2026-02-01"),
        hit("https://c.example/1", "Undated"),
      ];
      expect(titles((await search({ includeDomains: ["a.example"] })).body)).toEqual(["A"]);
      expect(titles((await search({ includeDomains: null, excludeDomains: ["a.example"] })).body)).toEqual([
        "B",
        "Undated",
      ]);
      expect(titles((await search({ startPublishedDate: "2026-01-15", endPublishedDate: "2026-02-01" })).body)).toEqual(
        ["B"],
      );
      await search({ includeText: ["big otter"], excludeText: ["seal"], userLocation: "ch" });
      expect(service.query().get("q")).toContain('"big otter"');
      expect((await search({ category: "constructor" })).headers.get("x-trawl-ignored")).toBe("category");
      const ignored = await search({
        category: "company",
        useAutoprompt: true,
        startCrawlDate: "2026-01-01",
        contents: { summary: true },
      });
      expect(ignored.headers.get("x-trawl-ignored")).toBe("category, contents.summary, startCrawlDate");
      expect((await search({ category: "news" })).status).toBe(200);
    });

    it("drops results without text, reads HTML, and only cached copies where asked for", async () => {
      service.results = [hit(`${site.url}/article?${asked}`, "Otters"), hit(`${site.url}/gone`, "Gone")];
      const cached = await search({ contents: { text: true, maxAgeHours: -1 } });
      expect(cached.body.results[0].text).toBe("");
      expect((await app.get(`/v2/search/${cached.body.requestId}`)).status).toBe(200);
      const full = await search({
        contents: {
          text: { includeHtmlTags: true },
          filterEmptyResults: true,
          livecrawl: "always",
          livecrawlTimeout: 20_000,
        },
      });
      expect(titles(full.body)).toEqual(["Otters"]);
      expect(full.body.results[0].text).toContain("<h1>");
      expect((await search()).body.results[0]).not.toHaveProperty("text");
      // A page that failed has a text whatever is asked for.
      const some = await search({ contents: { highlights: { numSentences: 2 } } });
      expect(some.body.results.map(({ text }: { text?: string }) => text)).toEqual([undefined, ""]);
      expect(some.headers.get("x-trawl-ignored")).toBe("contents.highlights.numSentences");
    });

    it("reads stored copies alone where asked for, under an id that v2 knows", async () => {
      const url = `${site.url}/article?stored${asked}`;
      const missing = await call("contents", { urls: [url], livecrawl: "never" });
      expect(missing.body.statuses[0]).toMatchObject({ status: "error", error: { tag: "CRAWL_NOT_FOUND" } });
      await call("contents", { urls: [url] });
      site.asked.length = 0;
      const stored = await call("contents", { urls: [url], maxAgeHours: -1, highlights: { numSentences: 1 } });
      expect([stored.body.statuses[0].source, site.asked]).toEqual(["cached", []]);
      expect(stored.headers.get("x-trawl-ignored")).toBe("highlights.numSentences");
      const both = await call("contents", { urls: [url], ids: [url], maxAgeHours: 5, livecrawl: "always" });
      expect([both.body.statuses[0].source, both.headers.get("x-trawl-ignored")]).toEqual(["cached", "ids, livecrawl"]);
      expect((await app.get(`/v2/scrape/${stored.body.requestId}`)).status).toBe(200);
      const empty = await call("contents", { urls: [`${site.url}/empty`] });
      expect(empty.headers.get("x-trawl-warning")).toContain("The page has no text");
    });

    it("finds similar sites, never of a refused address", async () => {
      service.results = [hit("https://b.example/1", "B")];
      const similar = await call("findSimilar", {
        url: "https://a.example/page",
        numResults: 3,
        excludeSourceDomain: true,
      });
      expect([similar.status, similar.body.resolvedSearchType]).toEqual([200, "keyword"]);
      const refused = await call("findSimilar", { url: "http://10.0.0.1/" });
      expect([refused.status, refused.body]).toEqual([403, exaError("SOURCE_NOT_AVAILABLE")]);
    });

    it.each<[string, unknown, number, string, string]>([
      ["search", {}, 400, "INVALID_REQUEST_BODY", "query is required"],
      ["search", { query: "a", numResults: 101 }, 400, "INVALID_REQUEST_BODY", "numResults: "],
      ["search", { query: "a", stream: true }, 400, "INVALID_REQUEST_BODY", "stream: "],
      ["search", { query: "a", startPublishedDate: "soon" }, 400, "INVALID_REQUEST_BODY", "startPublishedDate: "],
      ["search", { query: "a", contents: { text: 5 } }, 400, "INVALID_REQUEST_BODY", "contents.text: "],
      ["contents", {}, 400, "INVALID_REQUEST_BODY", "urls is required"],
      ["contents", { urls: [] }, 400, "INVALID_REQUEST_BODY", "urls: "],
      ["answer", { query: "a" }, 501, "NOT_IMPLEMENTED", "No language model"],
      ["websets/v0/websets", {}, 501, "NOT_IMPLEMENTED", "Exa"],
    ])("refuses %s %j with %i", async (path, body, status, tag, error) => {
      const answer = await call(path, body);
      expect([answer.status, answer.body]).toEqual([status, exaError(tag, expect.stringContaining(error))]);
    });

    it("answers keys, methods and failed searches in its shape, and nothing found with a list", async () => {
      expect((await call("search", { query: "a" }, { key: "wrong" })).body).toEqual(exaError("INVALID_API_KEY"));
      expect((await app.get("/exa/search")).status).toBe(405);
      expect((await search()).body.results).toEqual([]);
      service.status = 500;
      const failed = await call("search", { query: `down ${asked}` });
      expect([failed.status, failed.body]).toEqual([503, exaError("SERVICE_UNAVAILABLE")]);
    });
  });

  describeOnce("limits", () => {
    it("are 402 and 429 in Exa's shape", async () => {
      const poor = await startPoorApp(engine, 1);
      onTestFinished(() => poor.stop());
      const ask = () => poor.call("POST", "/exa/search", { body: { query: "a" } });
      expect((await ask()).body).toEqual(exaError("NO_MORE_CREDITS"));
      expect((await ask()).body).toEqual(exaError("RATE_LIMIT_EXCEEDED"));
    });
  });

  describeOnce("a language model", () => {
    it("answers from results for Exa and Tavily, and as a stream", async () => {
      const models = await startModelApp(engine, {
        SEARXNG_ENDPOINT: service.url,
        OWN_INDEX: "0",
        CHROMIUM_PATH: "/nowhere/chromium",
      });
      onTestFinished(() => models.stop());
      service.results = [hit(`${site.url}/article`, "Otters")];
      models.script(() => ({
        json: { answer: "It eats fish.", quotes: ["An otter lives by the river and eats fish and crabs."] },
      }));
      const post = (path: string, body: object) => models.app.call("POST", path, { body });
      const answer = await post("/exa/answer", {
        query: `what does an otter eat ${asked}`,
        text: true,
        systemPrompt: "short",
      });
      expect([answer.status, answer.headers.get("x-trawl-ignored")]).toEqual([200, "systemPrompt"]);
      expect(answer.body).toMatchObject({
        answer: "It eats fish.",
        citations: [{ id: `${site.url}/article`, text: expect.stringContaining("# Otters") }],
        requestId: uuid,
      });
      expect(models.asked.length).toBeGreaterThan(0);
      models.script(({ way }) =>
        way === "text"
          ? { text: "Otters eat fish." }
          : { json: { answer: "It eats fish.", quotes: ["eats fish"], food: "fish" } },
      );
      const summaryOf = async (summary: unknown) =>
        (await post("/exa/contents", { urls: [`${site.url}/article`], summary })).body.results[0].summary;
      expect(await summaryOf(true)).toContain("Otters eat fish.");
      expect(await summaryOf({ query: "What does it eat?" })).toBe("It eats fish.");
      const schema = { type: "object", properties: { food: { type: "string" } } };
      expect(JSON.parse(await summaryOf({ schema, query: "food" }))).toHaveProperty("food");
      const stream = await post("/exa/answer", { query: `what does an otter eat ${asked}`, stream: true });
      expect(stream.headers.get("content-type")).toContain("text/event-stream");
      const [first = "", , last] = stream.text.split("\n");
      expect(JSON.parse(first.replace("data: ", ""))).toMatchObject({
        choices: [{ delta: { content: expect.any(String) } }],
        citations: [expect.any(Object)],
      });
      expect(last).toBe("data: [DONE]");
      const tavily = await post("/tavily/search", {
        query: `what does an otter eat ${asked}`,
        include_answer: "basic",
        include_usage: true,
      });
      expect([tavily.body.answer, tavily.headers.get("x-trawl-ignored")]).toEqual(["It eats fish.", null]);
      // Besides the search, the answer is one: a file that is read by the model.
      const { data: rows } = (await models.app.get("/v2/team/activity?limit=2")).body;
      expect(new Set(rows.map(({ endpoint }: { endpoint: string }) => endpoint))).toEqual(
        new Set(["search", "scrape"]),
      );
      expect(tavily.body.usage.credits).toBeGreaterThan(2);
    });
  });
});
