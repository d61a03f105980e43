// The contract of scrapes beside their content: what is known about every kind of page, what is kept, who waits, and how a
// page of a job is read again.
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { newId } from "../../src/base/index.ts";
import { createTestClock, otherKey, startApp, type TestApp } from "../support/app.ts";
import { lacksChromium, quickBrowser } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import { inTime } from "../support/in-time.ts";
import { answerText, openSite, page, pagesFor, runJob } from "../support/jobs.ts";
import { useApp } from "../support/shared-app.ts";

const env = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };

describe.each([anyEngine])("the contract of scrapes on $name", (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await useApp(engine);
  });
  afterAll(() => app.stop());

  const scrape = (body: object, on = app) => on.call("POST", "/v2/scrape", { body });

  describe("what is known about a page", () => {
    const kinds: [string, number, string, string | Buffer, object, object][] = [
      ["a web page", 200, "text/html", "<title>Nets</title><h1>Nets</h1>", {}, { title: "Nets" }],
      ["a missing page", 404, "text/html", "<title>Gone</title><h1>Gone</h1>", {}, { title: "Gone", language: "en" }],
      ["an empty failure", 503, "text/html", "", {}, {}],
      ["JSON", 200, "application/json", '{"nets":[1,2]}', {}, {}],
      ["plain text", 200, "text/plain", "Nets\nand knots", {}, { language: "en" }],
      ["a PDF that nobody reads", 200, "application/pdf", "%PDF-1.4\n%%EOF", { parsers: [] }, {}],
      ["bytes", 200, "image/png", Buffer.from([0x89, 0x50, 0x4e, 0x47]), { formats: ["rawBase64"] }, {}],
    ];

    it.each(kinds)("of %s is complete", async (_kind, status, type, content, options, own) => {
      const site = await openSite({
        "/": (_request, response) => response.writeHead(status, { "content-type": type }).end(content),
      });
      const { status: answered, body } = await scrape({ url: site.url, ...options });
      expect(answered).toBe(200);
      const { quality: _, ...metadata } = body.data.metadata;
      expect(metadata).toEqual({
        title: "",
        description: "",
        ...own,
        sourceURL: `${site.url}/`,
        url: `${site.url}/`,
        statusCode: status,
        pageState: status === 404 ? "not_found" : status < 400 ? "content" : "host_error",
        ...(status < 400 ? {} : { error: `The page's server answered ${status}.` }),
        contentType: type,
        scrapeId: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-/),
        proxyUsed: "basic",
        cacheState: "miss",
        creditsUsed: 1,
        concurrencyLimited: false,
      });
    });

    it("is never what the page says in our names", async () => {
      const names = [
        "scrapeId",
        "cachedAt",
        "error",
        "statusCode",
        "creditsUsed",
        "concurrencyQueueDurationMs",
        "pageState",
      ];
      const tags = names.map((name) => `<meta name="${name}" content="forged">`).join("");
      const site = await openSite({ "/": `<title>T</title>${tags}<h1>T</h1>` });
      const { body } = await scrape({ url: site.url });
      expect(JSON.stringify(body.data)).not.toContain("forged");
      expect(Object.keys(body.data.metadata)).not.toContain("cachedAt");
    });
  });

  it.each([
    ["good", "/", {}],
    ["empty", "/empty", {}],
    ["partly unavailable", "/", { formats: ["markdown", "product"], headers: { Host: "elsewhere.example" } }],
  ])("answers a %s page again as it did, with its warnings", async (_kind, path, options) => {
    const site = await openSite({ "/": page("Nets"), "/empty": "" });
    const { status, body } = await scrape({ url: site.url + path, ...options });
    expect([status, body.warning !== undefined]).toEqual([200, path === "/empty" || "formats" in options]);
    expect((await app.get(`/v2/scrape/${body.data.metadata.scrapeId}`)).body).toEqual(body);
  });

  describe("a fragment", () => {
    const route = `<title>Routes</title><div id="app"></div><script>
      document.getElementById("app").innerHTML = "<h1>Route " + location.hash.slice(2) + "</h1><p>Shown by a script.</p>";
    </script>`;
    const askedFor = async (url: string, on = app) => {
      const { markdown, metadata } = (await scrape({ url }, on)).body.data;
      return { markdown, cacheState: metadata.cacheState, url: metadata.url, sourceURL: metadata.sourceURL };
    };

    it("is a place on the page: its copy serves any other", async () => {
      const site = await openSite(pagesFor(["/a"]));
      const url = `${site.url}/a`;
      expect(await askedFor(`${url}#one`)).toMatchObject({ cacheState: "miss", url, sourceURL: `${url}#one` });
      expect(await askedFor(`${url}#two`)).toMatchObject({ cacheState: "hit", url, sourceURL: `${url}#two` });
    });

    it.each(["#/", "#!/"])("with a path behind %s may be another page to the page's scripts", async (start) => {
      const site = await openSite(pagesFor(["/a"]));
      const url = `${site.url}/a${start}`;
      expect(await askedFor(`${url}one`)).toMatchObject({ cacheState: "miss", url: `${url}one` });
      expect(await askedFor(`${url}two`)).toMatchObject({ cacheState: "miss", url: `${url}two` });
      expect(await askedFor(`${url}two`)).toMatchObject({ cacheState: "hit", url: `${url}two` });
    });

    it.skipIf(lacksChromium)("by which scripts choose what to show is rendered, each for itself", async () => {
      const site = await openSite({ "/": route });
      const rendering = await startApp(engine, { ...env, ...quickBrowser });
      onTestFinished(() => rendering.stop());
      for (const name of ["one", "two"]) {
        const { markdown } = await askedFor(`${site.url}/#/${name}`, rendering);
        expect(markdown).toContain(`Route ${name}`);
      }
    });
  });

  it("says how long a page that was stored waited for its turn", async () => {
    const held: ServerResponse[] = [];
    const site = await openSite({
      "/stored": page("Stored"),
      "/held": (_request, response) => void held.push(response),
    });
    const single = await startApp(engine, { ...env, TEAM_CONCURRENCY: "1" });
    onTestFinished(() => single.stop());
    await scrape({ url: `${site.url}/stored` }, single);
    const holding = scrape({ url: `${site.url}/held` }, single);
    await expect.poll(() => held.length).toBe(1);
    // Other outputs of a stored page are made again, and that takes a slot.
    const waiting = scrape({ url: `${site.url}/stored`, formats: ["links"] }, single);
    const queue = async () => (await single.get("/v2/team/queue-status")).body.waitingJobsInQueue;
    await expect.poll(queue).toBe(1);
    held.pop()?.end("<h1>Held</h1>");
    const { body } = await waiting;
    expect(body.data.metadata).toMatchObject({
      cacheState: "hit",
      concurrencyLimited: true,
      concurrencyQueueDurationMs: expect.any(Number),
    });
    expect((await holding).body.data.metadata.concurrencyLimited).toBe(false);
    const served = await scrape({ url: `${site.url}/stored`, formats: ["links"] }, single);
    expect(served.body.data.metadata).toMatchObject({ cacheState: "hit", concurrencyLimited: false });
    expect(served.body.data.metadata.concurrencyQueueDurationMs).toBeUndefined();
  });

  describe("with RESPECT_ROBOTS=all", () => {
    const strict = async () => {
      const own = await startApp(engine, { ...env, RESPECT_ROBOTS: "all" });
      onTestFinished(() => own.stop());
      return own;
    };

    it.each([
      ["lockdown", { lockdown: true }, "SCRAPE_LOCKDOWN_CACHE_MISS"],
      ["minAge", { minAge: 1 }, "SCRAPE_NO_CACHED_DATA"],
    ])("%s asks the site for nothing, not even for its robots.txt", async (_name, options, code) => {
      const site = await openSite(pagesFor(["/"]));
      const { status, body } = await scrape({ url: site.url, ...options }, await strict());
      expect([status, body.code, site.asked]).toEqual([404, code, []]);
    });

    it("waiting for a robots.txt counts against timeout", async () => {
      const site = await openSite({ "/": page("Nets"), "/robots.txt": () => {} });
      const own = await strict();
      // Its own limit is ten seconds.
      const { status, body } = await inTime(5 * 1500, () => scrape({ url: site.url, timeout: 1500 }, own));
      expect([status, body.code]).toEqual([408, "SCRAPE_TIMEOUT"]);
      expect(site.asked).not.toContain("/");
    });
  });

  it("stores the page of a scrape once, and its document from the second request on", async () => {
    const site = await openSite({ "/page": page("Stored") });
    const own = await startApp(engine, env);
    onTestFinished(() => own.stop());
    const blobs = async () => (await own.fresh.listRows()).filter((row) => row.startsWith("blobs ")).length;
    const ask = async () => (await scrape({ url: `${site.url}/page`, maxAge: 60_000 }, own)).body.data;
    const counts = [await blobs()];
    const answers = [];
    for (let request = 0; request < 4; request += 1) {
      answers.push(await ask());
      counts.push(await blobs());
    }
    expect(counts).toEqual([0, 1, 2, 2, 2]);
    expect(answers.map(({ metadata }) => metadata.cacheState)).toEqual(["miss", "hit", "hit", "hit"]);
    expect(new Set(answers.map(({ markdown }) => markdown)).size).toBe(1);
    for (const { metadata, markdown } of answers) {
      expect((await own.get(`/v2/scrape/${metadata.scrapeId}`)).body.data).toMatchObject({ markdown, metadata });
    }
  });

  it("zeroDataRetention leaves nothing in the database but the bill and a nameless activity", async () => {
    const mark = `secret${newId().replaceAll("-", "")}`;
    const html = `<title>${mark}</title><main><h1>${mark}</h1><a href="/${mark}">${mark}</a></main>`;
    const site = await openSite({
      "/page": html,
      "/loop": (_request, response) => response.writeHead(302, { location: "/loop" }).end(),
      "/known": page("Known"),
    });
    const own = await startApp(engine, env);
    onTestFinished(() => own.stop());
    const ask = (path: string, options: object = {}) =>
      scrape({ url: `${site.url}${path}?${mark}`, zeroDataRetention: true, trace: true, ...options }, own);
    const before = new Set(await own.fresh.listRows());
    const formats = ["markdown", "links", { type: "changeTracking", modes: ["git-diff"] }, { type: "json" }];
    const answers = [await ask("/page", { formats }), await ask("/page", { maxAge: 0 }), await ask("/loop")];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 500]);
    const added = (await own.fresh.listRows()).filter((row) => !before.has(row));
    const tables = new Set(added.map((row) => row.slice(0, row.indexOf(" "))));
    // How many active pages a team has, where several processes share its limit.
    tables.delete("team_slots");
    // When the key was used last, which is written once in a while.
    tables.delete("api_keys");
    // And at a host: these rows go as soon as no process asks it any more.
    for (const table of ["host_slots", "host_paces"]) tables.delete(table);
    expect([...tables].toSorted()).toEqual(["activity", "credit_ledger", "usage_hours", "usage_months"]);
    // What goes to the search index goes there in order: when this page is in it, the others would be.
    await scrape({ url: `${site.url}/known` }, own);
    const rows = () => own.fresh.listRows();
    await expect.poll(async () => (await rows()).some((row) => /^search_pages .*\/known/.test(row))).toBe(true);
    expect((await rows()).filter((row) => row.includes(mark) || row.includes("/page"))).toEqual([]);
    expect(own.logLines.filter((line) => line.includes(mark))).toEqual([]);
  });

  describe("a v1 request is told the v1 name of a field that is refused when it is used", () => {
    const bad = { type: "strange" };
    const refused: [string, object, (string | number)[]][] = [
      ["jsonOptions", { formats: ["json"], jsonOptions: { schema: bad } }, ["jsonOptions", "schema"]],
      ["extract", { formats: ["markdown", "extract"], extract: { schema: bad } }, ["extract", "schema"]],
      [
        "changeTrackingOptions",
        {
          formats: ["extract", "json", "markdown", "changeTracking"],
          extract: { prompt: "names" },
          changeTrackingOptions: { schema: bad },
        },
        ["changeTrackingOptions", "schema"],
      ],
      [
        "what changeTracking lacks",
        { formats: ["markdown", "changeTracking"], changeTrackingOptions: { modes: ["json"] } },
        ["changeTrackingOptions", "schema"],
      ],
      ["a selector", { includeTags: ["a["] }, ["includeTags", 0]],
    ];

    it.each(refused)("%s", async (_name, options, path) => {
      const url = "http://127.0.0.1/";
      const post = async (at: string, body: object) => {
        const { status, body: answer } = await app.call("POST", at, { body });
        return [status, answer.code, answer.details?.[0].path];
      };
      expect(await post("/v1/scrape", { url, ...options })).toEqual([400, "BAD_REQUEST", path]);
      expect(await post("/v1/batch/scrape", { urls: [url], ...options })).toEqual([400, "BAD_REQUEST", path]);
      const inside = [400, "BAD_REQUEST", ["scrapeOptions", ...path]];
      expect(await post("/v1/crawl", { url, scrapeOptions: options })).toEqual(inside);
      expect(await post("/v1/search", { query: "nets", scrapeOptions: { formats: ["markdown"], ...options } })).toEqual(
        inside,
      );
    });
  });

  describe("a page of a job", () => {
    const clock = createTestClock("2026-11-15T12:00:00Z");
    let timed: TestApp;
    beforeAll(async () => {
      timed = await startApp(engine, env, clock);
    });
    afterAll(() => timed.stop());
    const read = (id: string, call: object = {}) => timed.get(`/v2/scrape/${id}`, call);

    it.each([
      ["a crawl", "/v2/crawl", (url: string) => ({ url, sitemap: "skip" })],
      ["a batch", "/v2/batch/scrape", (url: string) => ({ urls: [`${url}/`, `${url}/a`] })],
    ])("of %s is read again by the id in its metadata, as long as the job", async (_kind, path, bodyOf) => {
      const site = await openSite({ "/": page("Start", ["/a"]), "/a": page("A"), "/robots.txt": answerText("") });
      const { data } = await runJob(timed, path, bodyOf(site.url));
      expect(data).toHaveLength(2);
      for (const document of data) {
        const { scrapeId } = document.metadata;
        expect((await read(scrapeId)).body).toEqual({ success: true, data: document });
        expect((await timed.get(`/v1/scrape/${scrapeId}`)).body.data).toEqual(document);
        const foreign = await read(scrapeId, { key: otherKey });
        expect([foreign.status, foreign.body.error]).toEqual([404, "Job not found"]);
      }
      clock.advance(24 * 3_600_000);
      expect((await read(data[0].metadata.scrapeId)).status).toBe(404);
    });

    it("tells its steps where the job asks for a trace, and so does the job", async () => {
      const site = await openSite(pagesFor(["/a", "/b"]));
      const urls = ["/a", "/b"].map((path) => site.url + path);
      const { id, data } = await runJob(timed, "/v2/batch/scrape", { urls, maxAge: 0, trace: true });
      const stepsOf = ({ trace }: { trace: { step: string }[] }) => trace.map(({ step }) => step);
      for (const document of data) {
        expect(stepsOf(document)).toEqual(["choose", "fetch", "content"]);
        const own = await timed.get(`/v2/jobs/${document.metadata.scrapeId}/trace`);
        expect(own.body).toEqual({ success: true, trace: document.trace });
      }
      const whole = await timed.get(`/v2/jobs/${id}/trace`);
      expect(whole.body).toEqual({ success: true, trace: data.flatMap(({ trace }) => trace) });
      const { id: silent, data: plain } = await runJob(timed, "/v2/batch/scrape", { urls });
      expect(plain[0].trace).toBeUndefined();
      for (const untold of [silent, plain[0].metadata.scrapeId]) {
        const { status, body } = await timed.get(`/v2/jobs/${untold}/trace`);
        expect([status, body.error]).toEqual([404, "This job was not started with trace."]);
      }
    });

    it("that keeps nothing is not read again", async () => {
      const site = await openSite(pagesFor(["/"]));
      const body = { urls: [site.url], zeroDataRetention: true };
      const { data } = await runJob(timed, "/v2/batch/scrape", body);
      expect((await read(data[0].metadata.scrapeId)).status).toBe(404);
    });

    it("of an extract is not read again", async () => {
      const site = await openSite(pagesFor(["/"]));
      const schema = { type: "object", properties: { title: { type: "string" } } };
      const { body } = await timed.call("POST", "/v2/extract", { body: { urls: [site.url], schema } });
      await expect.poll(async () => (await timed.get(`/v2/extract/${body.id}`)).body.status).toBe("completed");
      const pages = (await timed.fresh.listRows()).filter((row) => row.startsWith("job_results "));
      const ids = pages
        .map((row) => JSON.parse(row.slice("job_results ".length)))
        .filter((row) => (row.jobId ?? row.job_id) === body.id);
      expect(ids.length).toBeGreaterThan(0);
      for (const row of ids) expect((await read(row.pageId ?? row.page_id)).status).toBe(404);
    });
  });
});
