// Extract through the API, on both engines: every rule of the specification's section 4.2, and the job behind it.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { newId } from "../../src/base/index.ts";
import { otherKey, startApp, type TestApp } from "../support/app.ts";
import { bystanders, onOneEngine } from "../support/engines.ts";
import {
  emptyPage,
  productPage,
  productSchema,
  runAgent,
  runExtract,
  skuPage,
  startSearchService,
  untilOver,
} from "../support/extract.ts";
import type { FixtureSite } from "../support/fixture-site.ts";
import { answerText, openSite, pagesFor, redirectTo, sitemapOf } from "../support/jobs.ts";

const uuid = /^[0-9a-f-]{36}$/;

describe.each(bystanders)("extract on $name", (engine) => {
  const { describeOnce } = onOneEngine(engine);
  let app: TestApp;
  let service: FixtureSite;
  /** What the search service finds. */
  let results: string[] = [];
  beforeAll(async () => {
    service = await startSearchService(() => results.map((url) => ({ url, title: "Found", content: "Found" })));
    app = await startApp(engine, {
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1,shop.localhost,blog.shop.localhost",
      SEARXNG_ENDPOINT: service.url,
      EXTRACT_MAX_PAGES: "10",
      EXTRACT_MAX_URLS: "12",
    });
  });
  afterAll(async () => {
    await app.stop();
    await service.close();
  });

  const shopPages = {
    "/lamp": productPage({ name: "Desk lamp", sku: "L-1" }),
    "/chair": productPage({ name: "Chair", sku: "C-2" }),
    "/bare": emptyPage(),
  };
  const openShop = () => openSite(shopPages);
  const start = (body: object, path = "/v2/extract") => app.call("POST", path, { body });
  /** Paths of pages that were read, without robots.txt and the like. */
  const pagesAsked = (site: FixtureSite) =>
    [...new Set(site.asked)].filter((path) => !/robots|sitemap|favicon/.test(path)).toSorted();

  describe("what is answered", () => {
    it("success, an id and invalidURLs; then status, data, expiresAt, creditsUsed and tokensUsed", async () => {
      const site = await openShop();
      const { started, ended } = await runExtract(app, { urls: [`${site.url}/lamp`], schema: productSchema });
      expect(started).toEqual({ success: true, id: expect.stringMatching(uuid), invalidURLs: [] });
      expect(ended).toEqual({
        success: true,
        status: "completed",
        data: { name: "Desk lamp", sku: "L-1" },
        expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        creditsUsed: 1,
        tokensUsed: 15,
      });
    });

    it("is processing while pages are read", async () => {
      let release = () => {};
      const site = await openSite({
        "/slow": (_request, response) => {
          release = () => void response.writeHead(200, { "content-type": "text/html" }).end(shopPages["/lamp"]);
        },
      });
      const { body } = await start({ urls: [`${site.url}/slow`], schema: productSchema });
      await expect.poll(() => site.asked).toContain("/slow");
      expect((await app.get(`/v2/extract/${body.id}`)).body).toMatchObject({
        success: true,
        status: "processing",
        data: [],
      });
      release();
      expect(await untilOver(app, `/v2/extract/${body.id}`)).toMatchObject({ status: "completed" });
    });

    it("names what was not found and never makes it up", async () => {
      const site = await openShop();
      const schema = {
        type: "object",
        properties: { name: { type: "string" }, gtin: { type: "string" }, weight: { type: ["number", "null"] } },
        required: ["name", "gtin"],
      };
      const { ended } = await runExtract(app, { urls: [`${site.url}/lamp`], schema });
      expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp", weight: null } });
      expect(ended.data).not.toHaveProperty("gtin");
      expect(ended.warning).toContain("gtin");
    });

    it("is a failure with the reason, success false and no charge, when no page can be read", async () => {
      const site = await openSite({ "/loop": redirectTo("/loop") });
      const { id, ended } = await runExtract(app, { urls: [`${site.url}/loop`], schema: productSchema });
      expect(ended).toMatchObject({ success: false, status: "failed", creditsUsed: 0, data: [] });
      expect(ended.error).toMatch(/^No page could be read: .*redirects/);
      const { body } = await app.get("/v2/team/activity?endpoint=extract&limit=1");
      expect(body.data).toMatchObject([{ id, endpoint: "extract", target: `${site.url}/loop` }]);
    });

    it("tells of a page that its server refused, and uses the others", async () => {
      const site = await openShop();
      const urls = [`${site.url}/gone`, `${site.url}/lamp`];
      const { ended } = await runExtract(app, { urls, schema: productSchema });
      expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp" }, creditsUsed: 2 });
      expect(ended.warning).toContain(`${site.url}/gone answered 404`);
    });

    it("under v1 as under v2, whose id is readable at both", async () => {
      const site = await openShop();
      const { status, body } = await start({ urls: [`${site.url}/lamp`], schema: productSchema }, "/v1/extract");
      expect([status, body]).toEqual([200, { success: true, id: expect.stringMatching(uuid) }]);
      for (const version of ["v1", "v2"]) {
        const ended = await untilOver(app, `/${version}/extract/${body.id}`);
        expect(ended).toMatchObject({ success: true, status: "completed", data: { name: "Desk lamp" } });
      }
    });
  });

  describeOnce("invalid addresses", () => {
    const bad = ["bad::url", "http://10.0.0.1/private"];

    it("rule 1: are left out and returned when they are ignored and some are bad", async () => {
      const site = await openShop();
      const urls = [bad[0], `${site.url}/lamp`, bad[1]];
      const { started, ended } = await runExtract(app, { urls, schema: productSchema, ignoreInvalidURLs: true });
      expect(started.invalidURLs).toEqual(bad);
      expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp" }, creditsUsed: 1 });
    });

    it("rule 2: are an empty list when none is bad; to ignore them is the default", async () => {
      const site = await openShop();
      for (const flag of [{}, { ignoreInvalidURLs: true }]) {
        const { body } = await start({ urls: [`${site.url}/lamp`], schema: productSchema, ...flag });
        expect(body.invalidURLs).toEqual([]);
      }
    });

    it("rule 3: are not answered when they are not ignored, and a bad one fails the request", async () => {
      const site = await openShop();
      const urls = [`${site.url}/lamp`];
      const good = await start({ urls, schema: productSchema, ignoreInvalidURLs: false });
      expect(good.body).toEqual({ success: true, id: expect.stringMatching(uuid) });
      const invalid = await start({ urls: [...urls, bad[0]], ignoreInvalidURLs: false });
      expect([invalid.status, invalid.body.code]).toEqual([400, "BAD_REQUEST"]);
      expect(invalid.body.details).toMatchObject([{ path: ["urls", 1] }]);
      const refused = await start({ urls: [...urls, bad[1]], ignoreInvalidURLs: false });
      expect([refused.status, refused.body.code]).toEqual([403, "URL_NOT_ALLOWED"]);
      expect(refused.body.details).toMatchObject([{ path: ["urls", 1] }]);
    });

    it("fail the request when all are bad, when the list is empty and when there are too many", async () => {
      const all = await start({ urls: bad });
      expect([all.status, all.body.error]).toEqual([400, "No valid URLs provided"]);
      expect((await start({ prompt: "the name" })).status).toBe(400);
      expect((await start({ urls: [] })).status).toBe(400);
      const many = await start({ urls: Array.from({ length: 13 }, (_, index) => `https://example.com/${index}`) });
      expect([many.status, many.body.details]).toEqual([
        400,
        [{ code: "too_big", path: ["urls"], message: "Takes at most 12 URLs" }],
      ]);
    });
  });

  describeOnce("prompt and schema", () => {
    it("a prompt alone gives only what is on the page; nothing is an empty object and a warning", async () => {
      const site = await openShop();
      const { ended } = await runExtract(app, { urls: [`${site.url}/lamp`], prompt: "the name and the sku" });
      expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp", sku: "L-1" } });
      const none = await runExtract(app, { urls: [`${site.url}/bare`], prompt: "the name of the founder" });
      expect(none.ended).toMatchObject({ success: true, status: "completed", data: {} });
      expect(none.ended.warning).toEqual(expect.any(String));
    });

    it("neither gives the structured data of the pages, and says what would make it precise", async () => {
      const site = await openShop();
      const { started, ended } = await runExtract(app, { urls: [`${site.url}/lamp`] });
      expect(started.warning).toContain("Send a schema for a precise answer.");
      expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp", sku: "L-1" } });
      expect(ended.warning).toContain("Send a schema for a precise answer.");
    });

    it("both are taken, and systemPrompt is said to do nothing", async () => {
      const site = await openShop();
      const wanted = { prompt: "the product", schema: productSchema, systemPrompt: "be brief" };
      const { ended } = await runExtract(app, { urls: [`${site.url}/lamp`], ...wanted });
      expect(ended).toMatchObject({ data: { name: "Desk lamp" } });
      expect(ended.warning).toContain("systemPrompt has no effect");
    });

    it.each([
      ["a type that does not exist", { type: "thing" }, []],
      ["properties that are no schemas", { type: "object", properties: { a: 7 } }, []],
      ["a reference to elsewhere", { $ref: "https://example.com/schema.json" }, ["$ref"]],
      ["a reference to a file", { properties: { a: { $ref: "file:///etc/passwd" } } }, ["properties", "a", "$ref"]],
    ])("a schema with %s is 400 and names the field", async (_what, schema, path) => {
      const { status, body } = await start({ urls: ["https://example.com"], schema });
      expect([status, body.error, body.code]).toEqual([400, "Invalid JSON schema.", "BAD_REQUEST"]);
      expect(body.details).toMatchObject([{ code: "invalid_schema", message: expect.any(String) }]);
      expect(body.details[0].path.slice(0, 1 + path.length)).toEqual(["schema", ...path]);
    });

    it("a schema that is no object is 400", async () => {
      for (const schema of ["text", [], 7]) {
        const { status, body } = await start({ urls: ["https://example.com"], schema });
        expect([status, body.details[0].path]).toEqual([400, ["schema"]]);
      }
    });
  });

  describeOnce("several pages", () => {
    it("make one object; evidence and showSources say which page each field is from", async () => {
      const site = await openSite({
        "/name": productPage({ name: "Desk lamp" }),
        "/sku": skuPage("L-1"),
      });
      const urls = [`${site.url}/name`, `${site.url}/sku`];
      const { ended } = await runExtract(app, { urls, schema: productSchema, showSources: true, evidence: true });
      expect(ended).toMatchObject({ data: { name: "Desk lamp", sku: "L-1" }, creditsUsed: 2 });
      expect(ended.sources).toMatchObject({ name: [urls[0]], sku: [urls[1]] });
      for (const field of ["name", "sku"]) {
        expect(ended.evidence[field]).toEqual({
          url: ended.sources[field][0],
          method: field === "name" ? expect.any(String) : "definition-list",
          selector: expect.any(String),
          text: ended.data[field],
          confidence: expect.any(Number),
        });
      }
    });

    it("that are named twice, or lead to one another, are read and paid once", async () => {
      const site = await openSite({ ...shopPages, "/old": redirectTo("/lamp") });
      const urls = [`${site.url}/lamp`, `${site.url}/lamp#part`, `${site.url}/old`];
      const { ended } = await runExtract(app, { urls, schema: productSchema });
      expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp" }, creditsUsed: 1 });
    });

    it("beyond limit are not read, and a warning says so", async () => {
      const site = await openShop();
      const urls = [`${site.url}/lamp`, `${site.url}/chair`, `${site.url}/bare`];
      const { ended } = await runExtract(app, { urls, schema: productSchema, limit: 2 });
      expect(ended).toMatchObject({ status: "completed", creditsUsed: 2 });
      expect(ended.warning).toContain("Only the first 2 of 3 pages will be read.");
      expect(pagesAsked(site)).toEqual(["/chair", "/lamp"]);
    });

    it("after timeout are not read, and a warning says so", async () => {
      const site = await openSite({ ...shopPages, "/never": () => {} });
      const urls = [`${site.url}/lamp`, `${site.url}/never`];
      const { ended } = await runExtract(app, { urls, schema: productSchema, timeout: 4000 });
      expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp" }, creditsUsed: 1 });
      expect(ended.warning).toContain("The job's time ran out");
    });
  });

  describeOnce("patterns", () => {
    const home = (links: readonly string[]) => productPage({ name: "Start", links });

    it("/* stands for everything below, by links and sitemap; what robots.txt forbids is not read", async () => {
      const site = await openSite({
        "/robots.txt": answerText("User-agent: *\nDisallow: /shop/secret"),
        "/shop/": home(["/shop/lamp", "/shop/deep/chair", "/shop/secret", "/about"]),
        "/shop/lamp": shopPages["/lamp"],
        "/shop/deep/chair": shopPages["/chair"],
        "/shop/listed": productPage({ name: "Listed", sku: "X-9" }),
        "/shop/secret": productPage({ name: "Secret" }),
        "/about": "<title>About</title>",
        "/sitemap.xml": (request, response) =>
          sitemapOf(`http://${request.headers.host}/shop/listed`)(request, response),
      });
      const { ended } = await runExtract(app, { urls: [`${site.url}/shop/*`], schema: productSchema });
      expect(ended).toMatchObject({ status: "completed" });
      expect(pagesAsked(site)).toEqual(["/shop/", "/shop/deep/chair", "/shop/lamp", "/shop/listed"]);
      const skipped = await openSite({
        "/shop/": home(["/shop/lamp"]),
        "/shop/lamp": shopPages["/lamp"],
        "/sitemap.xml": (request, response) =>
          sitemapOf(`http://${request.headers.host}/shop/listed`)(request, response),
      });
      await runExtract(app, { urls: [`${skipped.url}/shop/*`], schema: productSchema, ignoreSitemap: true });
      expect(skipped.asked).not.toContain("/sitemap.xml");
      expect(pagesAsked(skipped)).toEqual(["/shop/", "/shop/lamp"]);
    });

    it("that find pages warn of nothing, though the page before the pattern is missing", async () => {
      const site = await openSite({
        "/shop/lamp": shopPages["/lamp"],
        "/sitemap.xml": (request, response) => sitemapOf(`http://${request.headers.host}/shop/lamp`)(request, response),
      });
      const { ended } = await runExtract(app, { urls: [`${site.url}/shop/*`], schema: productSchema });
      expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp" } });
      expect(ended).not.toHaveProperty("warning");
      const { ended: none } = await runExtract(app, { urls: [`${site.url}/none/*`], schema: productSchema });
      expect(none).toMatchObject({ status: "failed" });
      expect(none.warning).toBe(`The start page answered 404. No page matches ${site.url}/none/*.`);
    });

    it("* stands for one segment, ** for any depth", async () => {
      const links = ["/a/lamp/specs", "/a/b/lamp/specs", "/a/lamp/reviews"];
      const site = await openSite({ "/a/": home(links), ...pagesFor(links) });
      await runExtract(app, { urls: [`${site.url}/a/*/specs`], schema: productSchema });
      expect(pagesAsked(site)).toEqual(["/a/", "/a/lamp/specs"]);
      site.asked.length = 0;
      await runExtract(app, { urls: [`${site.url}/a/**/specs`], schema: productSchema, scrapeOptions: { maxAge: 0 } });
      expect(pagesAsked(site)).toEqual(["/a/", "/a/b/lamp/specs", "/a/lamp/specs"]);
    });

    it("that fit more than EXTRACT_MAX_PAGES are cut to the pages that fit best, with a warning", async () => {
      const links = Array.from({ length: 30 }, (_, index) => `/item-${index}`);
      const site = await openSite({
        "/": home([...links, "/warranty-terms"]),
        ...pagesFor([...links, "/warranty-terms"]),
      });
      const { ended } = await runExtract(app, { urls: [`${site.url}/*`], prompt: "the warranty terms" });
      expect(ended.creditsUsed).toBe(10);
      expect(ended.warning).toMatch(/32 pages match .*; the 10 most relevant ones were read\./);
      expect(pagesAsked(site)).toContain("/warranty-terms");
    });

    it("that fit nothing fail the job with the reason", async () => {
      const site = await openSite({ "/": home([]) });
      const { ended } = await runExtract(app, { urls: [`${site.url}/none/*`], schema: productSchema });
      expect(ended).toMatchObject({ success: false, status: "failed", creditsUsed: 0 });
      expect(ended.warning).toContain(`No page matches ${site.url}/none/*.`);
    });

    it("reach subdomains unless includeSubdomains is false", async () => {
      const pages = {
        "shop.localhost/": "",
        "shop.localhost/lamp": shopPages["/lamp"],
        "blog.shop.localhost/news": productPage({ name: "News" }),
      };
      const site = await openSite({
        ...pages,
        "shop.localhost/": (request, response) =>
          answerText(home(["/lamp", `http://blog.shop.localhost:${site.port}/news`]), "text/html")(request, response),
      });
      const urls = [`http://shop.localhost:${site.port}/*`];
      await runExtract(app, { urls, schema: productSchema, includeSubdomains: false });
      expect(site.askedAt).not.toContain("blog.shop.localhost/news");
      await runExtract(app, { urls, schema: productSchema });
      expect(site.askedAt).toContain("blog.shop.localhost/news");
    });
  });

  describeOnce("beyond the given pages", () => {
    it("enableWebSearch searches the web, and what is found joins the sources", async () => {
      const site = await openShop();
      const other = await openSite({
        "/": productPage({ name: "Other", links: ["/more-about-the-sku"] }),
        "/found": skuPage("W-7"),
      });
      results = [`${other.url}/found`];
      service.asked.length = 0;
      // Answers of a search are kept for a minute: these words are new.
      const prompt = `the product ${newId()}`;
      const body = { urls: [`${site.url}/bare`], prompt, schema: productSchema, showSources: true };
      await runExtract(app, body);
      expect(service.asked).toEqual([]);
      const { ended } = await runExtract(app, { ...body, enableWebSearch: true });
      expect(service.asked.length).toBeGreaterThan(0);
      expect(ended).toMatchObject({ status: "completed", data: { sku: "W-7" } });
      expect(ended.sources.sku).toEqual([`${other.url}/found`]);
    });

    it("enableWebSearch adds to what the given pages say, and replaces nothing of it", async () => {
      const site = await openSite({ "/bare": "<title>Oar</title><main><h1>Oar</h1><p>An oar.</p></main>" });
      const other = await openSite({ "/found": productPage({ name: "Chair", sku: "C-9" }) });
      results = [`${other.url}/found`];
      const body = { urls: [`${site.url}/bare`], prompt: "the oar", schema: productSchema, enableWebSearch: true };
      const { ended } = await runExtract(app, body);
      expect(ended).toMatchObject({ status: "completed", data: { name: "Oar", sku: "C-9" } });
    });

    it("a web search that fails leaves the given pages, with a warning", async () => {
      const alone = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", OWN_INDEX: "0" });
      onTestFinished(() => alone.stop());
      const site = await openShop();
      const body = { urls: [`${site.url}/lamp`], schema: productSchema, enableWebSearch: true };
      const { ended } = await runExtract(alone, body);
      expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp" } });
      expect(ended.warning).toContain("No search source is available.");
    });

    it("obey robots.txt by name, too, where the operator wants it; a site that cannot be reached is called that", async () => {
      const strict = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", RESPECT_ROBOTS: "all" });
      onTestFinished(() => strict.stop());
      const site = await openSite({
        "/robots.txt": answerText("User-agent: *\nDisallow: /lamp"),
        "/door": redirectTo("/lamp"),
        "/gone": redirectTo("http://no-such-host.invalid/"),
        ...shopPages,
      });
      for (const path of ["/lamp", "/door"]) {
        const { ended } = await runExtract(strict, { urls: [site.url + path], schema: productSchema });
        expect(ended).toMatchObject({ status: "failed", error: expect.stringContaining("robots.txt") });
      }
      const asked = { urls: [`${site.url}/door`], prompt: "its name", schema: productSchema };
      await runAgent(strict, { ...asked, strictConstrainToURLs: true });
      expect(site.asked).not.toContain("/lamp");
      const urls = ["http://no-such-host.invalid/"];
      for (const url of [...urls, `${site.url}/gone`]) {
        const { ended } = await runExtract(strict, { urls: [url], schema: productSchema });
        expect(ended.error).toContain("could not be resolved");
      }
      const { id } = await runAgent(strict, { urls, prompt: "its name", schema: productSchema });
      const { events } = (await strict.get(`/v2/agent/${id}/trace`)).body;
      expect(JSON.stringify(events)).toContain("SCRAPE_DNS_RESOLUTION_ERROR");
      expect(JSON.stringify(events)).not.toContain("ROBOTS_BLOCKED");
    });

    it("allowExternalLinks reads linked pages of other sites, which their robots.txt may forbid", async () => {
      const other = await openSite({
        "/robots.txt": answerText("User-agent: *\nDisallow: /secret"),
        "/sku-of-the-lamp": skuPage("L-1"),
        "/secret": productPage({ name: "Secret" }),
      });
      const elsewhere = other.url.replace("127.0.0.1", "shop.localhost");
      const site = await openSite({
        "/lamp": productPage({ name: "Desk lamp", links: [`${elsewhere}/sku-of-the-lamp`, `${elsewhere}/secret`] }),
      });
      const body = { urls: [`${site.url}/lamp`], schema: productSchema };
      await runExtract(app, body);
      expect(pagesAsked(other)).toEqual([]);
      const { ended } = await runExtract(app, { ...body, allowExternalLinks: true });
      expect(ended).toMatchObject({ data: { name: "Desk lamp", sku: "L-1" }, creditsUsed: 2 });
      expect(pagesAsked(other)).toEqual(["/sku-of-the-lamp"]);
    });
  });

  describe("the job", () => {
    it("reads pages by scrapeOptions; headers go to the named sites only and are kept sealed", async () => {
      const site = await openShop();
      const sent: unknown[] = [];
      const found = await openSite((path) => (request, response) => {
        sent.push(request.headers["x-mine"]);
        const body = path === "/found" ? productPage({ name: "Found" }) : emptyPage(["/found"]);
        response.writeHead(/robots|sitemap/.test(path) ? 404 : 200, { "content-type": "text/html" }).end(body);
      });
      results = [`${found.url}/found`.replace("127.0.0.1", "shop.localhost")];
      const scrapeOptions = { headers: { "x-mine": "a secret" }, maxAge: 0 };
      await runExtract(app, {
        urls: [`${site.url}/lamp`],
        prompt: `a lamp that is found ${newId()}`,
        schema: productSchema,
        scrapeOptions,
        enableWebSearch: true,
      });
      expect(site.headers()["x-mine"]).toBe("a secret");
      expect(found.asked).toContain("/found");
      expect(sent.filter((header) => header !== undefined)).toEqual([]);
      const refused = await start({ urls: [`${site.url}/lamp`], scrapeOptions: { onlyCleanContent: true } });
      expect([refused.status, refused.body.code]).toEqual([501, "MODEL_NOT_CONFIGURED"]);
    });

    it("uses the credentials of an address for that page alone and shows them nowhere", async () => {
      const site = await openShop();
      const urls = [`${site.url.replace("//", "//me:word@")}/lamp`];
      const { ended } = await runExtract(app, { urls, schema: productSchema, showSources: true });
      expect(site.headers().authorization).toBe(`Basic ${Buffer.from("me:word").toString("base64")}`);
      expect(ended.sources.name).toEqual([`${site.url}/lamp`]);
    });

    it("uses the credentials of a pattern for the pages that it stands for", async () => {
      const expected = `Basic ${Buffer.from("me:word").toString("base64")}`;
      const site = await openSite((path) => (request, response) => {
        const isKnown = request.headers.authorization === expected;
        const page = path === "/shop/" ? emptyPage(["/shop/lamp"]) : shopPages["/lamp"];
        response.writeHead(isKnown ? 200 : 401, { "content-type": "text/html" }).end(isKnown ? page : "");
      });
      const urls = [`${site.url.replace("//", "//me:word@")}/shop/*`];
      const { ended } = await runExtract(app, { urls, schema: productSchema, ignoreSitemap: true });
      expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp" } });
    });

    it("belongs to its team: another gets the 404 of an unknown id, as for a crawl's id", async () => {
      const site = await openShop();
      const { id } = await runExtract(app, { urls: [`${site.url}/lamp`], schema: productSchema });
      const theirs = await app.get(`/v2/extract/${id}`, { key: otherKey });
      expect([theirs.status, theirs.body.error]).toEqual([404, "Extract job not found"]);
      const unknown = await app.get("/v2/extract/0198f1c9-0000-7000-8000-000000000006");
      expect(unknown.body).toEqual(theirs.body);
      const crawl = await app.call("POST", "/v2/crawl", { body: { url: site.url } });
      expect((await app.get(`/v2/extract/${crawl.body.id}`)).status).toBe(404);
      for (const [method, path] of [
        ["GET", `/v2/crawl/${id}`],
        ["GET", `/v2/batch/scrape/${id}/errors`],
        ["DELETE", `/v2/crawl/${id}`],
        ["GET", `/v2/agent/${id}`],
        ["DELETE", `/v2/agent/${id}`],
      ] as const) {
        expect((await app.call(method, path)).status).toBe(404);
      }
    });

    it("is listed in the activity with its first address, and charged by page", async () => {
      const site = await openShop();
      const urls = [`${site.url}/lamp`, `${site.url}/chair`];
      const { id } = await runExtract(app, { urls, schema: productSchema });
      const { body } = await app.get("/v2/team/activity?endpoint=extract&limit=1");
      expect(body.data).toMatchObject([{ id, endpoint: "extract", api_version: "v2", target: urls[0] }]);
    });

    it("with trace answers its steps", async () => {
      const site = await openShop();
      const home = await openSite({ "/": productPage({ name: "Start", links: ["/lamp"] }), ...shopPages });
      const { ended } = await runExtract(app, { urls: [`${home.url}/*`], schema: productSchema, trace: true });
      const names = ended.trace.map(({ step }: { step: string }) => step);
      expect(names).toEqual(expect.arrayContaining(["map", "fetch", "content"]));
      const one = await runExtract(app, { urls: [`${site.url}/lamp`], schema: productSchema, trace: true });
      expect(one.ended.trace).toMatchObject([
        { step: "cache", url: `${site.url}/lamp`, ms: expect.any(Number), outcome: expect.any(String) },
        { step: "choose", outcome: "http" },
        { step: "fetch", outcome: "200" },
        { step: "content", outcome: "read" },
      ]);
      const { body } = await app.get(`/v2/jobs/${one.id}/trace`);
      expect(body).toEqual({ success: true, trace: one.ended.trace });
      expect((await app.get(`/v2/jobs/${one.id}/trace`, { key: otherKey })).status).toBe(404);
      const silent = await runExtract(app, { urls: [`${site.url}/lamp`], schema: productSchema });
      expect(silent.ended).not.toHaveProperty("trace");
      expect((await app.get(`/v2/jobs/${silent.id}/trace`)).status).toBe(404);
    });

    it("needs credits for its start (402), and reads no more pages than are paid for", async () => {
      const site = await openShop();
      const poor = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", CREDITS_PER_MONTH: "21" });
      onTestFinished(() => poor.stop());
      const body = { urls: [`${site.url}/lamp`, `${site.url}/chair`], schema: productSchema };
      const { ended } = await runExtract(poor, body);
      expect(ended).toMatchObject({ status: "completed", creditsUsed: 2 });
      const second = await poor.call("POST", "/v2/extract", { body });
      expect([second.status, second.body.code]).toEqual([402, "INSUFFICIENT_CREDITS"]);
    });

    it("tells its webhook of the start and of the end, with the data", async () => {
      const site = await openShop();
      // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
      const received: any[] = [];
      const receiver = await openSite({
        "/hook": async (request, response) => {
          const chunks: Buffer[] = [];
          for await (const chunk of request) chunks.push(chunk as Buffer);
          received.push(JSON.parse(Buffer.concat(chunks).toString()));
          response.writeHead(204).end();
        },
      });
      const webhook = { url: `${receiver.url}/hook`, metadata: { run: "7" } };
      const urls = [`${site.url}/lamp`];
      const { id } = await runExtract(app, { urls, schema: productSchema, showSources: true, webhook });
      await expect.poll(() => received.length).toBe(2);
      expect(received).toMatchObject([
        { type: "extract.started", id, success: true, data: [], metadata: { run: "7" } },
        {
          type: "extract.completed",
          id,
          success: true,
          data: [
            {
              success: true,
              data: { name: "Desk lamp", sku: "L-1" },
              extractId: id,
              totalUrlsScraped: 1,
              sources: { name: urls, sku: urls },
            },
          ],
        },
      ]);
      received.length = 0;
      const broken = await openSite({ "/loop": redirectTo("/loop") });
      const failure = { url: webhook.url, events: ["failed"] };
      await runExtract(app, { urls: [`${broken.url}/loop`], schema: productSchema, webhook: failure });
      await expect.poll(() => received.length).toBe(1);
      expect(received).toMatchObject([{ type: "extract.failed", success: false, data: [], error: expect.any(String) }]);
    });

    it("takes an idempotency key once", async () => {
      const site = await openShop();
      const call = { body: { urls: [`${site.url}/lamp`] }, headers: { "x-idempotency-key": newId() } };
      expect((await app.call("POST", "/v2/extract", call)).status).toBe(200);
      expect((await app.call("POST", "/v2/extract", call)).status).toBe(409);
    });

    it("answers the same whichever page comes first", async () => {
      const site = await openSite({
        "/first": productPage({ name: "First" }),
        "/second": productPage({ name: "Second" }),
      });
      const urls = ["/second", "/first"].map((path) => site.url + path);
      const names = await Promise.all(
        [1, 2, 3].map(async () => (await runExtract(app, { urls, schema: productSchema })).ended.data.name),
      );
      expect(new Set(names).size).toBe(1);
    });
  });
});
