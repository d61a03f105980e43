// The official SDK, unmodified, against the real app: crawls, batches and their watchers, through its v2 and v1 objects.
import { once } from "node:events";
import { WebSocket } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { Firecrawl } from "../support/official-sdk.ts";
import { useApp } from "../support/shared-app.ts";

describe.each([anyEngine])("jobs of the SDK on $name", (engine) => {
  let app: TestApp;
  let site: FixtureSite;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own types are not on the path
  let client: any;
  const paths = ["/", "/a", "/b", "/c"];
  beforeAll(async () => {
    const links = paths.map((path) => `<a href="${path}">${path}</a>`).join(" ");
    const page = (path: string) => `<title>Page ${path}</title><main><h1>Page ${path}</h1>${links}</main>`;
    site = await startSite(Object.fromEntries(paths.map((path) => [path, page(path)])));
    app = await useApp(engine);
    client = new Firecrawl({ apiKey: app.key, apiUrl: app.url });
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });

  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const urls = () => paths.map((path) => site.url + path);
  const sources = (documents: { metadata: { sourceURL: string } }[]) =>
    documents.map(({ metadata }) => metadata.sourceURL).sort();

  it("crawls and waits, starts and reads, lists errors and running crawls (v2)", async () => {
    const job = await client.crawl(site.url, { limit: 10, pollInterval: 1, scrapeOptions: { formats: ["markdown"] } });
    expect(job).toMatchObject({ status: "completed", total: 4, completed: 4, creditsUsed: 4 });
    expect(sources(job.data)).toEqual(urls());

    const started = await client.startCrawl(site.url, { limit: 2 });
    expect(started).toMatchObject({ id: expect.any(String), url: `${app.url}/v2/crawl/${started.id}` });
    await expect.poll(async () => (await client.getCrawlStatus(started.id)).status).toBe("completed");
    expect((await client.getCrawlStatus(started.id)).data).toHaveLength(2);
    expect(await client.getCrawlErrors(started.id)).toMatchObject({ errors: [], robotsBlocked: [] });
    expect(await client.getActiveCrawls()).toMatchObject({ success: true, crawls: [] });
  });

  it("reads a batch, its errors, and cancels (v2)", async () => {
    const job = await client.batchScrape(urls(), { options: { formats: ["markdown"] }, pollInterval: 1 });
    expect(job).toMatchObject({ status: "completed", total: 4, completed: 4 });
    expect(sources(job.data)).toEqual(urls());
    const started = await client.startBatchScrape([`${site.url}/a`]);
    await expect.poll(async () => (await client.getBatchScrapeStatus(started.id)).status).toBe("completed");
    expect(await client.getBatchScrapeErrors(started.id)).toMatchObject({ errors: [], robotsBlocked: [] });
    await expect(client.cancelBatchScrape(started.id)).rejects.toThrow(/already completed/);
    const slow = await client.startCrawl(site.url, { limit: 4, delay: 60 });
    expect(await client.cancelCrawl(slow.id)).toBe(true);
    expect((await client.getCrawlStatus(slow.id)).status).toBe("cancelled");
  });

  it("watches a crawl and a batch (v2)", async () => {
    const crawl = await client.startCrawl(site.url, { limit: 10 });
    const batch = await client.startBatchScrape(urls());
    for (const [{ id }, kind] of [
      [crawl, "crawl"],
      [batch, "batch"],
    ]) {
      const watcher = client.watcher(id, { kind, pollInterval: 1, timeout: 90 });
      const documents: { metadata: { sourceURL: string } }[] = [];
      watcher.on("document", (document: (typeof documents)[number]) => documents.push(document));
      const done = once(watcher, "done");
      await watcher.start();
      const [state] = await done;
      expect(state).toMatchObject({ status: "completed" });
      expect(sources(documents)).toEqual(urls());
      watcher.close();
    }
  });

  it("crawls, reads batches, errors and cancels under v1", async () => {
    const { v1 } = client;
    const crawled = await v1.crawlUrl(site.url, { limit: 10, scrapeOptions: { formats: ["markdown"] } }, 1);
    expect(crawled).toMatchObject({ success: true, status: "completed", completed: 4 });
    expect(sources(crawled.data)).toEqual(urls());
    const read = await v1.batchScrapeUrls(urls(), { formats: ["markdown"] }, 1);
    expect(read).toMatchObject({ success: true, status: "completed", completed: 4 });
    expect(sources(read.data)).toEqual(urls());
    const started = await v1.asyncCrawlUrl(site.url, { limit: 4, delay: 60 });
    expect(await v1.checkCrawlErrors(started.id)).toMatchObject({ errors: [], robotsBlocked: [] });
    expect(await v1.checkCrawlStatus(started.id)).toMatchObject({ success: true, status: "scraping" });
    expect(await v1.cancelCrawl(started.id)).toMatchObject({ status: "cancelled" });
    const batch = await v1.asyncBatchScrapeUrls([`${site.url}/a`], {});
    await expect.poll(async () => (await v1.checkBatchScrapeStatus(batch.id)).status).toBe("completed");
  });

  it("watches under v1", async () => {
    // It takes the runtime's own, which Node has from version 22 on.
    vi.stubGlobal("WebSocket", WebSocket);
    const watcher = await client.v1.crawlUrlAndWatch(site.url, { limit: 10 });
    const documents: { metadata: { sourceURL: string } }[] = [];
    await new Promise<void>((done, failed) => {
      watcher.addEventListener("document", ({ detail }: { detail: (typeof documents)[number] }) => {
        documents.push(detail);
      });
      watcher.addEventListener("error", ({ detail }: { detail: { error: string } }) => failed(new Error(detail.error)));
      watcher.addEventListener("done", () => done());
    });
    expect(sources(documents)).toEqual(urls());
    watcher.close();
  });
});
