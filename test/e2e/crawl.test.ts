// POST /v2/crawl through every room: what a crawl reads, how much of it, and what each page becomes.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { bystanders, onOneEngine } from "../support/engines.ts";
import { answerText, openSite, page, pagesFor, redirectTo, runJob, sitemapOf } from "../support/jobs.ts";
import { withLightCalls } from "../support/light-calls.ts";
import { useApp } from "../support/shared-app.ts";

describe.each(bystanders)("crawl on $name", (engine) => {
  const { describeOnce, itOnce } = onOneEngine(engine);
  let app: TestApp;
  beforeAll(async () => {
    app = await useApp(engine);
  });
  afterAll(() => app.stop());

  const crawl = (url: string, options: object = {}) => runJob(app, "/v2/crawl", { url, ...options });
  const ask = (body: object) => app.call("POST", "/v2/crawl", { body });

  /** A start page, two pages, and one below each. */
  const tree = {
    "/": page("Start", ["/a", "/b", "#top", "mailto:me@example.com", "/picture.png"]),
    "/a": page("A", ["/a/deep", "/", "/b#part"]),
    "/b": page("B", ["/b/deep", "/a"]),
    "/a/deep": page("Deep A", ["/a/deep/deeper"]),
    "/b/deep": page("Deep B"),
    "/a/deep/deeper": page("Deepest"),
  };

  it("reads every page that the start page leads to, once", async () => {
    const site = await openSite(tree);
    const { started, status, paths, data, errors, robotsBlocked } = await crawl(`${site.url}/#top`);
    expect(Object.keys(started)).toEqual(["success", "id", "url"]);
    expect(started.url).toBe(`${app.url}/v2/crawl/${started.id}`);
    expect(paths).toEqual(["/", "/a", "/a/deep", "/a/deep/deeper", "/b", "/b/deep"]);
    expect(status).toMatchObject({ status: "completed", total: 6, completed: 6, creditsUsed: 6 });
    expect([errors, robotsBlocked]).toEqual([[], []]);
    expect(site.asked.filter((path) => !/robots|sitemap/.test(path)).toSorted()).toEqual(paths);
    const start = data.find(({ metadata }) => metadata.sourceURL === `${site.url}/`);
    expect(Object.keys(start).toSorted()).toEqual(["markdown", "metadata"]);
    expect(start.markdown).toContain("# Start");
    expect(start.metadata).toMatchObject({
      title: "Start",
      url: `${site.url}/`,
      statusCode: 200,
      cacheState: "miss",
      creditsUsed: 1,
      scrapeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(new Set(data.map(({ metadata }) => metadata.scrapeId)).size).toBe(6);
  });

  describe("limit", () => {
    it("is reached exactly where a site has no end, and never exceeded by pages begun", async () => {
      const day = (path: string) => Number(path.split("/").at(-1)) || 0;
      const site = await openSite((path) =>
        path.startsWith("/calendar")
          ? page(`Day ${day(path)}`, [`/calendar/${day(path) + 1}`, `/calendar/${day(path) + 2}`])
          : undefined,
      );
      const { status, data } = await crawl(`${site.url}/calendar`, { limit: 25 });
      expect(data).toHaveLength(25);
      expect(status).toMatchObject({ status: "completed", total: 25, completed: 25, creditsUsed: 25 });
      expect(site.asked.filter((path) => path.startsWith("/calendar") && !path.includes("sitemap"))).toHaveLength(25);
    });

    it("of one is the start page alone", async () => {
      const site = await openSite(tree);
      const { paths, status } = await crawl(site.url, { limit: 1 });
      expect([paths, status.total]).toEqual([["/"], 1]);
      expect(site.asked.filter((path) => path in tree)).toEqual(["/"]);
    });

    it("counts no page that turns out to be another", async () => {
      const links = Array.from({ length: 12 }, (_, index) => `/alias/${index}`);
      const site = await openSite((path) => {
        if (path === "/") return page("Start", [...links, "/real/1", "/real/2"]);
        if (path.startsWith("/alias")) return (_request, response) => response.writeHead(301, { location: "/" }).end();
        return path.startsWith("/real") ? page(path) : undefined;
      });
      const { paths, status, errors } = await crawl(site.url, { limit: 3 });
      expect(paths).toEqual(["/", "/real/1", "/real/2"]);
      expect(status).toMatchObject({ total: 3, completed: 3, creditsUsed: 3 });
      expect(errors).toEqual([]);
    });

    it("that other pages fill leaves no page out of both lists that keeps answering 429", async () => {
      const site = await openSite({
        "/": page("Start", ["/busy", "/a", "/b"]),
        "/busy": (_request, response) => response.writeHead(429, { "retry-after": "0" }).end("<h1>Busy</h1>"),
        ...pagesFor(["/a", "/b"]),
      });
      const { paths, status, errors } = await crawl(site.url, { limit: 2, sitemap: "skip" });
      expect(paths).toEqual(["/", "/a"]);
      expect(status).toMatchObject({ status: "completed", total: 2, completed: 2, creditsUsed: 2 });
      expect(errors).toMatchObject([{ url: `${site.url}/busy`, code: "SCRAPE_NOT_TRIED_AGAIN" }]);
      expect(site.asked).not.toContain("/b");
    });
  });

  it.each([
    [0, ["/"]],
    [1, ["/", "/a", "/b"]],
    [2, ["/", "/a", "/a/deep", "/b", "/b/deep"]],
  ])("maxDiscoveryDepth %d reads pages at that depth, but follows nothing there", async (maxDiscoveryDepth, left) => {
    const site = await openSite(tree);
    const { paths } = await crawl(site.url, { maxDiscoveryDepth });
    expect(paths).toEqual(left);
  });

  describeOnce("sitemap", () => {
    const open = async () => {
      const site = await openSite({
        ...tree,
        "/listed": page("Listed", ["/listed/below"]),
        "/listed/below": page("Below"),
        "/sitemap.xml": (request, response) =>
          sitemapOf(`http://${request.headers.host}/listed`, `http://${request.headers.host}/a`)(request, response),
      });
      return site;
    };

    it("include reads what it lists beside what is linked; its pages are of depth 0", async () => {
      const { paths } = await crawl((await open()).url, { maxDiscoveryDepth: 1 });
      expect(paths).toEqual(["/", "/a", "/b", "/listed", "/listed/below"]);
    });

    it("skip asks for none", async () => {
      const site = await open();
      const { paths } = await crawl(site.url, { sitemap: "skip", maxDiscoveryDepth: 1 });
      expect(paths).toEqual(["/", "/a", "/b"]);
      expect(site.asked.filter((path) => path.includes("sitemap"))).toEqual([]);
    });

    it("only reads what it lists and the start, and follows no link", async () => {
      const { paths } = await crawl((await open()).url, { sitemap: "only" });
      expect(paths).toEqual(["/", "/a", "/listed"]);
    });

    it("of several files is read on when the first ones list only what turns out to be one page", async () => {
      const site = await openSite((path) => (request, response) => {
        const at = (paths: string[]) => paths.map((each) => `http://${request.headers.host}${each}`);
        if (path === "/robots.txt")
          return answerText(`Sitemap: ${at(["/1.xml"])}\nSitemap: ${at(["/2.xml"])}`)(request, response);
        if (path === "/1.xml") return sitemapOf(...at(["/alias/1", "/alias/2", "/alias/3"]))(request, response);
        if (path === "/2.xml") return sitemapOf(...at(["/x", "/y"]))(request, response);
        if (path.startsWith("/alias")) return redirectTo("/")(request, response);
        return answerText(page(path), "text/html")(request, response);
      });
      const { paths } = await crawl(site.url, { sitemap: "only", limit: 3 });
      expect(paths).toEqual(["/", "/x", "/y"]);
    });

    it("that does not answer holds no crawl up whose limit is filled", async () => {
      const site = await openSite({
        "/": page("Start", ["/a", "/b"]),
        ...pagesFor(["/a", "/b"]),
        "/sitemap.xml": () => {},
      });
      const { status, paths } = await crawl(site.url, { limit: 3 });
      expect([status.status, paths]).toEqual(["completed", ["/", "/a", "/b"]]);
      expect(site.asked).toContain("/sitemap.xml");
      // A sitemap is waited for a minute.
      expect(status.duration).toBeLessThan(60);
    });

    it("is no page of the total while it is read", async () => {
      let letGo = () => {};
      const held = new Promise<void>((done) => {
        letGo = done;
      });
      const site = await openSite({
        "/": page("Start"),
        "/sitemap.xml": async (request, response) => {
          await held;
          sitemapOf()(request, response);
        },
      });
      const { body } = await ask({ url: site.url });
      const read = async () => (await app.get(`/v2/crawl/${body.id}`)).body;
      await expect.poll(() => site.asked.includes("/sitemap.xml")).toBe(true);
      expect(await read()).toMatchObject({ status: "scraping", total: 1, completed: 1 });
      letGo();
      await expect.poll(async () => (await read()).status).toBe("completed");
      expect(await read()).toMatchObject({ total: 1, completed: 1 });
    });
  });

  it("ignoreQueryParameters makes addresses that differ in their query one page", async () => {
    const pages = { "/": page("Start", ["/x?a=1", "/x?a=2", "/x"]), ...pagesFor(["/x"]) };
    const site = await openSite(pages);
    expect((await crawl(site.url)).paths).toEqual(["/", "/x", "/x?a=1", "/x?a=2"]);
    const again = await openSite(pages);
    expect((await crawl(again.url, { ignoreQueryParameters: true })).paths).toEqual(["/", "/x?a=1"]);
  });

  it("deduplicateSimilarURLs makes spellings of one page one page, unless it is switched off", async () => {
    const pages = { "/": page("Start", ["/x", "/x/", "/x/index.html", "/index.php"]) };
    const spellings = ["/x", "/x/", "/x/index.html", "/index.php"];
    const site = await openSite({ ...pages, ...pagesFor(spellings) });
    expect((await crawl(site.url)).paths).toEqual(["/", "/x"]);
    const again = await openSite({ ...pages, ...pagesFor(spellings) });
    expect((await crawl(again.url, { deduplicateSimilarURLs: false })).paths).toEqual(["/", ...spellings].toSorted());
  });

  describe("scrapeOptions", () => {
    it("hold for every page", async () => {
      const site = await openSite(tree);
      const scrapeOptions = { formats: ["links", "rawHtml"], headers: { "x-caller": "me" } };
      const { data } = await crawl(site.url, { limit: 2, scrapeOptions });
      expect(data.map((one) => Object.keys(one).toSorted())).toEqual(Array(2).fill(["links", "metadata", "rawHtml"]));
      expect(site.headers()["x-caller"]).toBe("me");
    });

    it("are refused before anything is fetched where this server cannot do them", async () => {
      const site = await openSite(tree);
      const { status, body } = await ask({ url: site.url, scrapeOptions: { onlyCleanContent: true } });
      expect([status, body.code]).toEqual([501, "MODEL_NOT_CONFIGURED"]);
      expect(site.asked).toEqual([]);
    });

    it("with zeroDataRetention leave no trace but the result, and cost one credit more", async () => {
      const site = await openSite(tree);
      const { id, status } = await crawl(site.url, { zeroDataRetention: true, limit: 3 });
      expect(status).toMatchObject({ completed: 3, creditsUsed: 6 });
      const activity = await app.get("/v2/team/activity?endpoint=crawl&limit=100");
      expect(activity.body.data.find((row: { id: string }) => row.id === id).target).toBe("");
      const again = await app.call("POST", "/v2/scrape", { body: { url: `${site.url}/`, lockdown: true } });
      expect(again.body.code).toBe("SCRAPE_LOCKDOWN_CACHE_MISS");
    });

    it("with lockdown read what is stored and ask nothing of the site", async () => {
      const site = await openSite(tree);
      await crawl(site.url, { maxDiscoveryDepth: 1 });
      site.asked.length = 0;
      const { paths, errors } = await crawl(site.url, { scrapeOptions: { lockdown: true } });
      expect(paths).toEqual(["/", "/a", "/b"]);
      expect(errors.map(({ code }) => code)).toEqual(Array(2).fill("SCRAPE_LOCKDOWN_CACHE_MISS"));
      expect(site.asked).toEqual([]);
    });
  });

  it("sends the credentials of its address as the header they stand for, and shows them nowhere", async () => {
    const site = await openSite((path) => (request, response) => {
      response.setHeader("content-type", "text/html");
      if (!/^\/(a|robots.txt)?$/.test(path)) return void response.writeHead(404).end();
      response.end(page(String(request.headers.authorization), ["/a"]));
    });
    const { data } = await crawl(site.url.replace("//", "//me:pa%zz@"), { sitemap: "skip" });
    const authorization = `Basic ${Buffer.from("me:pa%zz").toString("base64")}`;
    expect(data.map(({ metadata }) => metadata.title)).toEqual([authorization, authorization]);
    expect(data.map(({ metadata }) => metadata.sourceURL)).toEqual([`${site.url}/`, `${site.url}/a`]);
    expect(app.logLines.filter((line) => line.includes("pa%zz"))).toEqual([]);
  });

  describe("traps", () => {
    it.each([
      ["a path that repeats itself", (path: string) => `${path.replace(/\/$/, "")}/again`, 4],
      ["a path that grows without end", (path: string) => `${path.replace(/\/$/, "")}/${path.length}`, 51],
    ])("%s is followed only so far", async (_name, next, count) => {
      const site = await openSite((path) => (/robots|sitemap/.test(path) ? undefined : page(path, [next(path)])));
      const { data } = await crawl(site.url, { limit: 100 });
      expect(data).toHaveLength(count);
    });

    it("of a page with very many links the first 3,000 are taken in", async () => {
      const links = Array.from({ length: 3500 }, (_, index) => `/${index}`);
      const site = await openSite({ "/": page("Start", links), ...pagesFor(["/0", "/1"]) });
      const { body } = await ask({ url: site.url, delay: 60 });
      const read = async () => (await app.get(`/v2/crawl/${body.id}`)).body;
      await expect.poll(async () => (await read()).completed).toBe(1);
      expect((await read()).total).toBe(3001);
      await app.call("DELETE", `/v2/crawl/${body.id}`);
    });
  });

  describeOnce("what is answered before anything is fetched", () => {
    it("is 400 with the field for a bad option", async () => {
      const site = await openSite(tree);
      const bad: [object, (string | number)[]][] = [
        [{ url: "nodots" }, ["url"]],
        [{ includePaths: ["/ok", "("] }, ["includePaths", 1]],
        [{ excludePaths: ["[z-a]"] }, ["excludePaths", 0]],
        [{ limit: 0 }, ["limit"]],
        [{ delay: 61 }, ["delay"]],
        [{ maxConcurrency: 0 }, ["maxConcurrency"]],
        [{ sitemap: "maybe" }, ["sitemap"]],
        [{ maxDiscoveryDepth: -1 }, ["maxDiscoveryDepth"]],
      ];
      for (const [options, path] of bad) {
        const { status, body } = await ask({ url: site.url, ...options });
        expect([status, body.details?.[0]?.path]).toEqual([400, path]);
      }
      expect(site.asked).toEqual([]);
    });

    it("is 501 for a prompt without a language model", async () => {
      const { status } = await ask({ url: "https://example.com", prompt: "only the blog" });
      expect(status).toBe(501);
    });

    it("is 403 for an address that is not allowed", async () => {
      const { status, body } = await ask({ url: "http://10.0.0.1/" });
      expect([status, body.code]).toEqual([403, "URL_NOT_ALLOWED"]);
    });
  });

  itOnce("keeps the API responsive and every page safe under 12 catastrophic regular expressions", async () => {
    const bombs = [
      "(a+)+$",
      "([a-z]+)*!",
      "(a|aa)+!",
      "(.*a){20}!",
      "^(([a-z])+.)+[A-Z]([a-z])+$",
      "(x+x+)+y",
      "(?=/)/(a+)+$",
      "(?!b)(a*)*!",
      "(a*)*\\1!",
      "(?<=/)(a|a?)+!",
      "((a{1,20}){1,20}){1,20}(?=!)",
      "(\\w+\\s?)*(?=~)",
    ];
    const evil = `/${"a".repeat(60)}`;
    const links = [evil, `${evil}!b`, "/plain"];
    const site = await openSite({ "/": page("Start", links), ...pagesFor(links) });
    const { result: jobs, heldMs } = await withLightCalls(app, () =>
      Promise.all([crawl(site.url, { includePaths: [...bombs, "^/plain"] }), crawl(site.url, { excludePaths: bombs })]),
    );
    expect(heldMs).toBeLessThan(2000);
    for (const { status, errors } of jobs) {
      expect(status.status).toBe("completed");
      for (const { code } of errors) expect(code).toBe("CRAWL_DENIAL");
    }
    expect(jobs[0].paths).toContain("/plain");
  });

  it.each([
    [{ includeTags: ["p["] }, ["includeTags", 0]],
    [{ formats: [{ type: "json", schema: { type: "none" } }] }, ["formats", 0, "schema"]],
    [{ formats: ["markdown", { type: "changeTracking", modes: ["json"] }] }, ["formats", 1, "schema"]],
    [{ formats: ["none"] }, ["formats", 0]],
  ])("names the field of %j within scrapeOptions", async (scrapeOptions, path) => {
    for (const [endpoint, body] of [
      ["crawl", { url: "http://127.0.0.1/" }],
      ["search", { query: "x" }],
    ] as const) {
      const refused = await app.call("POST", `/v2/${endpoint}`, { body: { ...body, scrapeOptions } });
      expect([refused.status, refused.body.details[0].path]).toEqual([400, ["scrapeOptions", ...path]]);
    }
  });

  it("says why nothing was found", async () => {
    const closed = await openSite({ "/robots.txt": answerText("User-agent: *\nDisallow: /") });
    const { status, robotsBlocked } = await crawl(closed.url);
    expect(status).toMatchObject({ status: "completed", total: 0, completed: 0, creditsUsed: 0 });
    expect(status.warning).toContain("robots.txt disallows the start page.");
    expect(robotsBlocked).toEqual([`${closed.url}/`]);
    const lonely = await openSite({ "/docs": page("Docs", ["/elsewhere"]) });
    expect((await crawl(`${lonely.url}/docs`)).status.warning).toContain("crawlEntireDomain");
    const alone = await openSite({ "/docs": page("Docs", ["/docs", "#top", "mailto:a@b.test", "http://other.test/"]) });
    expect((await crawl(`${alone.url}/docs`)).status.warning).toBeUndefined();
    const hidden = { "/robots.txt": answerText("User-agent: *\nDisallow: /hidden") };
    const shy = await openSite({ "/docs": page("Docs", ["/hidden"]), ...hidden });
    expect((await crawl(`${shy.url}/docs`)).status.warning).toBeUndefined();
    expect((await crawl(`${lonely.url}/gone`)).status.warning).toBe("The only page that was found answered 404.");
    expect((await crawl(`${lonely.url}/docs`, { includePaths: ["^/blog/"] })).status.warning).toBe(
      "No page was found that includePaths and excludePaths allow.",
    );
  });

  it("says why nothing was found by a crawl of one page, too", async () => {
    const bytes = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
    const site = await openSite({ "/picture": (_request, response) => response.end(bytes) });
    const { status, errors } = await crawl(`${site.url}/picture`, { limit: 1, scrapeOptions: { parsers: ["pdf"] } });
    expect(status).toMatchObject({ status: "completed", total: 1, completed: 0 });
    expect(status.warning).toContain("No page could be read: The file is a PNG image");
    expect(errors).toMatchObject([{ code: "SCRAPE_UNSUPPORTED_FILE_ERROR" }]);
  });

  it("lists a site that does not answer as an error, not as forbidden by its robots.txt", async () => {
    const { status, errors, robotsBlocked } = await crawl("http://nowhere.invalid/");
    expect(status).toMatchObject({ status: "completed", completed: 0, creditsUsed: 0 });
    expect(status.warning).toMatch(/^No page could be read: .*nowhere\.invalid could not be resolved/);
    expect(errors).toMatchObject([{ url: "http://nowhere.invalid/", code: "SCRAPE_DNS_RESOLUTION_ERROR" }]);
    expect(robotsBlocked).toEqual([]);
  });
});
