// SearXNG's API through every room: the real app, a search service on loopback, both engines. Requests are those of Open WebUI,
// Vane, Dify, LangChain, n8n and LibreChat, as their code sends them.
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Answer, type CallOptions, otherKey, type TestApp, testKey } from "../support/app.ts";
import { creditsUsed, startDialects } from "../support/dialects.ts";
import { bystanders, onOneEngine } from "../support/engines.ts";
import type { SearchService } from "../support/search-service.ts";

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString("base64")}`;

describe.each(bystanders)("SearXNG on $name", (engine) => {
  const { describeOnce } = onOneEngine(engine);
  let service: SearchService;
  let app: TestApp;
  let asked = 0;
  beforeAll(async () => {
    const kit = await startDialects(engine, {}, { KEYLESS_DIALECTS: "searxng=acme" });
    ({ service, app } = kit);
    return kit.stop;
  });
  beforeEach(() => {
    service.reset();
    // Services are not asked twice for the same words within a minute.
    asked += 1;
  });

  const words = () => `otters ${asked}`;
  const ask = (query: string, options: CallOptions = {}) =>
    app.get(`/searxng/search?q=${encodeURIComponent(words())}${query}`, options);
  const hits = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      url: `https://example.com/${at}`,
      title: `Otter ${at}`,
      content: "Swims",
    }));
  const used = () => creditsUsed(app);
  const titles = ({ body }: Answer): string[] => body.results.map(({ title }: { title: string }) => title);

  it("answers Open WebUI's request in SearXNG's shape, charges a search and lists it under its name", async () => {
    service.results = [
      { url: "https://example.com/a/b?c=d#e", title: "Ötter", content: "Schwimmt", publishedDate: "2026-01-02" },
    ];
    const before = await used();
    const answer = await ask(
      "&format=json&language=all&pageno=1&safesearch=1&time_range=&categories=&theme=simple&image_proxy=0",
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-trawl-ignored")).toBeNull();
    expect(answer.body).toEqual({
      query: words(),
      number_of_results: 1,
      results: [
        {
          url: "https://example.com/a/b?c=d#e",
          title: "Ötter",
          content: "Schwimmt",
          engine: "searxng",
          engines: ["searxng"],
          positions: [1],
          score: 1,
          category: "general",
          template: "default.html",
          parsed_url: ["https", "example.com", "/a/b", "", "c=d", "e"],
          publishedDate: "2026-01-02T00:00:00.000Z",
          img_src: "",
          thumbnail: "",
          iframe_src: "",
          author: "",
        },
      ],
      answers: [],
      corrections: [],
      infoboxes: [],
      suggestions: [],
      unresponsive_engines: [],
    });
    expect((await used()) - before).toBe(2);
    const { data } = (await app.get("/v2/team/activity?limit=1")).body;
    expect(data[0]).toMatchObject({ endpoint: "search", api_version: "searxng", target: words() });
    // Another team finds neither the search nor its line.
    expect((await app.get(`/v2/search/${data[0].id}`)).status).toBe(200);
    expect((await app.get(`/v2/search/${data[0].id}`, { key: otherKey })).status).toBe(404);
  });

  describeOnce("ways to ask", () => {
    it.each([
      ["GET", "/searxng", {}],
      ["GET", "/searxng/", {}],
      ["GET", "/searxng/search", {}],
      ["GET", "/search", {}],
      ["POST", "/searxng/search", { "content-type": "application/json" }],
    ])("takes the query of %s %s", async (method, path, headers) => {
      service.results = hits(1);
      const answer = await app.call(method, `${path}?q=${asked}&format=json`, { headers });
      expect([answer.status, titles(answer)]).toEqual([200, ["Otter 0"]]);
    });

    it("takes a form, which wins over the query, and a JSON object", async () => {
      service.results = hits(1);
      const form = { "content-type": "application/x-www-form-urlencoded" };
      const answer = await app.call("POST", "/searxng/search?q=other", { body: `q=${words()}`, headers: form });
      expect(answer.body.query).toBe(words());
      const json = await app.call("POST", "/searxng", { body: { q: words(), pageno: 1, format: "json" } });
      expect([json.status, json.body.query]).toEqual([200, words()]);
    });

    it("answers health without a key, config and completion", async () => {
      const health = await app.get("/searxng/healthz", { key: null });
      expect([health.status, health.text]).toEqual([200, "OK"]);
      expect((await app.get("/searxng/config")).body).toMatchObject({
        categories: expect.arrayContaining(["general", "news"]),
        engines: expect.arrayContaining([expect.objectContaining({ enabled: true })]),
        version: expect.any(String),
      });
      expect((await app.get("/searxng/autocompleter?q=ott")).body).toEqual(["ott", []]);
      const headers = { "x-requested-with": "XMLHttpRequest" };
      expect((await app.get("/searxng/autocompleter?q=ott", { headers })).body).toEqual([]);
    });
  });

  describeOnce("parameters", () => {
    it("pages by 20, or by numResults, with ranks and scores that go on, and ends after the hundredth", async () => {
      service.results = hits(100);
      const first = await ask("&pageno=1");
      const second = await ask("&pageno=2");
      expect(titles(first)).toHaveLength(20);
      expect(titles(second)[0]).toBe("Otter 20");
      expect(second.body.results[0].positions).toEqual([21]);
      const scores = [...first.body.results, ...second.body.results].map(({ score }) => score);
      expect(scores.every((score, at) => at === 0 || score < scores[at - 1])).toBe(true);
      expect(titles(await ask("&pageno=4&numResults=30"))).toHaveLength(10);
      const before = await used();
      expect((await ask("&pageno=6")).body).toMatchObject({ number_of_results: 0, results: [] });
      expect(await used()).toBe(before);
      expect(titles(await ask("&pageNumber=2"))[0]).toBe("Otter 20");
    });

    it("charges a page of results, not those before it", async () => {
      service.results = hits(60);
      const before = await used();
      await ask("&pageno=3");
      expect((await used()) - before).toBe(4);
    });

    it("passes language, country, time and safety on", async () => {
      service.results = hits(1);
      await ask("&language=de-CH&time_range=week&safesearch=2");
      expect(service.query().get("language")).toBe("de-CH");
      expect(service.query().get("time_range")).toBe("week");
      expect(service.query().get("safesearch")).not.toBe("0");
    });

    it("asks for the groups of categories one after the other, and names what is not served", async () => {
      service.results = [
        { url: "https://example.com/p", title: "P", img_src: "https://example.com/p.png", resolution: "40 x 30" },
      ];
      const { body } = await ask("&categories=news,images,music");
      expect(body.results.map(({ category, template }: Record<string, string>) => [category, template])).toEqual([
        ["news", "default.html"],
        ["images", "images.html"],
      ]);
      expect(body.results[1]).toMatchObject({
        img_src: "https://example.com/p.png",
        url: "https://example.com/p",
        thumbnail_src: "https://example.com/p.png",
        resolution: "40x30",
      });
      expect(body.unresponsive_engines).toEqual([["music", "not served"]]);
    });

    it("shares a page among several categories, and goes on with each on the next", async () => {
      service.results = hits(100);
      const first = await ask("&categories=general,news,general");
      const second = await ask("&categories=general,news&pageno=2");
      const shown = ({ body }: Answer) =>
        body.results.map(({ category, title }: Record<string, string>) => `${category} ${title}`);
      expect(shown(first)).toHaveLength(20);
      expect([shown(first)[0], shown(first)[10]]).toEqual(["general Otter 0", "news Otter 0"]);
      expect([shown(second)[0], shown(second)[10]]).toEqual(["general Otter 10", "news Otter 10"]);
      expect(second.body.results[0].positions).toEqual([21]);
      const scores = [...first.body.results, ...second.body.results].map(({ score }) => score);
      expect(scores.every((score, at) => at === 0 || score < scores[at - 1])).toBe(true);
    });

    it("holds hints of engines in every category, and shows no page twice for them", async () => {
      service.results = [
        { url: "https://github.com/otter/otter", title: "G", img_src: "https://example.com/g.png" },
        ...hits(1),
      ];
      const code = await ask("&categories=it,general,science&engines=github");
      expect(code.body.results.map(({ category, title }: Record<string, string>) => [category, title])).toEqual([
        ["it", "G"],
      ]);
      const images = await ask("&categories=news&engines=bing%20images,google%20images");
      expect(images.body.results.map(({ template }: Record<string, string>) => template)).toContain("images.html");
      const unserved = await ask("&categories=music&engines=arxiv");
      expect([unserved.body.results, unserved.headers.get("x-trawl-ignored")]).toEqual([[], "engines"]);
    });

    it("knows no category, engine or time by the name of something else", async () => {
      const answer = await ask("&categories=constructor&engines=__proto__,constructor");
      expect([answer.status, answer.body.unresponsive_engines, answer.headers.get("x-trawl-ignored")]).toEqual([
        200,
        [["constructor", "not served"]],
        "engines",
      ]);
      expect((await ask("&time_range=constructor")).status).toBe(400);
    });

    it("takes engines for hints when all mean the same, and names them otherwise", async () => {
      service.results = [{ url: "https://www.reddit.com/r/otters", title: "R" }, ...hits(1)];
      const hinted = await ask("&engines=reddit");
      expect([titles(hinted), hinted.headers.get("x-trawl-ignored")]).toEqual([["R"], null]);
      const default_ = await ask("&engines=google,bing,duckduckgo");
      expect([titles(default_).length, default_.headers.get("x-trawl-ignored")]).toEqual([2, "engines"]);
    });

    it("names unknown parameters, sorted, and is silent about those without meaning here", async () => {
      service.results = hits(1);
      const answer = await ask("&zeta=1&alpha=2&imageProxy=false&results_on_new_tab=1");
      expect(answer.headers.get("x-trawl-ignored")).toBe("alpha, zeta");
      expect((await ask("&pageno=1&pageNumber=2")).headers.get("x-trawl-ignored")).toBe("pageNumber");
    });

    it.each([
      ["/searxng/search", "No query"],
      ["/searxng/search?q=", "No query"],
      ["/searxng/search?q=a&pageno=0", "Invalid value 0 for parameter pageno"],
      ["/searxng/search?q=a&pageno=x", "Invalid value x for parameter pageno"],
      ["/searxng/search?q=a&language=german", "Invalid value german for parameter language"],
      ["/searxng/search?q=a&time_range=hour", "Invalid value hour for parameter time_range"],
      ["/searxng/search?q=a&safesearch=3", "Invalid value 3 for parameter safesearch"],
    ])("refuses %s", async (path, error) => {
      const answer = await app.get(path);
      expect([answer.status, answer.body]).toEqual([400, { error }]);
    });

    it("refuses other formats as an instance that has them switched off", async () => {
      for (const format of ["html", "csv", "rss"]) {
        const answer = await ask(`&format=${format}`);
        expect([answer.status, Object.keys(answer.body)]).toEqual([403, ["error"]]);
      }
    });

    it("keeps the operators of a query", async () => {
      service.results = [{ url: "https://other.example/", title: "Other" }, ...hits(1)];
      expect(titles(await app.get(`/searxng/search?q=${asked}%20site:example.com`))).toEqual(["Otter 0"]);
    });
  });

  it("answers 200 with whoever failed, and nothing found with an empty list", async () => {
    service.status = 500;
    const failed = await ask("");
    expect([failed.status, failed.body.results]).toEqual([200, []]);
    expect(failed.body.unresponsive_engines).toEqual([["search", expect.stringContaining("SearXNG")]]);
    service.status = 200;
    const empty = await app.get(`/searxng/search?q=nothing${asked}`);
    expect([empty.status, empty.body.number_of_results]).toEqual([200, 0]);
  });

  describeOnce("keys", () => {
    it.each<[string, Record<string, string>]>([
      ["Bearer", { authorization: `Bearer ${testKey}` }],
      ["a bare Authorization", { authorization: testKey }],
      ["the password of Basic", { authorization: basic(`any:${testKey}`) }],
      ["the user of Basic", { authorization: basic(`${testKey}:`) }],
      ["x-api-key", { "x-api-key": testKey }],
      ["X-Subscription-Token", { "x-subscription-token": testKey }],
      ["Bearer before x-api-key", { authorization: `Bearer ${testKey}`, "x-api-key": "wrong" }],
    ])("takes %s, and logs none of it", async (_, headers) => {
      service.results = hits(1);
      const answer = await ask("", { key: null, headers });
      expect([answer.status, titles(answer)]).toEqual([200, ["Otter 0"]]);
      expect(app.logLines.join("")).not.toContain(testKey);
    });

    it("refuses a wrong key although the dialect is open without one", async () => {
      for (const headers of [{ authorization: "Bearer wrong" }, { "x-api-key": "wrong" }, { authorization: "wrong" }]) {
        const answer = await ask("", { key: null, headers });
        expect([answer.status, answer.body]).toEqual([401, { error: "Unauthorized: Invalid token" }]);
        expect(answer.headers.get("www-authenticate")).toMatch(/^Basic realm="Trawl", Bearer error="invalid_token"/);
      }
      const posted = await app.call("POST", "/searxng?q=a", { key: "wrong" });
      expect([posted.status, posted.headers.get("www-authenticate")]).toEqual([401, expect.stringMatching(/^Bearer /)]);
    });

    it("acts as the team of KEYLESS_DIALECTS without a key, for programs and never for pages of other origins", async () => {
      service.results = hits(1);
      const answer = await ask("", { key: null });
      expect(answer.status).toBe(200);
      const { data } = (await app.get("/v2/team/activity?limit=1")).body;
      expect(data[0].target).toBe(words());
      for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
        const refused = await ask("", { key: null, headers });
        expect([refused.status, Object.keys(refused.body)]).toEqual([403, ["error"]]);
      }
      expect(app.logLines.join("")).toContain("searxng=acme");
    });
  });

  describeOnce("paths", () => {
    it("answers unknown ones and methods in its shape", async () => {
      const unknown = await app.get("/searxng/stats");
      expect([unknown.status, Object.keys(unknown.body)]).toEqual([404, ["error"]]);
      const method = await app.call("DELETE", "/searxng/search");
      expect([method.status, method.headers.get("allow"), Object.keys(method.body)]).toEqual([
        405,
        "GET, POST",
        ["error"],
      ]);
      expect((await app.get("/search")).status).toBe(404);
      expect((await app.call("POST", "/search?q=a")).status).toBe(405);
      for (const [method, path, allow] of [
        ["PUT", "/jina/https://example.com/", "GET, POST"],
        ["DELETE", "/jina/s/otters", "GET"],
        ["POST", "/docling/v1/result/one", "GET"],
        ["GET", "/tika/rmeta/text", "PUT"],
        ["PATCH", "/exa/search", "POST"],
        ["DELETE", "/tavily/research/one", "GET"],
      ] as const) {
        const answer = await app.call(method, path);
        expect([path, answer.status, answer.headers.get("allow")]).toEqual([path, 405, allow]);
      }
      // Other paths of a service are not served, whatever the method.
      expect((await app.call("DELETE", "/exa/websets/v0/websets/one")).status).toBe(501);
    });

    it("are in the documentation", async () => {
      const { paths } = (await app.get("/openapi.json")).body;
      expect(paths["/searxng/search"].get.tags).toEqual(["SearXNG"]);
      expect(paths["/tavily/search"].post["x-rate-group"]).toBe("scrape");
      expect((await app.get("/docs/api/searxng")).text).toContain("/searxng/search");
    });
  });
});
