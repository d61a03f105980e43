// Tavily's API through every room: the real app, a search service and a site on loopback, both engines.
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type CallOptions, otherKey, type TestApp, testKey } from "../support/app.ts";
import { startDialects, startPoorApp } from "../support/dialects.ts";
import { bystanders, onOneEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { page } from "../support/jobs.ts";
import type { SearchService } from "../support/search-service.ts";

const long = `<!doctype html><title>Otters</title><link rel="icon" href="/icon.png"><main><h1>Otters</h1>
${[
  "Rivers run to the sea and carry sand.",
  "The otter sleeps in a holt by the river bank.",
  "Mountains are high and cold in winter.",
  "An otter eats fish and crabs all day.",
]
  .map((text) => `<p>${`${text} `.repeat(9)}</p>`)
  .join("")}<p><img src="/otter.jpg" alt="An otter"><a href="/holt">The holt</a></p></main>`;

describe.each(bystanders)("Tavily on $name", (engine) => {
  const { describeOnce } = onOneEngine(engine);
  let service: SearchService;
  let site: FixtureSite;
  let app: TestApp;
  let asked = 0;
  beforeAll(async () => {
    const kit = await startDialects(
      engine,
      {
        "/": page("Home", ["/docs/one", "/docs/two", "/blog/three"]),
        "/docs/one": page("One", ["/docs/deep"]),
        "/docs/two": page("Two"),
        "/docs/deep": page("Deep"),
        "/blog/three": page("Drei – 三"),
        "/long": long,
        "/empty": "<!doctype html><title>Empty</title><main></main>",
        "/slow": () => {},
        "/cut": page("Cut", ["/slow", "/docs/two"]),
      },
      { ALLOWED_PRIVATE_HOSTS: "127.0.0.1,localhost" },
    );
    ({ service, site, app } = kit);
    return kit.stop;
  });
  beforeEach(() => {
    service.reset();
    asked += 1;
  });

  const call = (path: string, body: object, options: CallOptions = {}) =>
    app.call("POST", `/tavily/${path}`, { body, ...options });
  const search = (body: object = {}, options: CallOptions = {}) =>
    call("search", { query: `otters ${asked}`, ...body }, options);
  const hit = (url: string, title = "Otter") => ({ url, title, content: `About ${title}` });
  const errorOf = (text: unknown) => ({ detail: { error: text } });

  it("answers a search in Tavily's shape, whose id is the search's, for its team alone", async () => {
    service.results = [{ ...hit("https://example.com/1"), publishedDate: "2026-03-04" }, hit("https://example.com/2")];
    const answer = await search({ max_results: 1, include_usage: true, client_source: "tavily-python" });
    expect([answer.status, answer.headers.get("x-trawl-ignored")]).toEqual([200, null]);
    expect(answer.body).toEqual({
      query: `otters ${asked}`,
      follow_up_questions: null,
      answer: null,
      images: [],
      results: [
        {
          title: "Otter",
          url: "https://example.com/1",
          content: "About Otter",
          score: 1,
          raw_content: null,
          published_date: "2026-03-04T00:00:00.000Z",
        },
      ],
      response_time: expect.any(Number),
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      usage: { credits: 2 },
    });
    const id = answer.body.request_id;
    expect((await app.get(`/v2/search/${id}`)).status).toBe(200);
    expect((await app.get(`/v2/search/${id}`, { key: otherKey })).status).toBe(404);
    expect((await app.get("/v2/team/activity?limit=1")).body.data[0]).toMatchObject({ id, api_version: "tavily" });
    const feedback = await call("feedback", { request_id: id, rating: "good", note: "fine" });
    expect(feedback.body).toEqual({
      success: true,
      feedback_id: expect.any(String),
      response_time: expect.any(Number),
    });
    const foreign = await call("feedback", { request_id: id }, { key: otherKey });
    expect([foreign.status, foreign.body]).toEqual([404, errorOf(expect.any(String))]);
  });

  it("reads pages for advanced passages and raw content, null where one fails", async () => {
    service.results = [
      hit(`${site.url}/long`, "Otters"),
      hit(`${site.url}/gone`, "Gone"),
      hit("http://10.0.0.1/x", "Private"),
    ];
    const { body } = await search({
      query: `otter ${asked}`,
      search_depth: "advanced",
      chunks_per_source: 2,
      include_raw_content: true,
      include_favicon: true,
    });
    // Addresses that no scrape may have are not results.
    expect(body.results.map(({ title }: { title: string }) => title)).toEqual(["Otters", "Gone"]);
    const [first, second] = body.results;
    const passages: string[] = first.content.split(" [...] ");
    expect(passages).toHaveLength(2);
    for (const passage of passages) {
      expect(passage.length).toBeLessThanOrEqual(500);
      expect(passage).toContain("otter");
    }
    expect(first.raw_content).toContain("# Otters");
    expect(first.favicon).toBe(`${site.url}/icon.png`);
    expect([second.content, second.raw_content]).toEqual(["About Gone", null]);
    const text = await search({ query: `otter ${asked}`, include_raw_content: "text" });
    expect(text.body.results[0].raw_content).toMatch(/^Otters\nRivers run/);
  });

  describeOnce("search", () => {
    it("asks for images as addresses or objects", async () => {
      service.results = [{ ...hit("https://example.com/p", "Pup"), img_src: "https://example.com/p.png" }];
      expect((await search({ include_images: true })).body.images).toEqual(["https://example.com/p.png"]);
      const described = await search({ include_images: true, include_image_descriptions: true, max_results: 2 });
      expect(described.body.images).toEqual([{ url: "https://example.com/p.png", description: "Pup" }]);
    });

    it("finds nothing without a search for max_results 0, and an empty list for nothing found", async () => {
      service.asked.length = 0;
      expect((await search({ max_results: 0 })).body).toMatchObject({ results: [], images: [] });
      expect(service.asked).toEqual([]);
      expect((await search()).body.results).toEqual([]);
    });

    it("keeps to domains, paths and top-level domains, both lists together", async () => {
      service.results = [
        hit("https://a.example/docs/1", "A docs"),
        hit("https://a.example/blog/1", "A blog"),
        hit("https://sub.b.example/1", "B"),
        hit("https://c.gov/1", "C"),
        hit("https://d.test/1", "D"),
      ];
      const titles = async (body: object) =>
        (await search({ max_results: 20, ...body })).body.results.map(({ title }: { title: string }) => title);
      expect(await titles({ include_domains: ["a.example/docs", "*.gov"] })).toEqual(["A docs", "C"]);
      expect(await titles({ include_domains: ["https://a.example/blog/"] })).toEqual(["A blog"]);
      expect(await titles({ include_domains: ["example"], exclude_domains: ["a.example/blog", "b.example"] })).toEqual([
        "A docs",
      ]);
      expect(await titles({ include_domains: ["d.test"], include_domains_mode: "prefer" })).toHaveLength(5);
    });

    it("turns days and ranges into dates, days first", async () => {
      const dated = (url: string, publishedDate: string) => ({ ...hit(url, publishedDate), publishedDate });
      service.results = [dated("https://example.com/1", "2026-01-01"), dated("https://example.com/2", "2026-02-01")];
      const { body } = await search({ start_date: "2026-01-01", end_date: "2026-01-31", time_range: "day" });
      expect(body.results.map(({ title }: { title: string }) => title)).toEqual(["2026-01-01"]);
      await search({ time_range: "w", country: "switzerland", language: "de" });
      expect(service.query().get("time_range")).toBe("week");
      expect(service.query().get("language")).toBe("de-CH");
    });

    it("names what had no effect, and is silent about what it does anyway", async () => {
      const body = {
        topic: "finance",
        country: "atlantis",
        include_answer: true,
        exact_match: true,
        max_tokens: 5,
        zz: 1,
        auto_parameters: true,
        chunks_per_source: 2,
        include_image_descriptions: true,
      };
      const answer = await search({ ...body, days: null, search_depth: "fast" });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("x-trawl-ignored")).toBe(
        "auto_parameters, chunks_per_source, country, include_answer, include_image_descriptions, max_tokens, topic, zz",
      );
      // Of several that say the same, the first counts.
      const dates = { start_date: "2026-01-01", time_range: "day", days: 3, topic: "news" };
      const outdone = await search({ ...dates, include_domains_mode: "prefer" });
      expect(outdone.headers.get("x-trawl-ignored")).toBe("days, include_domains_mode, time_range");
      const extracted = await call("extract", { urls: ["http://10.0.0.1/"], chunks_per_source: 2 });
      expect(extracted.headers.get("x-trawl-ignored")).toBe("chunks_per_source");
    });

    it.each<[object | string, string]>([
      [{}, "query is required"],
      [{ query: "" }, "query: "],
      [{ query: "a", max_results: 21 }, "max_results: "],
      [{ query: "a", max_results: "5" }, "max_results: "],
      [{ query: "a", topic: "sports" }, "topic: "],
      [{ query: "a", start_date: "2026-02-30" }, "start_date: There is no such day"],
      [{ query: "a", start_date: "2026-02-03", end_date: "2026-02-01" }, "end_date: Must not be before start_date"],
      [{ query: "a", include_domains: Array.from({ length: 301 }, () => "a.example") }, "include_domains: "],
      ["[1]", "The body must be a JSON object."],
      ["{", "malformed JSON"],
    ])("refuses %j", async (body, error) => {
      const answer = await app.call("POST", "/tavily/search", { body });
      expect([answer.status, answer.body]).toEqual([400, errorOf(expect.stringContaining(error))]);
    });

    it("answers 503 with Retry-After when no service answers", async () => {
      service.status = 500;
      const answer = await search();
      expect([answer.status, answer.body]).toEqual([
        503,
        errorOf(expect.stringContaining("No search service answered")),
      ]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    });

    it("takes the key of the body, and no other in the path or query", async () => {
      expect((await search({ api_key: testKey }, { key: null })).status).toBe(200);
      for (const [body, options] of [
        [{ api_key: "wrong" }, { key: null }],
        [{}, { key: null }],
        [{ api_key: testKey }, { key: "wrong" }],
      ] as const) {
        const answer = await search(body, options);
        expect([answer.status, answer.body]).toEqual([401, errorOf(expect.stringContaining("Unauthorized"))]);
      }
      const inQuery = await app.call("POST", `/tavily/search?api_key=${testKey}`, { key: null, body: { query: "a" } });
      expect(inQuery.status).toBe(401);
    });

    it("finds the key in a large body, and in one that does not say its length", async () => {
      const large = (key: string) =>
        JSON.stringify({ pad: "x".repeat(300_000), query: `large ${asked}`, api_key: key });
      const send = (key: string) =>
        app.call("POST", "/tavily/search", {
          key: null,
          body: large(key),
          headers: { "content-type": "application/json" },
        });
      expect([(await send(testKey)).status, (await send("wrong")).status]).toEqual([200, 401]);
      const chunked = (key: string) =>
        fetch(`${app.url}/tavily/search`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: new Blob([large(key)]).stream(),
          duplex: "half",
        } as RequestInit);
      expect([(await chunked(testKey)).status, (await chunked("wrong")).status]).toEqual([200, 401]);
    });
  });

  it("extracts pages under the addresses that were asked for, and says which failed and why", async () => {
    const urls = [
      `${site.url}/long`,
      `${site.url}/gone`,
      "http://10.0.0.1/",
      "http://[::1]/",
      "file:///etc/passwd",
      "nonsense",
    ];
    const { status, body } = await call("extract", {
      urls,
      include_images: true,
      include_favicon: true,
      include_usage: true,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      results: [
        {
          url: `${site.url}/long`,
          title: "Otters",
          raw_content: expect.stringContaining("# Otters"),
          images: [`${site.url}/otter.jpg`],
          favicon: `${site.url}/icon.png`,
        },
      ],
      failed_results: urls.slice(1).map((url) => ({ url, error: expect.stringMatching(/\.$/) })),
      response_time: expect.any(Number),
      request_id: expect.any(String),
      usage: { credits: 2 },
    });
    expect(body.failed_results[0].error).toContain("404");
    expect(body.failed_results[1].error).toBe("This URL is not allowed.");
    expect((await app.get(`/v2/scrape/${body.request_id}`)).status).toBe(200);
  });

  it("crawls a site and waits for it, and maps it", async () => {
    const { status, body } = await call("crawl", { url: `${site.url}/`, limit: 10, max_depth: 1, include_usage: true });
    expect(status).toBe(200);
    expect(body).toMatchObject({ base_url: `${site.url}/`, response_time: expect.any(Number), usage: { credits: 4 } });
    const paths = body.results.map(({ url }: { url: string }) => new URL(url).pathname);
    expect(paths.sort()).toEqual(["/", "/blog/three", "/docs/one", "/docs/two"]);
    const three = body.results.find(({ url }: { url: string }) => url.endsWith("three"));
    expect([three.raw_content, three.images]).toEqual([expect.stringContaining("# Drei – 三"), []]);
    expect((await app.get(`/v2/crawl/${body.request_id}`)).body.status).toBe("completed");
    expect((await app.get(`/v2/crawl/${body.request_id}`, { key: otherKey })).status).toBe(404);
    expect((await call("feedback", { request_id: body.request_id, rating: "good" })).body.success).toBe(true);
    const mapped = await call("map", { url: site.url, select_paths: ["^/docs/"], include_usage: true, max_depth: 2 });
    expect(mapped.body).toEqual({
      base_url: site.url,
      results: expect.arrayContaining([`${site.url}/docs/one`, `${site.url}/docs/two`]),
      response_time: expect.any(Number),
      request_id: expect.any(String),
      usage: { credits: 1 },
    });
    expect(mapped.body.results.every((url: string) => url.includes("/docs/"))).toBe(true);
    expect(mapped.headers.get("x-trawl-ignored")).toBe("max_depth");
  });

  describeOnce("pages", () => {
    it("extracts one address as text, and only the passages of a query", async () => {
      const text = await call("extract", { urls: `${site.url}/long`, format: "text" });
      expect(text.body.results[0].raw_content).toMatch(/^Otters\nRivers/);
      expect(text.body.results[0].images).toEqual([]);
      const some = await call("extract", { urls: [`${site.url}/long`], query: "crabs", chunks_per_source: 1 });
      expect(some.body.results[0].raw_content).toContain("crabs");
      expect(some.body.results[0].raw_content.length).toBeLessThanOrEqual(500);
    });

    it("gives the id of the scrape although no page could be read, and passes warnings on", async () => {
      const closed = await startSite({});
      await closed.close();
      const { body } = await call("extract", { urls: ["http://10.0.0.1/", closed.url] });
      expect([body.results, body.failed_results.length]).toEqual([[], 2]);
      const [row] = (await app.get("/v2/team/activity?limit=1")).body.data;
      expect([row.id, row.api_version]).toEqual([body.request_id, "tavily"]);
      expect((await call("feedback", { request_id: body.request_id })).status).toBe(200);
      const empty = await call("extract", { urls: [`${site.url}/empty`] });
      expect(empty.headers.get("x-trawl-warning")).toContain("The page has no text");
    });

    it("follows patterns of paths and hosts", async () => {
      const crawl = async (body: object) =>
        (await call("crawl", { url: `${site.url}/`, max_depth: 3, ...body })).body.results
          .map(({ url }: { url: string }) => new URL(url).pathname)
          .sort();
      expect(await crawl({ exclude_paths: ["^/blog"] })).toEqual(["/", "/docs/deep", "/docs/one", "/docs/two"]);
      expect(await crawl({ select_domains: ["^127\\.0\\.0\\.1$"], select_paths: ["^/docs"] })).toEqual(
        expect.arrayContaining(["/docs/deep", "/docs/one", "/docs/two"]),
      );
      expect(await crawl({ exclude_domains: ["127"], select_paths: ["/docs"] })).not.toContain("/docs/one");
    });

    it("follows links to other hosts where that is allowed, as far as their patterns go", async () => {
      const away = await startSite({
        "localhost/away": page("Away"),
        "/": (_request, response) =>
          response
            .writeHead(200, { "content-type": "text/html" })
            .end(
              `<main><h1>Start</h1><a href="http://localhost:${away.port}/away">Away</a><a href="/near">Near</a></main>`,
            ),
        "/near": page("Near"),
      });
      onTestFinished(() => away.close());
      const crawl = async (body: object) =>
        (await call("crawl", { url: `${away.url}/`, ...body })).body.results
          .map(({ url }: { url: string }) => `${new URL(url).hostname}${new URL(url).pathname}`)
          .sort();
      expect(await crawl({})).toEqual(["127.0.0.1/", "127.0.0.1/near"]);
      expect(await crawl({ allow_external: true })).toEqual(["127.0.0.1/", "127.0.0.1/near", "localhost/away"]);
      expect(await crawl({ allow_external: true, exclude_domains: ["^local"] })).toEqual([
        "127.0.0.1/",
        "127.0.0.1/near",
      ]);
      // Each expression is held against the host or the path alone, whole alternatives too.
      expect(await crawl({ allow_external: true, exclude_domains: ["^example$|^localhost$"] })).toEqual([
        "127.0.0.1/",
        "127.0.0.1/near",
      ]);
      expect(await crawl({ allow_external: true, exclude_domains: ["^127.*away"] })).toContain("localhost/away");
      expect(
        await crawl({ allow_external: true, exclude_domains: ["x"], exclude_paths: ["^/nothing|^/away$"] }),
      ).toEqual(["127.0.0.1/", "127.0.0.1/near"]);
      const selected = await crawl({ allow_external: true, select_domains: ["host$"] });
      expect([selected.includes("localhost/away"), selected.includes("127.0.0.1/near")]).toEqual([true, false]);
    });

    it("answers what a crawl has read when its time is over, and cancels it", async () => {
      const answer = await call("crawl", { url: `${site.url}/cut`, timeout: 10 });
      expect(answer.status).toBe(200);
      const paths = answer.body.results.map(({ url }: { url: string }) => new URL(url).pathname);
      expect(paths.sort()).toEqual(["/cut", "/docs/two"]);
      expect(answer.headers.get("x-trawl-warning")).toContain("crawl timed out and was cancelled");
      expect((await app.get(`/v2/crawl/${answer.body.request_id}`)).body.status).toBe("cancelled");
    });

    it.each<[string, object, number, string]>([
      ["extract", { urls: [] }, 400, "urls: "],
      ["extract", {}, 400, "urls"],
      ["extract", { urls: Array.from({ length: 21 }, () => "https://example.com") }, 400, "urls: "],
      ["extract", { urls: ["https://example.com"], timeout: 61 }, 400, "timeout: "],
      ["extract", { urls: ["https://example.com"], extract_depth: 5 }, 400, "extract_depth: "],
      ["search", { query: "a", exact_match: "yes" }, 400, "exact_match: "],
      ["crawl", { url: "http://10.0.0.1/" }, 403, "This URL is not allowed."],
      ["crawl", { url: "nonsense url" }, 400, "url"],
      ["crawl", { url: "https://example.com", select_paths: ["("] }, 400, "select_paths.0: "],
      ["map", { url: "http://169.254.169.254/latest" }, 403, "This URL is not allowed."],
      ["map", { url: "https://example.com", limit: 0 }, 400, "limit: "],
      ["research", { input: "x" }, 501, "POST /v2/agent"],
      ["nothing", {}, 404, "no endpoint"],
    ])("refuses %s %j with %i", async (path, body, status, error) => {
      const answer = await call(path, body);
      expect([answer.status, answer.body]).toEqual([status, errorOf(expect.stringContaining(error))]);
    });

    it("answers 422 for a start page that cannot be read, and never 5xx for a page's fault", async () => {
      const closed = await startSite({});
      await closed.close();
      const answer = await call("crawl", { url: closed.url });
      expect([answer.status, answer.body]).toEqual([422, errorOf(expect.any(String))]);
    });
  });

  describeOnce("limits", () => {
    it("are 432 without credits and 429 with Retry-After over the rate", async () => {
      const poor = await startPoorApp(engine, 2);
      try {
        const ask = () => poor.call("POST", "/tavily/search", { body: { query: "otters" } });
        const first = await ask();
        expect([first.status, first.body]).toEqual([432, errorOf(expect.stringContaining("Insufficient credits"))]);
        await ask();
        const third = await ask();
        expect([third.status, third.body]).toEqual([429, errorOf(expect.stringContaining("Rate limit"))]);
        expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
      } finally {
        await poor.stop();
      }
    });
  });
});
