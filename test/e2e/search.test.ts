// POST /v2/search and /v1/search through every room: the real app, a search service and sites on loopback, both engines. The
// service ignores every operator and answers whatever a test has put into it.
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { isoTime } from "../../src/base/index.ts";
import { type Answer, type CallOptions, createTestClock, otherKey, startApp, type TestApp } from "../support/app.ts";
import { bystanders, onOneEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { useApp } from "../support/shared-app.ts";

interface ServiceResult {
  url: string;
  title?: string;
  content?: string;
  publishedDate?: string;
  img_src?: string;
  resolution?: string;
}
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const now = "2026-11-15T12:00:00Z";
const page = (title: string, body: string) => `<title>${title}</title><main><h1>${title}</h1><p>${body}</p></main>`;

describe.each(bystanders)("search on $name", (engine) => {
  const { describeOnce } = onOneEngine(engine);
  const clock = createTestClock(now);
  let results: ServiceResult[] = [];
  /** Answers in the place of the results. */
  let instead: Handler | null = null;
  let service: FixtureSite;
  let site: FixtureSite;
  let app: TestApp;
  /** Without a service. */
  let alone: TestApp;
  beforeAll(async () => {
    service = await startSite(() => (request, response) => {
      if (instead) return instead(request, response);
      const isFirst = new URL(request.url ?? "", "http://service").searchParams.get("pageno") === "1";
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ results: isFirst ? results : [], unresponsive_engines: [] }));
    });
    site = await startSite({
      "/exact": page("Sea ice", "The quick brown fox crosses the ice."),
      "/loose": page("Sea salt", "A fox that is brown and quick crosses the salt."),
      "/clean": page("Clean water", "Nothing but water."),
      "/dirty": page("Dirty water", "Water and plastic."),
      "/secret": page("Secret", "A fox that nobody is told about."),
      "/slow": () => {},
    });
    const env = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", CREDITS_PER_MONTH: "100000" };
    app = await startApp(engine, { ...env, SEARXNG_ENDPOINT: service.url, OWN_INDEX: "0" }, clock);
    alone = await startApp(engine, env, clock);
  });
  afterAll(async () => {
    await app.stop();
    await alone.stop();
    await service.close();
    await site.close();
  });
  beforeEach(() => {
    results = [];
    instead = null;
    service.asked.length = 0;
    // What was kept for a minute is old.
    clock.advance(61_000);
  });

  const call = (path: string, body: object, options: CallOptions = {}, on = app) => {
    clock.advance(1);
    return on.call("POST", path, { body, ...options });
  };
  const search = (query: string, body: object = {}, options: CallOptions = {}) =>
    call("/v2/search", { query, ...body }, options);
  const urlsOf = ({ body }: Answer): string[] => body.data.web.map(({ url }: { url: string }) => url);
  const askedText = () => new URL(service.asked[0] ?? "", service.url).searchParams.get("q");
  const used = async () => 100_000 - (await app.get("/v2/team/credit-usage")).body.data.remainingCredits;
  const hit = (url: string, title = "", content = "", publishedDate?: string): ServiceResult => ({
    url,
    title,
    content,
    ...(publishedDate === undefined ? {} : { publishedDate }),
  });

  describeOnce("the answer", () => {
    it("numbers results, with texts that are always strings, each page once", async () => {
      results = [
        hit("https://one.example/", "One", "First"),
        { url: "https://two.example/a" },
        hit("http://www.one.example", "One again"),
      ];
      const answer = await search("anything");
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        success: true,
        data: {
          web: [
            { url: "https://one.example/", title: "One", description: "First", position: 1 },
            { url: "https://two.example/a", title: "", description: "", position: 2 },
          ],
        },
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        creditsUsed: 2,
      });
    });

    it("are in the order of an objective, which also picks their passages, while services are asked the query", async () => {
      results = [hit(`${site.url}/clean`, "Clean", "Water"), hit(`${site.url}/dirty`, "Dirty", "Water and plastic")];
      const asked = { objective: "learn about plastic", scrapeOptions: { formats: ["markdown"] } };
      const { body } = await search("water", asked);
      expect(urlsOf({ body } as Answer)).toEqual([`${site.url}/dirty`, `${site.url}/clean`]);
      expect(body.data.web[0].description).toContain("Water and plastic.");
      expect(askedText()).toBe("water");
      expect((await search("water", { scrapeOptions: asked.scrapeOptions })).body.creditsUsed).toBe(body.creditsUsed);
      for (const objective of ["", "  ", 7, "x".repeat(2001)])
        expect((await search("water", { objective })).body.details[0].path).toEqual(["objective"]);
    });

    it("has fields that official clients do not know only with extras", async () => {
      results = [hit("https://one.example/", "One", "First", "2026-11-14T00:00:00Z")];
      const [plain] = (await search("anything")).body.data.web;
      expect(Object.keys(plain).sort()).toEqual(["description", "position", "title", "url"]);
      const { body } = await search("anything", { extras: true });
      expect(body.data.web[0]).toMatchObject({ engines: ["searxng"], date: "2026-11-14T00:00:00Z" });
      expect((await search("anything", { extras: 1 })).status).toBe(400);
    });

    it("is exactly url, title and description under v1", async () => {
      results = [hit("https://one.example/", "One", "First")];
      const { body } = await call("/v1/search", { query: "anything" });
      expect(body).toEqual({
        success: true,
        data: [{ url: "https://one.example/", title: "One", description: "First" }],
        warning: null,
        id: expect.any(String),
      });
    });

    it("has at most limit results, 5 under v1 and 10 under v2 unless given; limit takes 1 to 100", async () => {
      results = Array.from({ length: 30 }, (_, index) => hit(`https://example.com/${index}`, "Page"));
      expect((await search("many")).body.data.web).toHaveLength(10);
      expect((await call("/v1/search", { query: "many" })).body.data).toHaveLength(5);
      expect((await search("many", { limit: 3 })).body.data.web).toHaveLength(3);
      for (const limit of [0, 101, 1.5]) expect((await search("many", { limit })).status).toBe(400);
    });

    it("has the groups that were asked for, news with dates, images with sizes, and ignores alexandria", async () => {
      const url = "https://example.com/";
      results = [
        { ...hit(url, "T", "C", "2026-11-14T00:00:00Z"), img_src: "https://example.com/a.png", resolution: "40 x 30" },
      ];
      const { body } = await search("x", { sources: ["news", { type: "images" }] });
      const imageUrl = "https://example.com/a.png";
      expect(body.data).toEqual({
        news: [{ url, title: "T", snippet: "C", date: "2026-11-14T00:00:00Z", imageUrl, position: 1 }],
        images: [{ url, title: "T", imageUrl, imageWidth: 40, imageHeight: 30, position: 1 }],
      });
      const mcp = { sources: ["web", "alexandria"], domainTools: true, toolDetail: "full", origin: "mcp" };
      const answer = await search("x", mcp);
      expect([answer.status, Object.keys(answer.body.data), answer.body.warning]).toEqual([200, ["web"], undefined]);
    });

    it("takes any query: empty is 400, long, CJK, RTL, accents and signs are not", async () => {
      results = [hit("https://example.com/", "Page")];
      expect((await search("")).status).toBe(400);
      for (const path of ["/v1/search", "/v2/search"]) expect((await call(path, { query: " \t" })).status).toBe(400);
      expect((await search("x".repeat(501))).status).toBe(400);
      const queries = ["東京 天気", "שלום עולם", "café ñandú", "'; drop table teams; --", '" " -', "a".repeat(500)];
      for (const query of queries) expect((await search(query)).status).toBe(200);
      expect((await call("/v1/search", { query: "long ".repeat(400) })).status).toBe(200);
    });
  });

  describeOnce("operators behind a service that ignores them all", () => {
    it("hold by title and address alone", async () => {
      const a = "https://docs.example.com/guide/start";
      const b = "https://example.com/blog";
      const c = "https://other.org/guide";
      results = [hit(a, "Café guide"), hit(b, "The blog"), hit(c, "A guide to the cafés of Rome")];
      const found = async (query: string) => urlsOf(await search(query));
      expect(await found("x site:example.com")).toEqual([a, b]);
      expect(await found("x -site:example.com")).toEqual([c]);
      expect(await found("x site:example.com/blog")).toEqual([b]);
      expect(await found("x inurl:GUIDE")).toEqual([a, c]);
      expect(await found("x -inurl:guide")).toEqual([b]);
      expect(await found("allinurl:guide docs")).toEqual([a]);
      expect(await found("intitle:cafe")).toEqual([a]);
      expect(await found("-intitle:guide x")).toEqual([b]);
      expect(await found("allintitle:guide rome")).toEqual([c]);
      expect(await found("x site:example.com -inurl:blog intitle:guide")).toEqual([a]);
      expect(await found("x -allintitle:guide rome")).toEqual([a, b]);
    });

    it("quotes and excluded words are decided by the page, which costs nothing", async () => {
      const paths = ["/loose", "/exact", "/clean", "/dirty"].map((path) => site.url + path);
      results = paths.map((url) => hit(url, "Page"));
      const before = await used();
      expect(urlsOf(await search('"quick brown fox"'))).toEqual([paths[1]]);
      expect(urlsOf(await search('water -"plastic"'))).toEqual([paths[0], paths[1], paths[2]]);
      expect(urlsOf(await search("-plastic -fox"))).toEqual([paths[2]]);
      expect(await used()).toBe(before + 6);
      // The pages that were read for it are pages that no caller asked for.
      expect((await app.get("/v2/team/activity?endpoint=scrape")).body.data).toEqual([]);
    });

    it("what cannot be decided is left out and counted, at most 2 × limit pages are read", async () => {
      results = [hit(`${site.url}/none`, "Page"), hit("http://10.0.0.1/", "Page"), hit(`${site.url}/exact`, "Page")];
      const { body } = await search('"quick brown fox"');
      expect(body.data.web).toMatchObject([{ url: `${site.url}/exact` }]);
      expect(body.warning).toMatch(/2 results were left out because the query's operators could not be checked/);
      results = Array.from({ length: 40 }, (_, index) => hit(`${site.url}/clean?${index}`, "Page"));
      site.asked.length = 0;
      expect((await search('"quick brown fox"', { limit: 3 })).body.data.web).toEqual([]);
      expect(site.asked).toHaveLength(6);
    });

    it("are rewritten for the service, and domains are judged too", async () => {
      results = [hit("https://a.example/x", "A"), hit("https://sub.b.example/x", "B"), hit("https://c.example/", "C")];
      expect(urlsOf(await search("x", { includeDomains: ["b.example"] }))).toEqual(["https://sub.b.example/x"]);
      expect(askedText()).toBe("x site:b.example");
      expect(urlsOf(await search("x", { excludeDomains: ["b.example", "a.example"] }))).toEqual(["https://c.example/"]);
      const both = { includeDomains: ["a.example"], excludeDomains: ["b.example"] };
      expect((await search("x", both)).status).toBe(400);
    });

    it("categories keep to their hosts and files and name themselves", async () => {
      results = [
        hit("https://github.com/a/b", "Code"),
        hit("https://arxiv.org/abs/1", "Paper"),
        hit("https://example.com/a.pdf", "File"),
        hit("https://example.com/", "Page"),
      ];
      const found = async (...categories: unknown[]) =>
        (await search("x", { categories })).body.data.web.map(({ category }: { category: string }) => category);
      expect(await found("github")).toEqual(["github"]);
      expect(await found({ type: "research" })).toEqual(["research"]);
      expect(await found("pdf")).toEqual(["pdf"]);
      expect((await found("github", "research", "pdf")).sort()).toEqual(["github", "pdf", "research"]);
    });

    it("ignoreInvalidURLs leaves out what other endpoints refuse", async () => {
      results = [hit("http://10.0.0.1/", "Private"), hit("https://example.com/", "Public")];
      expect(urlsOf(await search("x"))).toHaveLength(2);
      expect(urlsOf(await search("x", { ignoreInvalidURLs: true }))).toEqual(["https://example.com/"]);
    });

    it("keeps what other endpoints refuse unless ignoreInvalidURLs is set, with its error when pages are read", async () => {
      const urls = ["ftp://files.example/list.txt", "https://files.example/list.txt", "http://10.0.0.1/"];
      results = [hit("javascript:alert(1)", "No page"), ...urls.map((url) => hit(url, "Named by the service"))];
      expect(urlsOf(await search("x"))).toEqual(urls);
      expect((await call("/v1/search", { query: "x" })).body.data.map(({ url }: { url: string }) => url)).toEqual(urls);
      expect(urlsOf(await search("x", { ignoreInvalidURLs: true }))).toEqual([urls[1]]);
      results = [hit("ftp://files.example/list.txt", "Files", "Over FTP")];
      const before = await used();
      const { status, body } = await search("files", { scrapeOptions: { formats: ["markdown"] } });
      expect([status, body.data.web]).toEqual([
        200,
        [
          {
            url: urls[0],
            title: "Files",
            description: "Over FTP",
            position: 1,
            metadata: {
              title: "",
              description: "",
              sourceURL: urls[0],
              statusCode: 400,
              error: "Invalid URL: only http and https are supported",
            },
          },
        ],
      ]);
      expect(await used()).toBe(before + 2);
    });
  });

  describeOnce("tbs", () => {
    it("keeps results of that time by their date, whole days in UTC; undated ones are dropped and counted", async () => {
      results = [
        hit("https://example.com/old", "Old", "", "2026-11-09T23:59:59Z"),
        hit("https://example.com/first", "First", "", "2026-11-10T00:00:00Z"),
        hit("https://example.com/last", "Last", "", "2026-11-12T23:59:59-00:00"),
        hit("https://example.com/zone", "Zone", "", "2026-11-13T01:00:00+02:00"),
        hit("https://example.com/late", "Late", "", "2026-11-13T00:00:00Z"),
        hit("https://example.com/undated", "Undated"),
      ];
      const tbs = "cdr:1,cd_min:11/10/2026,cd_max:11/12/2026";
      const { body } = await search("x", { tbs });
      const names = body.data.web.map(({ title }: { title: string }) => title);
      expect(names).toEqual(["First", "Last", "Zone"]);
      expect(body.warning).toContain("1 result was left out because no date is known.");
      const either = async (part: string) => urlsOf(await search("x", { tbs: `cdr:1,${part}` })).length;
      expect([await either("cd_min:11/13/2026"), await either("cd_max:11/09/2026")]).toEqual([1, 1]);
    });

    it("asks the service for a range it has, whose undated results stay, and sbd orders by date", async () => {
      clock.set(isoTime(clock.now()));
      const days = (count: number) => isoTime(clock.now() - count * 86_400_000);
      results = [
        hit("https://example.com/undated", "Undated"),
        hit("https://example.com/five", "Five", "", days(5)),
        hit("https://example.com/one", "One", "", days(1)),
        hit("https://example.com/nine", "Nine", "", days(9)),
      ];
      const titles = async (tbs: string) =>
        (await search("x", { tbs })).body.data.web.map(({ title }: { title: string }) => title);
      expect(await titles("qdr:w")).toEqual(["Undated", "Five", "One"]);
      expect(service.asked[0]).toContain("time_range=week");
      expect(await titles("qdr:w,sbd:1")).toEqual(["One", "Five", "Undated"]);
      expect(await titles("qdr:d10")).toEqual(["Five", "One", "Nine"]);
      expect((await search("x", { tbs: "qdr:x" })).status).toBe(400);
      expect((await call("/v1/search", { query: "x", tbs: "qdr:w" })).body.data).toHaveLength(3);
    });
  });

  describeOnce("a service that fails", () => {
    const answers = (status: number, type: string, body: string): Handler => {
      return (_request, response) => void response.writeHead(status, { "content-type": type }).end(body);
    };
    it.each([
      ["429", answers(429, "application/json", "{}"), /SearXNG is rate-limited/],
      ["500", answers(500, "text/plain", "no"), /SearXNG failed \(500\)/],
      ["403", answers(403, "text/html", "no"), /formats:/],
      ["HTML", answers(200, "text/html", "<!doctype html><p>Hello"), /answered with HTML instead of JSON/],
      ["another shape", answers(200, "application/json", '{"answers":[]}'), /unknown shape/],
      [
        "a redirect to a private address",
        ((_request, response) => void response.writeHead(302, { location: "http://10.0.0.1/" }).end()) as Handler,
        /redirects to another origin/,
      ],
    ])("by %s is a 503 that says so, free and listed as failed", async (_name, handler, cause) => {
      instead = handler;
      const before = await used();
      const { status, body } = await search("x");
      expect([status, body.code]).toEqual([503, "SEARCH_UNAVAILABLE"]);
      expect(body.error).toMatch(cause);
      expect(await used()).toBe(before);
      const { data } = (await app.get("/v2/team/activity?endpoint=search&limit=1")).body;
      expect(data).toMatchObject([{ endpoint: "search", target: "x" }]);
      expect((await app.get(`/v2/search/${data[0].id}`)).status).toBe(503);
    });

    it("by silence is a 408 at the timeout, free", async () => {
      instead = () => {};
      const before = await used();
      const { status, body } = await search("x", { timeout: 1000 });
      expect([status, body.code, await used()]).toEqual([408, "SEARCH_TIMEOUT", before]);
    });

    it("is a warning when the local index answered beside it", async () => {
      const two = await startApp(
        engine,
        { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", SEARXNG_ENDPOINT: service.url, SEARCH_MERGE: "1" },
        clock,
      );
      onTestFinished(() => two.stop());
      await indexPages(two, [{ url: "https://own.example/", title: "Own", text: "words of the local index" }]);
      instead = answers(500, "text/plain", "no");
      const { status, body } = await call("/v2/search", { query: "own words" }, {}, two);
      expect([status, body.data.web.length]).toEqual([200, 1]);
      expect(body.warning).toMatch(/SearXNG failed \(500\)/);
    });
  });

  describeOnce("pages of results", () => {
    const options = { scrapeOptions: { formats: ["markdown", "links"] } };

    it("are read as a scrape reads them, charged each, and one that fails stays with the reason", async () => {
      const urls = [`${site.url}/exact`, "http://10.0.0.1/", `${site.url}/missing`];
      results = urls.map((url) => hit(url, "", "From the service"));
      const before = await used();
      const { body } = await search("quick fox", options);
      expect(body.data.web).toMatchObject([
        {
          url: urls[0],
          title: "Sea ice",
          position: 1,
          markdown: expect.stringContaining("quick brown fox"),
          links: [],
          metadata: { title: "Sea ice", description: "", sourceURL: urls[0], statusCode: 200 },
        },
        { url: urls[1], metadata: { sourceURL: urls[1], error: expect.stringContaining("not allowed") } },
        { url: urls[2], metadata: { statusCode: 404, error: expect.stringContaining("404") } },
      ]);
      expect(body.data.web[0].description).toContain("quick brown fox");
      expect(body.data.web[1].description).toBe("From the service");
      expect(body.creditsUsed).toBe(4);
      expect(await used()).toBe(before + 4);
      const { scrapeId } = body.data.web[0].metadata;
      expect((await app.get(`/v2/scrape/${scrapeId}`)).body.data.markdown).toContain("quick brown fox");
      const plain = await search("quick fox", { ...options, highlights: false });
      expect(plain.body.data.web[0].description).toBe("From the service");
    });

    it("are read after the answer with asyncScraping, each under its id, and charged when they are", async () => {
      let letGo = () => {};
      const held = await startSite({
        "/held": (_request, response) => {
          letGo = () => void response.end("<title>Held</title><main><p>Held for long.</p></main>");
        },
        "/bytes": (_request, response) => void response.end(Buffer.from([...Array(4000).keys()].map((at) => at % 256))),
      });
      onTestFinished(() => held.close());
      const bare = ["ftp://site.test/file", `${held.url}/held`, `${held.url}/bytes`];
      results = [hit(`${site.url}/clean`, "Clean", "Water"), ...bare.map((url) => hit(url))];
      const before = await used();
      const { body } = await search("later", { ...options, asyncScraping: true });
      expect(body.data.web.map((result: object) => "markdown" in result || "metadata" in result)).not.toContain(true);
      // What its pages cost comes when they are read: that may be now.
      expect(body.creditsUsed).toBe(2);
      const [clean, refused, slow, lost, ...more] = body.scrapeIds.web;
      expect([refused, more]).toEqual([null, []]);
      const read = (id: string, key?: string) => app.get(`/v2/scrape/${id}`, key ? { key } : {});
      await expect.poll(async () => (await read(clean)).body.data?.markdown).toContain("Nothing but water.");
      expect((await read(slow)).body).toEqual({ success: true, status: "scraping" });
      await expect.poll(async () => (await read(lost)).body.code).toBe("SCRAPE_UNSUPPORTED_FILE_ERROR");
      await expect.poll(() => held.asked).toContain("/held");
      letGo();
      await expect.poll(async () => (await read(slow)).body.data?.markdown).toContain("Held for long.");
      expect(await used()).toBe(before + 4);
      expect((await read(clean, otherKey)).status).toBe(404);
      const { data } = (await app.get("/v2/team/activity?limit=2")).body;
      expect(data.map(({ endpoint }: { endpoint: string }) => endpoint)).not.toContain("batch_scrape");
      expect((await search("later", { asyncScraping: true })).body).not.toHaveProperty("scrapeIds");
      const forgotten = await search("later", { scrapeOptions: { zeroDataRetention: true }, asyncScraping: true });
      expect(forgotten.body.details[0].path).toEqual(["asyncScraping"]);
    });

    it("carry the specification's fields under v1", async () => {
      results = [hit(`${site.url}/clean`, "Clean", "Water")];
      const { body } = await call("/v1/search", { query: "x", scrapeOptions: { formats: ["markdown"] } });
      expect(body.data).toMatchObject([{ title: "Clean", description: "Water", markdown: expect.any(String) }]);
      expect(body.data[0].metadata).toMatchObject({ title: "Clean water", description: "", statusCode: 200 });
      expect(body.data[0]).not.toHaveProperty("position");
      const none = await call("/v1/search", { query: "x", scrapeOptions: { formats: [] }, lang: "en", country: "us" });
      expect(Object.keys(none.body.data[0]).sort()).toEqual(["description", "title", "url"]);
    });

    it("that take too long stay with the reason, within the request's time", async () => {
      results = [hit(`${site.url}/slow`, "Slow"), hit(`${site.url}/clean`, "Clean")];
      const { status, body } = await search("x", { ...options, timeout: 5000 });
      expect(status).toBe(200);
      expect(body.data.web).toMatchObject([
        { title: "Slow", metadata: { error: expect.any(String), statusCode: 408 } },
        { title: "Clean", markdown: expect.any(String) },
      ]);
    });

    it("of outputs that cannot be had are refused before anything is asked", async () => {
      const { status } = await search("x", { scrapeOptions: { onlyCleanContent: true } });
      expect([status, service.asked]).toEqual([501, []]);
    });
  });

  describe("afterwards", () => {
    it("the answer can be read again for a day, by its team, as a search only", async () => {
      results = [hit(`${site.url}/clean`, "Clean"), hit("http://10.0.0.1/", "Private")];
      const { body } = await search("again", { scrapeOptions: { formats: ["markdown"] } });
      const path = `/v2/search/${body.id}`;
      expect((await app.get(path)).body).toEqual(body);
      expect((await app.get(path, { key: otherKey })).status).toBe(404);
      expect((await app.get(`/v2/scrape/${body.id}`)).status).toBe(404);
      clock.advance(24 * 3_600_000 + 1);
      expect((await app.get(path)).status).toBe(404);
    });

    it("it is listed with its query, or without it when nothing may be kept", async () => {
      results = [hit("https://example.com/", "Page")];
      const kept = (await search("a query")).body;
      const forgotten = (await search("a secret", { scrapeOptions: { formats: [], zeroDataRetention: true } })).body;
      expect(forgotten.creditsUsed).toBe(10);
      const { data } = (await app.get("/v2/team/activity?endpoint=search&limit=2")).body;
      expect(data).toMatchObject([
        { id: forgotten.id, target: "", api_version: "v2" },
        { id: kept.id, target: "a query" },
      ]);
      expect((await app.get(`/v2/search/${forgotten.id}`)).status).toBe(404);
      expect((await app.get(`/v2/search/${kept.id}`)).body).toEqual(kept);
    });

    it.each(["zdr", "anon"])(
      "of enterprise %s nothing is kept: no query, answer, copy or page to find",
      async (mode) => {
        results = [hit(`${site.url}/secret`, "Secret")];
        const body = { enterprise: [mode], scrapeOptions: { formats: ["markdown"] } };
        const first = (await search("a secret", body)).body;
        const { scrapeId, cacheState } = first.data.web[0].metadata;
        expect(first).toMatchObject({ creditsUsed: 12, data: { web: [{ markdown: expect.stringContaining("fox") }] } });
        expect(cacheState).not.toBe("hit");
        const asked = service.asked.length;
        const read = site.asked.length;
        const again = (await search("a secret", body)).body;
        expect([service.asked.length - asked > 0, site.asked.length - read > 0]).toEqual([true, true]);
        const { data } = (await app.get("/v2/team/activity?endpoint=search&limit=2")).body;
        expect(data).toMatchObject([
          { id: again.id, target: "" },
          { id: first.id, target: "" },
        ]);
        expect((await app.get(`/v2/search/${first.id}`)).status).toBe(404);
        expect(scrapeId === undefined || (await app.get(`/v2/scrape/${scrapeId}`)).status === 404).toBe(true);
        expect((await search("x", { ...body, scrapeOptions: { onlyCleanContent: true } })).status).toBe(400);
        expect((await search("not secret", { enterprise: ["default"] })).body.creditsUsed).toBe(2);
      },
    );

    it("asking again within a minute asks no service, costs the same, and serves its team only", async () => {
      results = [hit("https://example.com/", "Page")];
      const first = (await search("kept  words")).body;
      await search("kept words", { tbs: "qdr:w" });
      const dated = service.asked.length;
      await search("kept words", { tbs: "qdr:w" });
      expect(service.asked).toHaveLength(dated);
      const count = service.asked.length;
      const second = (await search("kept words")).body;
      expect([second.data, second.creditsUsed]).toEqual([first.data, first.creditsUsed]);
      expect(service.asked).toHaveLength(count);
      await search("kept words", {}, { key: otherKey });
      expect(service.asked.length).toBeGreaterThan(count);
      const after = service.asked.length;
      await search("kept words", { limit: 9 });
      clock.advance(60_001);
      await search("kept words");
      expect(service.asked.length).toBeGreaterThan(after + 1);
    });

    it("trace tells what was asked, in the answer and at its own address", async () => {
      results = [hit("https://example.com/", "Page")];
      const { body } = await search("traced", { trace: true });
      expect(body.trace).toMatchObject([
        { step: "search", engine: "SearXNG", outcome: "1 results" },
        { step: "filter" },
      ]);
      expect((await app.get(`/v2/jobs/${body.id}/trace`)).body.trace).toEqual(body.trace);
    });

    it("feedback is stored once for each request of the team, by either address", async () => {
      results = [hit("https://example.com/", "Page")];
      const { id } = (await search("rated")).body;
      const body = { rating: "bad", missingContent: [{ topic: "prices" }] };
      const first = await call(`/v2/search/${id}/feedback`, body);
      expect(first.body).toEqual({ success: true, feedbackId: expect.any(String), creditsRefunded: 0 });
      const second = await call("/v2/feedback", { endpoint: "search", jobId: id, ...body });
      expect(second.body).toEqual({ ...first.body, alreadySubmitted: true });
      expect((await call(`/v2/search/${id}/feedback`, body, { key: otherKey })).status).toBe(404);
      expect((await call("/v2/feedback", { endpoint: "map", jobId: id, rating: "good" })).status).toBe(404);
      expect((await call(`/v2/search/${id}/feedback`, { rating: "good" })).status).toBe(400);
      const team = await app.accounts.teams.findOrCreate("acme");
      expect(await app.store.feedback.list(team.id, 10)).toMatchObject([
        { id: first.body.feedbackId, endpoint: "search", jobId: id, rating: "bad" },
      ]);
    });

    it("needs credits", async () => {
      const poor = await startApp(engine, { CREDITS_PER_MONTH: "5" });
      onTestFinished(() => poor.stop());
      const ask = (limit: number) => poor.call("POST", "/v2/search", { body: { query: "x", limit } });
      expect([(await ask(6)).status, (await ask(5)).status]).toEqual([402, 200]);
    });
  });

  describe("without a service", () => {
    const ask = (query: string, body: object = {}, options: CallOptions = {}) =>
      call("/v2/search", { query, ...body }, options, alone);

    it("an empty index says so and names the settings for web search", async () => {
      const { body } = await ask("anything", {}, { key: otherKey });
      expect(body).toMatchObject({ success: true, data: { web: [] }, creditsUsed: 0 });
      expect(body.warning).toMatch(/local index .* empty.*SEARXNG_ENDPOINT.*SERPER_API_KEY/);
      const none = await ask("anything", { sources: ["news", "images"] });
      expect(none.body.data).toEqual({ news: [], images: [] });
      expect(none.body.warning).toMatch(
        /^The local index has no news\. To search the web, set .*\. The local index has no images\.$/,
      );
      expect(none.body.warning).not.toContain("OWN_INDEX");
    });

    it("finds pages soon after they were scraped or batched, but none that was read with headers or is to be forgotten", async () => {
      const options = { key: otherKey };
      const read = (path: string, more: object = {}) =>
        call("/v2/scrape", { url: site.url + path, ...more }, options, alone);
      await read("/clean");
      await read("/exact", { headers: { "x-secret": "1" } });
      await read("/loose", { zeroDataRetention: true });
      await call("/v2/batch/scrape", { urls: [`${site.url}/dirty`] }, options, alone);
      const found = async () => urlsOf(await ask("water crosses fox", {}, options)).sort();
      await expect.poll(found).toEqual([`${site.url}/clean`, `${site.url}/dirty`]);
    });

    it("a page is found within 2 s of its scrape's answer, whatever format was asked for", async () => {
      const fresh = await useApp(engine);
      onTestFinished(() => fresh.stop());
      const find = async () => urlsOf(await fresh.call("POST", "/v2/search", { body: { query: "plastic" } }));
      const body = { url: `${site.url}/dirty`, formats: ["links"], zeroDataRetention: true };
      await fresh.call("POST", "/v2/scrape", { body });
      await fresh.call("POST", "/v2/scrape", { body: { ...body, zeroDataRetention: false } });
      // Five times the promise, for slow machines.
      await expect.poll(find, { interval: 100, timeout: 5 * 2000 }).toEqual([body.url]);
    });

    it("highlights false describes pages with their own words, or with their first ones; otherwise the passage that fits does", async () => {
      const told = `Of rivers. ${"Reeds grow there. ".repeat(30)} A vole digs.`;
      const voles = await startSite({
        "/told": `<meta name="description" content="A guide to voles."><title>Voles</title><main><p>${told}</p></main>`,
        "/untold": page("More voles", told),
      });
      const fresh = await useApp(engine);
      onTestFinished(async () => {
        await fresh.stop();
        await voles.close();
      });
      for (const path of ["/told", "/untold"]) {
        await fresh.call("POST", "/v2/scrape", { body: { url: voles.url + path } });
      }
      const described = async (path: string, body: object = {}) => {
        const { data } = (await fresh.call("POST", path, { body: { query: "vole digs", ...body } })).body;
        const texts = (data.web ?? data).map(({ url, description }: Record<string, string>) => [url, description]);
        return Object.fromEntries(texts);
      };
      const plain = async () => described("/v2/search", { highlights: false });
      await expect.poll(plain).toEqual({
        [`${voles.url}/told`]: "A guide to voles.",
        [`${voles.url}/untold`]: expect.stringMatching(/^More voles Of rivers\..* …$/),
      });
      const passage = expect.stringContaining("A vole digs.");
      const passages = { [`${voles.url}/told`]: passage, [`${voles.url}/untold`]: passage };
      expect(await described("/v2/search")).toEqual(passages);
      expect(await described("/v1/search")).toEqual(passages);
      const objective = "where reeds grow";
      const reeds = expect.stringContaining("Reeds grow there.");
      const forReeds = await described("/v2/search", { objective });
      expect(forReeds).toEqual({ [`${voles.url}/told`]: reeds, [`${voles.url}/untold`]: reeds });
    });

    it("is useful after a first crawl with nothing set: pages, passages, words of links, operators, days of texts, no warning", async () => {
      const topics = [
        "otter",
        "heron",
        "beaver",
        "newt",
        "trout",
        "crane",
        "toad",
        "swan",
        "pike",
        "vole",
        "wren",
        "eel",
      ];
      const about = (topic: string, place: number) =>
        `${page(`The ${topic}`, `Long ago. ${"Reeds grow by the river. ".repeat(20)} A ${topic} has a den there, number ${place}.${topic === "heron" ? "</p><p>Published on 3 May 2021" : ""}`)}
        <a href="/${topics[(place + 1) % topics.length]}">River guide chapter ${place}</a>`;
      const river = await startSite({
        "/": `<title>River animals</title><main><h1>River animals</h1><p>Who lives at the river.</p>${topics
          .map((topic) => `<a href="/${topic}">All about the ${topic}</a> `)
          .join("")}</main>`,
        ...Object.fromEntries(topics.map((topic, place) => [`/${topic}`, about(topic, place)])),
      });
      const fresh = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", RATE_LIMIT_STATUS: "0" });
      onTestFinished(async () => {
        await fresh.stop();
        await river.close();
      });
      const { id } = (await fresh.call("POST", "/v2/crawl", { body: { url: river.url } })).body;
      const status = async () => (await fresh.get(`/v2/crawl/${id}?limit=1`)).body.status;
      await expect.poll(status, { interval: 100 }).toBe("completed");
      const ask = async (query: string, limit = 5, more: object = {}) =>
        (await fresh.call("POST", "/v2/search", { body: { query, limit, ...more } })).body;
      const first = async (query: string) => (await ask(query)).data.web[0]?.url;
      const warningOf = async (query: string) => (await ask(query)).warning;
      await expect.poll(() => warningOf("submarine")).toMatch(/has 13 pages .*SEARXNG_ENDPOINT/);
      expect(await first("beaver")).toBe(`${river.url}/beaver`);
      const found = await ask("heron den");
      expect(found.data.web[0]).toMatchObject({ url: `${river.url}/heron`, title: "The heron" });
      expect(found.data.web[0].description).toContain("A heron has a den there");
      // Only its text says when it was published; a page without a day is as old as its first read.
      const during = async (tbs: string) => urlsOf({ body: await ask("heron den", 10, { tbs }) } as Answer);
      const may = "cdr:1,cd_min:5/1/2021,cd_max:5/31/2021";
      expect([await during(may), (await during("qdr:w")).includes(`${river.url}/heron`)]).toEqual([
        [`${river.url}/heron`],
        false,
      ]);
      expect((await ask("river", 10)).data.web).toHaveLength(10);
      expect((await ask("river", 10)).warning).toBeUndefined();
      expect((await ask("swan site:127.0.0.1 intitle:swan -otter")).data.web).toHaveLength(1);
      // Only links to the page say "chapter 3", and one word of it is on the page that links.
      expect((await ask("guide chapter")).data.web.length).toBeGreaterThan(0);
    });

    it("the local index answers, to its team, with every operator; a thin one says so", async () => {
      await indexPages(alone, [
        { url: "https://sea.example/ice", title: "Sea ice", text: "The quick brown fox crosses the ice." },
        { url: "https://sea.example/salt", title: "Sea salt", text: "A brown and quick fox crosses the salt." },
      ]);
      const { body } = await ask("fox ice", { location: "Germany" });
      expect(urlsOf({ body } as Answer)).toEqual(["https://sea.example/ice", "https://sea.example/salt"]);
      expect(body.data.web[0].description).toContain("quick brown fox");
      expect(body.warning).toMatch(/has 2 pages .*SEARXNG_ENDPOINT.* location has no effect on the local index/);
      const found = async (query: string, more: object = {}) => urlsOf(await ask(query, more));
      expect(await found('"quick brown fox"')).toEqual(["https://sea.example/ice"]);
      expect(await found("fox -ice")).toEqual(["https://sea.example/salt"]);
      expect(await found("-ice")).toEqual(["https://sea.example/salt"]);
      expect(await found("intitle:salt")).toEqual(["https://sea.example/salt"]);
      expect(await found("fox inurl:ice site:sea.example")).toEqual(["https://sea.example/ice"]);
      expect(await found("fox", { excludeDomains: ["sea.example"] })).toEqual([]);
      expect((await ask("fox", {}, { key: otherKey })).body.data.web).toEqual([]);
    });
  });
});

/** Puts pages into the index of the team `acme`, as their scrapes would. */
async function indexPages(app: TestApp, pages: { url: string; title: string; text: string }[]): Promise<void> {
  const { createIndexWriter } = await import("../../src/search/index.ts");
  const { createLog, systemClock } = await import("../../src/base/index.ts");
  const writer = createIndexWriter({ store: app.store, clock: systemClock, log: createLog("silent") });
  const { id: teamId } = await app.accounts.teams.findOrCreate("acme");
  for (const one of pages) {
    writer.add({
      teamId,
      description: "",
      headings: [],
      links: [],
      language: "en",
      published: null,
      modified: null,
      ...one,
    });
  }
  await writer.stop();
}
