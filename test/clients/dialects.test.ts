// The clients of other services, as they are published, pointed at this server: the real app, a search service and a site on
// loopback, both engines.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { bystanders } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { page } from "../support/jobs.ts";
import { type SearchService, startSearchService } from "../support/search-service.ts";

const require = createRequire(new URL("package.json", import.meta.url));
/** Their own package.json installs them, so that the compiler does not know them from here. */
const load = (name: string) => import(pathToFileURL(require.resolve(name)).href);

const { tavily } = await load("@tavily/core");
const { default: exaModule } = await load("exa-js");
const Exa = exaModule.default ?? exaModule;
const { TavilySearch, TavilyExtract } = await load("@langchain/tavily");
const { ExaRetriever } = await load("@langchain/exa");

describe.each(bystanders)("clients of other services on $name", (engine) => {
  let service: SearchService;
  let site: FixtureSite;
  let app: TestApp;
  let asked = 0;
  beforeAll(async () => {
    service = await startSearchService();
    site = await startSite({ "/": page("Home – 家", ["/one"]), "/one": page("One"), "/two": page("Two") });
    app = await startApp(engine, {
      SEARXNG_ENDPOINT: service.url,
      OWN_INDEX: "0",
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      CHROMIUM_PATH: "/nowhere/chromium",
    });
  });
  afterAll(async () => {
    await app.stop();
    await service.close();
    await site.close();
  });
  beforeEach(() => {
    asked += 1;
    service.results = [{ url: `${site.url}/one`, title: "One", content: "The first" }];
  });

  it("@tavily/core searches, extracts, crawls and maps, and reads errors", async () => {
    const client = tavily({ apiKey: app.key, apiBaseURL: `${app.url}/tavily` });
    const found = await client.search(`one ${asked}`, {
      maxResults: 1,
      includeRawContent: "markdown",
      includeImages: true,
      searchDepth: "advanced",
    });
    expect(found.results[0]).toMatchObject({
      title: "One",
      url: `${site.url}/one`,
      score: 1,
      rawContent: expect.stringContaining("# One"),
    });
    const extracted = await client.extract([`${site.url}/two`, "http://10.0.0.1/"], {});
    expect([extracted.results[0].rawContent, extracted.failedResults[0].url]).toEqual([
      expect.stringContaining("# Two"),
      "http://10.0.0.1/",
    ]);
    const crawled = await client.crawl(site.url, { limit: 5 });
    expect(crawled.results.map(({ url }: { url: string }) => new URL(url).pathname).sort()).toEqual(["/", "/one"]);
    const mapped = await client.map(site.url, {});
    expect(mapped.results).toContain(`${site.url}/one`);
    const wrong = tavily({ apiKey: "wrong", apiBaseURL: `${app.url}/tavily` });
    await expect(wrong.search("one", {})).rejects.toThrow(/Invalid token/);
  });

  it("exa-js searches, reads contents and finds similar sites, and reads errors", async () => {
    const client = new Exa(app.key, `${app.url}/exa`);
    const found = await client.search(`one ${asked}`, { numResults: 1, contents: { text: true } });
    expect(found.results[0]).toMatchObject({
      id: `${site.url}/one`,
      title: "One",
      text: expect.stringContaining("# One"),
    });
    const contents = await client.getContents([`${site.url}/two`], { text: true, highlights: true });
    expect(contents.results[0]).toMatchObject({ title: "Two", highlights: [expect.any(String)] });
    service.results = [{ url: "https://like.example/", title: "Alike", content: "Much the same" }];
    const similar = await client.findSimilar(`${site.url}/one`, { numResults: 2, contents: false });
    expect(similar).toMatchObject({ requestId: expect.any(String), results: expect.any(Array) });
    await expect(client.findSimilar("http://10.0.0.1/", { contents: false })).rejects.toThrow(/not allowed/);
    await expect(new Exa("wrong", `${app.url}/exa`).search("one")).rejects.toThrow(/Invalid token/);
  });

  it("@langchain/tavily and @langchain/exa find and read pages", async () => {
    const search = new TavilySearch({ tavilyApiKey: app.key, apiBaseUrl: `${app.url}/tavily`, maxResults: 1 });
    expect(await search.invoke({ query: `one ${asked}` })).toMatchObject({
      results: [{ title: "One", url: `${site.url}/one` }],
    });
    const extract = new TavilyExtract({ tavilyApiKey: app.key, apiBaseUrl: `${app.url}/tavily` });
    expect(await extract.invoke({ urls: [`${site.url}/two`] })).toMatchObject({
      results: [{ url: `${site.url}/two`, raw_content: expect.stringContaining("# Two") }],
    });
    const retriever = new ExaRetriever({ client: new Exa(app.key, `${app.url}/exa`), searchArgs: { numResults: 1 } });
    const [found] = await retriever.invoke(`one ${asked}`);
    expect(found).toMatchObject({
      pageContent: expect.stringContaining("# One"),
      metadata: { url: `${site.url}/one` },
    });
  });
});
