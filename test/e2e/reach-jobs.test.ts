// What crawls, batches, searches and extracts do about hosts that block.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { lacksChromium } from "../support/browser.ts";
import { anyEngine, bystanders } from "../support/engines.ts";
import { productPage, productSchema, runAgent, runExtract, startSearchService } from "../support/extract.ts";
import type { FixtureSite } from "../support/fixture-site.ts";
import { openSite, runJob } from "../support/jobs.ts";
import { useApp, withQuickBrowser } from "../support/shared-app.ts";
import { article, challenge, challengeProgram, parkedPage, refuse } from "../support/walls.ts";

const leaves = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`);
const countOf = (site: FixtureSite, path: string) => site.asked.filter((asked) => asked === path).length;

describe.each(bystanders)("jobs and block pages on $name", (engine) => {
  let app: TestApp;
  let service: FixtureSite;
  let results: string[] = [];
  beforeAll(async () => {
    service = await startSearchService(() => results.map((url) => ({ url, title: "Found", content: "Found" })));
    app = await startApp(engine, {
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      CHROMIUM_PATH: "/nowhere/chromium",
      CREDITS_PER_MONTH: "10000",
      SEARXNG_ENDPOINT: service.url,
      OWN_INDEX: "0",
    });
  });
  afterAll(async () => {
    await app.stop();
    await service.close();
  });
  beforeEach(() => {
    results = [];
  });
  const crawl = (url: string, options: object = {}) => runJob(app, "/v2/crawl", { url, sitemap: "skip", ...options });

  it("a crawl whose host begins to block slows down to two pages at a time, and lists what failed with the code", async () => {
    let answered = 0;
    let open = 0;
    let most = 0;
    const site = await openSite((path) => (request, response) => {
      if (path === "/robots.txt") return response.writeHead(404).end();
      answered += 1;
      if (path === "/") return response.setHeader("content-type", "text/html").end(article("Start", leaves(30)));
      const isBlocking = answered > 8;
      // Whatever was active when it began has come to its end by then.
      const isSlow = answered > 16;
      if (isSlow) {
        open += 1;
        most = Math.max(most, open);
      }
      setTimeout(() => {
        if (isSlow) open -= 1;
        if (isBlocking) return refuse(request, response);
        response.setHeader("content-type", "text/html").end(article(`Page ${path}`));
      }, 40);
    });
    const { status, data, errors } = await crawl(site.url);
    expect(status.status).toBe("completed");
    expect(data.length + errors.length).toBe(31);
    expect(data.length).toBe(8);
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["SCRAPE_SITE_BLOCKED"]));
    expect(data.map(({ metadata }) => metadata.pageState)).toEqual(Array(8).fill("content"));
    for (const path of leaves(30)) expect(countOf(site, path)).toBeLessThanOrEqual(3);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2);
  });

  it.each([
    ["walled", refuse, /The start page could not be read: The site refuses/],
    ["parked", parkedPage, /parked/],
  ])("the warning of a crawl names a start page that is %s", async (_state, start, warning) => {
    const site = await openSite({ "/": start });
    const { status } = await crawl(site.url);
    expect(status.warning).toMatch(warning);
    expect(site.asked.filter((path) => path.startsWith("/ad/"))).toEqual([]);
  });

  it("a batch reads the hosts that let it, and lists the others; what is refused is free", async () => {
    const [open, walled] = [await openSite({ "/": article("Open") }), await openSite({ "/": refuse })];
    const used = async () => (await app.get("/v2/team/credit-usage")).body.data.remainingCredits;
    const before = await used();
    const { data, errors } = await runJob(app, "/v2/batch/scrape", { urls: [`${open.url}/`, `${walled.url}/`] });
    expect(data.map(({ metadata }) => metadata.title)).toEqual(["Open"]);
    expect(errors.map(({ url, code }) => [url, code])).toEqual([[`${walled.url}/`, "SCRAPE_SITE_BLOCKED"]]);
    expect(before - (await used())).toBe(1);
  });

  it("a search that reads its results leaves out parked and blocked ones, and says so", async () => {
    const site = await openSite({ "/good": article("Good"), "/parked": parkedPage, "/wall": refuse });
    results = ["/parked", "/good", "/wall"].map((path) => site.url + path);
    const ask = (body: object) => app.call("POST", "/v2/search", { body: { query: "nets", ...body } });
    const { body } = await ask({ scrapeOptions: { formats: ["markdown"] } });
    expect(body.data.web.map(({ url }: { url: string }) => url)).toEqual([`${site.url}/good`]);
    expect(body.data.web[0].position).toBe(1);
    expect(body.warning).toContain(`${site.url}/parked (a parked domain)`);
    expect(body.warning).toContain(`${site.url}/wall (the site blocks this server)`);
    // Without reading them it cannot be known.
    expect((await ask({})).body.data.web).toHaveLength(3);
  });

  it("an extract goes on without the hosts that block it or are parked", async () => {
    const site = await openSite({
      "/lamp": productPage({ name: "Desk lamp", sku: "L-1" }),
      "/wall": refuse,
      "/parked": parkedPage,
    });
    const urls = ["/wall", "/parked", "/lamp"].map((path) => site.url + path);
    const { ended } = await runExtract(app, { urls, schema: productSchema });
    expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp", sku: "L-1" } });
    expect(ended.warning).toMatch(/\/wall blocks this server and was not used/);
    expect(ended.warning).toMatch(/is a parked domain and was not used/);
  });

  it("an agent goes on to the page that it may read", async () => {
    const site = await openSite({ "/wall": refuse, "/lamp": productPage({ name: "Desk lamp", sku: "L-1" }) });
    const urls = ["/wall", "/lamp"].map((path) => site.url + path);
    const { ended } = await runAgent(app, { prompt: "The name and sku of the lamp", urls, schema: productSchema });
    expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp", sku: "L-1" } });
  });
});

describe.skipIf(lacksChromium).each([anyEngine])("jobs, block pages and a browser on $name", (engine) => {
  it("a crawl whose host begins to block goes on by the next attempt, and asks for a page at most three times", async () => {
    const app = await useApp(engine, withQuickBrowser);
    let answered = 0;
    const site = await openSite((path) => (request, response) => {
      const program = challengeProgram[path];
      if (program) return program(request, response);
      if (/robots|favicon/.test(path)) return response.writeHead(404).end();
      answered += 1;
      const content = article(`Page ${path}`, path === "/" ? leaves(5) : []);
      if (answered > 3) return challenge(content)(request, response);
      return response.setHeader("content-type", "text/html").end(content);
    });
    const { data, errors } = await runJob(app, "/v2/crawl", { url: site.url, sitemap: "skip" });
    expect(errors).toEqual([]);
    expect(data).toHaveLength(6);
    expect(data.every(({ markdown }) => /Page \//.test(markdown) && !/Checking/.test(markdown))).toBe(true);
    for (const path of leaves(5)) expect(countOf(site, path)).toBeLessThanOrEqual(3);
    await app.stop();
  });
});
