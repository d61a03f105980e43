// The typed client, against the real app and against a server that misbehaves.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Trawl, TrawlError } from "../../src/client/index.ts";
import type { TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { useApp } from "../support/shared-app.ts";

let app: TestApp;
let site: FixtureSite;
let client: Trawl;
beforeAll(async () => {
  app = await useApp(anyEngine);
  const links = Array.from({ length: 120 }, (_, place) => `<a href="/${place}">${place}</a>`).join(" ");
  site = await startSite((path) => `<title>${path}</title><h1>Page ${path}</h1>${path === "/" ? links : ""}`);
  client = new Trawl({ apiUrl: `${app.url}/`, apiKey: app.key });
});
afterAll(async () => {
  await app.stop();
  await site.close();
});

describe("calls", () => {
  it("take the API's body and give the API's answer", async () => {
    const { data } = await client.scrape({ url: `${site.url}/1`, formats: ["markdown", "links"] });
    expect(data).toMatchObject({ markdown: "# Page /1", links: [] });
    expect((await client.scrapeStatus(data.metadata.scrapeId ?? "")).data?.markdown).toBe("# Page /1");
    expect((await client.map({ url: site.url, limit: 3 })).links).toHaveLength(3);
    expect(await client.search({ query: "nothing like this" })).toMatchObject({ success: true });
    const parsed = await client.parse({ file: new TextEncoder().encode("# Note"), filename: "note.md" });
    expect(parsed.data.markdown).toBe("# Note");
    expect((await client.creditUsage()).data.remainingCredits).toBeGreaterThan(0);
    expect(await client.queueStatus()).toMatchObject({ success: true });
    expect(await client.listBrowsers()).toMatchObject({ sessions: [] });
    expect(await client.request("GET", "/v2/parse/formats")).toMatchObject({ success: true });
  });

  it("have the types of the wire: what is required, and what is returned", async () => {
    // @ts-expect-error a scrape without its url
    await expect(client.scrape({})).rejects.toThrow("Bad Request");
    const started = await client.startCrawl({ url: site.url, limit: 1 });
    expect(started.id).toHaveLength(36);
    const { estimate } = await client.startCrawl({ url: site.url, limit: 1, dryRun: true });
    expect(estimate.pages).toBeGreaterThan(0);
    await client.waitForCrawl(started.id);
  });

  it("wait for crawls, batches, extracts and agents, with all documents", async () => {
    const looks: number[] = [];
    const crawl = await client.crawl(
      { url: site.url, limit: 121 },
      { onProgress: ({ completed }) => looks.push(completed) },
    );
    expect(crawl).toMatchObject({ status: "completed", completed: 121, id: expect.any(String) });
    expect(new Set(crawl.data.map(({ metadata }) => metadata.sourceURL)).size).toBe(121);
    expect(looks.at(-1)).toBe(121);
    const { id } = await client.startBatchScrape({ urls: [`${site.url}/1`, `${site.url}/2`] });
    const titles: string[] = [];
    for await (const { metadata } of client.batchScrapeDocuments(id)) titles.push(metadata.title ?? "");
    expect(titles.sort()).toEqual(["/1", "/2"]);
    expect((await client.batchScrapeErrors(id)).errors).toEqual([]);
    const schema = { type: "object", properties: { title: { type: "string" } } };
    const extract = await client.extract({ urls: [`${site.url}/1`], schema });
    expect(extract).toMatchObject({ status: "completed", data: { title: "Page /1" } });
    const agent = await client.agent({ prompt: "the title", urls: [`${site.url}/1`], schema });
    expect(agent).toMatchObject({ status: "completed", id: expect.any(String) });
    const seen = [];
    for await (const { endpoint } of client.allActivity({ limit: 2 })) seen.push(endpoint);
    expect(seen).toEqual(expect.arrayContaining(["crawl", "batch_scrape", "extract", "agent"]));
  });

  it("end with their signal, and a crawl that was started is cancelled", async () => {
    const stuck = await startSite({ "/": () => undefined });
    onTestFinished(() => stuck.close());
    const aborted = new AbortController();
    const scrape = client.scrape({ url: stuck.url }, { signal: aborted.signal });
    const crawl = client.crawl({ url: stuck.url }, { signal: aborted.signal });
    await expect.poll(() => stuck.asked.filter((path) => path === "/").length).toBe(2);
    aborted.abort();
    await expect(scrape).rejects.toThrow(/abort/i);
    await expect(crawl).rejects.toThrow(/abort/i);
    await expect.poll(async () => (await client.activeCrawls()).crawls).toEqual([]);
  });

  it("fail with status, code and details", async () => {
    const failure = async (call: Promise<unknown>) => call.catch((error: TrawlError) => error);
    const bad = await failure(client.scrape({ url: "https://a.test", timeout: 5 }));
    expect(bad).toBeInstanceOf(TrawlError);
    expect(bad).toMatchObject({
      status: 400,
      code: "BAD_REQUEST",
      details: [expect.objectContaining({ path: ["timeout"] })],
    });
    const { id } = await client.startBatchScrape({ urls: [`${site.url}/1`] });
    const other = new Trawl({ apiUrl: app.url, apiKey: app.otherKey });
    expect(await failure(other.batchScrapeStatus(id))).toMatchObject({ status: 404, code: "JOB_NOT_FOUND" });
    expect(await failure(new Trawl({ apiUrl: app.url }).creditUsage())).toMatchObject({ status: 401 });
    expect(await failure(new Trawl({ apiUrl: "http://127.0.0.1:9" }).creditUsage())).toMatchObject({
      status: 0,
      code: "UNREACHABLE",
    });
  });
});

describe("a server that is busy", () => {
  async function serve(answer: (number: number, request: IncomingMessage, response: ServerResponse) => void) {
    let number = 0;
    const server = createServer((request, response) => {
      number += 1;
      answer(number, request, response);
    }).listen(0, "127.0.0.1");
    await new Promise((ready) => server.once("listening", ready));
    onTestFinished(() => void server.close());
    return {
      client: new Trawl({ apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
      asked: () => number,
    };
  }

  it.each([429, 502, 503])("is asked again after %i, when Retry-After says so", async (status) => {
    const soon = new Date(Date.now() - 1000).toUTCString();
    const { client: patient, asked } = await serve((number, _request, response) => {
      if (number < 4) response.writeHead(status, { "retry-after": number === 1 ? "0" : soon }).end("busy");
      else response.writeHead(200, { "content-type": "application/json" }).end('{"success":true}');
    });
    expect(await patient.creditUsage()).toEqual({ success: true });
    expect(asked()).toBe(4);
  });

  it("is asked eight times at most, and once for other failures", async () => {
    const never = await serve((_number, _request, response) =>
      response.writeHead(503, { "retry-after": "0" }).end("{}"),
    );
    await expect(never.client.creditUsage()).rejects.toMatchObject({ status: 503, code: "HTTP_503" });
    expect(never.asked()).toBe(8);
    const broken = await serve((_number, _request, response) => response.writeHead(500).end("<h1>Oops</h1>"));
    await expect(broken.client.creditUsage()).rejects.toMatchObject({ status: 500 });
    expect(broken.asked()).toBe(1);
    const later = await serve((_number, _request, response) =>
      response.writeHead(429, { "retry-after": "86400" }).end("{}"),
    );
    await expect(later.client.creditUsage()).rejects.toMatchObject({ status: 429 });
  });

  it("is not waited for after an abort", async () => {
    const { client: patient, asked } = await serve((_number, _request, response) =>
      response.writeHead(503, { "retry-after": "60" }).end(),
    );
    const aborted = new AbortController();
    const call = patient.creditUsage({ signal: aborted.signal });
    await expect.poll(asked).toBe(1);
    aborted.abort();
    await expect(call).rejects.toThrow(/abort/i);
  });
});

describe("the module", () => {
  it("is small, has no dependency and imports nothing that a browser lacks", async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [join(import.meta.dirname, "../../src/client/index.ts")],
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "browser",
    });
    expect(Object.keys(metafile.inputs).filter((file) => !file.startsWith("src/client/"))).toEqual([]);
    expect(outputFiles[0]?.contents.length).toBeLessThan(12_000);
    expect(outputFiles[0]?.text).not.toMatch(/node:|\bprocess\b|\bBuffer\b|require\(/);
  });
});
