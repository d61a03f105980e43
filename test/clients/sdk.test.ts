// The official SDK, unmodified, against the real app: what the foundation serves, through its v2 and v1 objects.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/base/index.ts";
import { startApp, type TestApp, testKey } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { Firecrawl } from "../support/official-sdk.ts";

describe.each([anyEngine])("the SDK on $name", (engine) => {
  let app: TestApp;
  let site: FixtureSite;
  let service: FixtureSite;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own types are not on the path
  let client: any;
  beforeAll(async () => {
    site = await startSite({
      "/": '<title>Fixture</title><main><h1>A fixture</h1><a href="/next">Next</a></main>',
      "/sitemap.xml": "<urlset><url><loc>/listed</loc></url></urlset>",
    });
    service = await startSite(() => (request, response) => {
      const found = { url: `${site.url}/`, title: "Found", content: "A passage" };
      const results = request.url?.includes("pageno=1") ? [found] : [];
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results }));
    });
    app = await startApp(engine, {
      CREDITS_PER_MONTH: "1000",
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      SEARXNG_ENDPOINT: service.url,
    });
    const holder = await app.accounts.keys.identify(testKey);
    if (!holder) throw new Error("the key is not known");
    await app.accounts.credits.charge(holder, [{ jobId: newId(), endpoint: "scrape", credits: 40, reason: "page" }]);
    client = new Firecrawl({ apiKey: testKey, apiUrl: app.url });
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
    await service.close();
  });

  it("reads credit usage", async () => {
    expect(await client.getCreditUsage()).toMatchObject({ remainingCredits: 960, planCredits: 1000 });
  });

  it("reads credit history, by key too", async () => {
    expect((await client.getCreditUsageHistorical()).periods).toMatchObject([{ creditsUsed: 40, totalCredits: 40 }]);
    expect((await client.getCreditUsageHistorical(true)).periods).toMatchObject([{ creditsUsed: 40, apiKey: "env-1" }]);
  });

  it("reads tokens and their history", async () => {
    expect(await client.getTokenUsage()).toMatchObject({ remainingTokens: 14_400, planTokens: 15_000 });
    expect((await client.getTokenUsageHistorical()).periods).toMatchObject([{ tokensUsed: 600, totalTokens: 600 }]);
  });

  it("reads queue status and concurrency", async () => {
    expect(await client.getQueueStatus()).toMatchObject({ success: true, jobsInQueue: 0, maxConcurrency: 50 });
    expect(await client.getConcurrency()).toMatchObject({ concurrency: 0, maxConcurrency: 50 });
  });

  it("learns what is wrong with a key", async () => {
    const stranger = new Firecrawl({ apiKey: "fc-nobody", apiUrl: app.url });
    await expect(stranger.getCreditUsage()).rejects.toThrow(/Invalid token/);
  });

  it("learns that no source of papers is asked, and what to set", async () => {
    await expect(client.research.searchPapers("nets")).rejects.toThrow(/No source of papers is asked/);
  });

  it("scrapes with v2 and v1 objects", async () => {
    const document = await client.scrape(`${site.url}/`, { formats: ["markdown", "links"] });
    expect(document).toMatchObject({ markdown: expect.stringContaining("# A fixture"), links: [`${site.url}/next`] });
    expect(document.metadata).toMatchObject({ title: "Fixture", statusCode: 200, scrapeId: expect.any(String) });
    const v1 = await client.v1.scrapeUrl(`${site.url}/`, { formats: ["markdown", "html"] });
    expect(v1).toMatchObject({
      success: true,
      markdown: expect.stringContaining("# A fixture"),
      metadata: { statusCode: 200 },
    });
  });

  it("maps with v2 and v1 objects", async () => {
    const urls = ["/", "/listed", "/next"].map((path) => site.url + path);
    const { links } = await client.map(site.url, { limit: 10, timeout: 20_000 });
    expect(links).toEqual([{ url: urls[0], title: "Fixture" }, { url: urls[1] }, { url: urls[2], title: "Next" }]);
    expect((await client.map(site.url, { sitemap: "only" })).links).toEqual([{ url: urls[1] }]);
    expect((await client.map(site.url, { search: "listed", limit: 1 })).links).toEqual([{ url: urls[1] }]);
    expect(await client.v1.mapUrl(site.url, {})).toMatchObject({ success: true, links: urls });
    expect((await client.v1.mapUrl(site.url, { sitemapOnly: true })).links).toEqual([urls[1]]);
    await expect(client.map("http://10.0.0.1/")).rejects.toThrow(/not allowed/);
  });

  it("learns why a page could not be read", async () => {
    await expect(client.scrape("http://10.0.0.1/")).rejects.toThrow(/not allowed/);
  });

  it("reads usage under v1's names", async () => {
    const v1 = client.v1;
    const { remainingCredits: left } = await client.getCreditUsage();
    // Pages were scraped and maps were made meanwhile.
    expect(left).toBeLessThan(960);
    expect((await v1.getCreditUsage()).data).toMatchObject({ remaining_credits: left, plan_credits: 1000 });
    expect((await v1.getTokenUsage()).data).toMatchObject({ remaining_tokens: 15 * left });
    expect((await v1.getCreditUsageHistorical()).periods).toMatchObject([{ creditsUsed: 1000 - left }]);
    expect((await v1.getTokenUsageHistorical()).periods).toMatchObject([{ tokensUsed: 15 * (1000 - left) }]);
    expect(await v1.getQueueStatus()).toMatchObject({ success: true, jobsInQueue: 0 });
  });

  it("searches with v2 and v1 objects", async () => {
    const v2 = await client.search("fixture", { limit: 3, sources: ["web", "news"] });
    expect(v2.web).toMatchObject([{ url: `${site.url}/`, title: "Found", description: "A passage", position: 1 }]);
    expect(v2.news).toMatchObject([{ url: `${site.url}/`, snippet: "A passage" }]);
    const read = await client.search("fixture", { scrapeOptions: { formats: ["markdown"] } });
    expect(read.web).toMatchObject([
      { markdown: expect.stringContaining("# A fixture"), metadata: { statusCode: 200 } },
    ]);
    const v1 = await client.v1.search("fixture", { limit: 3 });
    expect(v1).toMatchObject({
      success: true,
      data: [{ url: `${site.url}/`, title: "Found", description: "A passage" }],
    });
    const readV1 = await client.v1.search("fixture", { scrapeOptions: { formats: ["markdown"] } });
    expect(readV1.data).toMatchObject([{ markdown: expect.stringContaining("# A fixture") }]);
  });
});
