// Outputs that are made of a page's data and text without a model: json, summary, question, highlights and query, in scrape,
// crawl, batch and search, on both engines; and schemas that mean harm.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { productPage, productSchema, runExtract } from "../support/extract.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { runJob } from "../support/jobs.ts";
import { withLightCalls } from "../support/light-calls.ts";

const noModel = "No language model is configured";
const article = `<!doctype html><html lang="en"><head><title>Tides</title></head><body><main><h1>Tides</h1>
  <p>The tide at the old harbour rises twice a day and falls twice a day, because the moon pulls the water of the sea.</p>
  <p>A ferry leaves the harbour every morning at nine and carries letters, bread and visitors to the island.</p>
  <p>When the moon is new or full the tide of the sea is highest, and the harbour wall stands in the water.</p>
  <p>The lighthouse was built in 1887 by masons from the mainland, and its lamp burned oil until the war.</p>
</main></body></html>`;

describe.each([anyEngine])("outputs without a model on $name", (engine) => {
  let app: TestApp;
  let site: FixtureSite;
  let service: FixtureSite;
  beforeAll(async () => {
    site = await startSite({
      "/": productPage({ name: "Start", sku: "S-0", links: ["/lamp"] }),
      "/lamp": productPage({ name: "Desk lamp", sku: "L-1" }),
      "/tides": article,
    });
    service = await startSite(() => (request, response) => {
      const isFirst = new URL(request.url ?? "", "http://service").searchParams.get("pageno") === "1";
      const found = isFirst ? [{ url: `${site.url}/lamp`, title: "Lamp", content: "Lamp" }] : [];
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ results: found, unresponsive_engines: [] }));
    });
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", SEARXNG_ENDPOINT: service.url });
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
    await service.close();
  });

  const scrape = (path: string, formats: unknown[], more: object = {}) =>
    app.call("POST", "/v2/scrape", { body: { url: site.url + path, formats, ...more } });
  const json = { type: "json", schema: productSchema };
  const lamp = { name: "Desk lamp", sku: "L-1" };

  describe("json", () => {
    it("fills the schema, costs four credits more, and says where values are when it is asked to", async () => {
      const { status, body } = await scrape("/lamp", [json]);
      expect([status, body.data.json]).toEqual([200, lamp]);
      expect(body.data).not.toHaveProperty("markdown");
      expect(body.data).not.toHaveProperty("evidence");
      expect(body.data.metadata.creditsUsed).toBe(5);
      const { body: told } = await scrape("/lamp", ["markdown", { ...json, evidence: true }]);
      expect(told.data.markdown).toContain("Desk lamp");
      expect(told.data.evidence).toMatchObject({
        name: { url: `${site.url}/lamp`, method: "json-ld", text: "Desk lamp", confidence: expect.any(Number) },
        sku: { url: `${site.url}/lamp`, method: "json-ld", text: "L-1" },
      });
    });

    it("takes a prompt, or nothing but its name", async () => {
      expect((await scrape("/lamp", [{ type: "json", prompt: "name and sku" }])).body.data.json).toMatchObject(lamp);
      expect((await scrape("/lamp", ["json"])).body.data.json).toMatchObject(lamp);
    });

    it("names in warning what the page does not say", async () => {
      const schema = { type: "object", properties: { name: { type: "string" }, isbn: { type: "string" } } };
      const { body } = await scrape("/lamp", [{ type: "json", schema }]);
      expect(body.data.json).toEqual({ name: "Desk lamp" });
      expect(body.warning).toContain("isbn");
    });

    it("is stored by its schema: another schema is another document, the same one is served again", async () => {
      const first = await scrape("/", [json]);
      const other = { type: "object", properties: { sku: { type: "string" } } };
      const second = await scrape("/", [{ type: "json", schema: other }]);
      expect(first.body.data.json).toEqual({ name: "Start", sku: "S-0" });
      expect(second.body.data.json).toEqual({ sku: "S-0" });
      const traced = await scrape("/", [json], { trace: true });
      expect(traced.body.data.json).toEqual(first.body.data.json);
      expect(traced.body.trace).toMatchObject([{ step: "cache", outcome: "hit" }]);
      const id = traced.body.data.metadata.scrapeId;
      expect((await app.get(`/v2/scrape/${id}`)).body.data.json).toEqual(first.body.data.json);
    });

    it("under v1 is in json and extract, by both names of its options", async () => {
      for (const [format, options] of [
        ["json", "jsonOptions"],
        ["extract", "extract"],
      ] as const) {
        const body = { url: `${site.url}/lamp`, formats: [format], [options]: { schema: productSchema } };
        const { status, body: answer } = await app.call("POST", "/v1/scrape", { body });
        expect([status, answer.data.json, answer.data.extract]).toEqual([200, lamp, lamp]);
      }
    });

    it("is in the documents of crawls, batches and searches", async () => {
      const scrapeOptions = { formats: [{ ...json, evidence: true }] };
      const crawl = await runJob(app, "/v2/crawl", { url: site.url, sitemap: "skip", scrapeOptions });
      const found = Object.fromEntries(crawl.data.map((page) => [page.metadata.sourceURL, page.json]));
      expect(found).toEqual({ [`${site.url}/`]: { name: "Start", sku: "S-0" }, [`${site.url}/lamp`]: lamp });
      expect(crawl.status.creditsUsed).toBe(10);
      const batch = await runJob(app, "/v2/batch/scrape", { urls: [`${site.url}/lamp`], ...scrapeOptions });
      expect(batch.data).toMatchObject([{ json: lamp, evidence: { name: { url: `${site.url}/lamp` } } }]);
      const { body } = await app.call("POST", "/v2/search", { body: { query: "lamp", scrapeOptions } });
      expect(body.data.web).toMatchObject([{ url: `${site.url}/lamp`, json: lamp }]);
    });
  });

  describe("text", () => {
    it("summary is made of the page's own sentences, with a warning", async () => {
      const { body } = await scrape("/tides", ["summary"]);
      const { summary, warning } = body.data;
      expect(summary).toContain("tide");
      const text = article.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
      for (const sentence of summary.split(/(?<=\.) /)) expect(text).toContain(sentence);
      expect(warning).toContain(noModel);
      expect(body.warning).toContain(noModel);
      expect(body.data).not.toHaveProperty("markdown");
      expect(body.data.metadata.creditsUsed).toBe(1);
    });

    it("question and query answer with the best passages, highlights with all of them", async () => {
      const asked = await scrape("/tides", [{ type: "question", question: "When was the lighthouse built?" }]);
      expect(asked.body.data.answer).toMatch(/^The lighthouse was built in 1887/);
      expect(asked.body.data.warning).toContain(noModel);
      expect(asked.body.data.metadata.creditsUsed).toBe(5);
      const query = await scrape("/tides", [
        { type: "query", prompt: "Who built the lighthouse?", mode: "directQuote" },
      ]);
      expect(query.body.data.answer).toMatch(/^The lighthouse was built/);
      const highlights = await scrape("/tides", ["markdown", { type: "highlights", query: "moon and tide" }]);
      expect(highlights.body.data.highlights).toMatch(/moon/);
      expect(highlights.body.data.highlights.split("\n\n").length).toBeGreaterThan(1);
      expect(highlights.body.data.markdown).toContain("# Tides");
    });

    it("answers the first of several formats that fill one field, says so, and charges one", async () => {
      const query = { type: "query", prompt: "Who built the lighthouse?" };
      const question = { type: "question", question: "What makes the tide?" };
      const { body } = await scrape("/tides", [query, question, query]);
      expect(body.data.answer).toMatch(/^The lighthouse was built/);
      expect(body.data.warning).toContain("Several formats fill answer, so only the first one was returned.");
      expect(body.data.metadata.creditsUsed).toBe(5);
      const twice = await scrape("/tides", [query, query]);
      expect(twice.body.data.warning).not.toContain("Several");
    });

    it("says nothing where the page says nothing", async () => {
      const { body } = await scrape("/tides", [{ type: "question", question: "Quetzalcoatlus wingspan?" }]);
      expect(body.data.answer).toBe("");
      expect(body.data.warning).toContain(noModel);
      expect(body.data.warning).toContain("Nothing in it fits, so there is no answer.");
    });
  });

  describe("schemas that mean harm", () => {
    const deep = (levels: number) => {
      let schema: object = { type: "string" };
      for (let level = 0; level < levels; level += 1) schema = { type: "object", properties: { a: schema } };
      return schema;
    };
    const hostile: [string, object][] = [
      ["of a megabyte", { type: "object", description: "x".repeat(1024 * 1024) }],
      ["of many fields", { type: "object", anyOf: Array.from({ length: 30_000 }, () => ({ const: 1 })) }],
      ["200 levels deep", deep(200)],
      ["with a reference to elsewhere", { $ref: "http://127.0.0.1:1/schema.json" }],
      ["that is none", { type: "object", properties: { a: { type: "strin" } } }],
      ["with a pattern that nobody can read", { type: "string", pattern: "(" }],
      ["with a reference to nothing", { $ref: "#/$defs/none" }],
    ];

    it.each(hostile)("a schema %s is 400 in extract, agent, scrape, crawl, batch and search", async (_what, schema) => {
      const formats = [{ type: "json", schema }];
      const asked = site.asked.length;
      for (const [path, body] of [
        ["/v2/extract", { urls: [`${site.url}/lamp`], schema }],
        ["/v1/extract", { urls: [`${site.url}/lamp`], schema }],
        ["/v2/agent", { prompt: "name", urls: [`${site.url}/lamp`], schema }],
        ["/v2/scrape", { url: `${site.url}/lamp`, formats }],
        ["/v2/crawl", { url: site.url, scrapeOptions: { formats } }],
        ["/v2/batch/scrape", { urls: [site.url], formats }],
        ["/v2/search", { query: "lamp", scrapeOptions: { formats } }],
      ] as const) {
        const { status, body: answer } = await app.call("POST", path, { body });
        expect([path, status, answer.success]).toEqual([path, 400, false]);
      }
      expect(site.asked.length).toBe(asked);
    });

    it.each([
      ["(a+)+$", "of one kind"],
      ["^(?=(a+)+$)(a|aa)+$", "that only JavaScript reads"],
      ["^(?:(\\w+)\\1*)+$", "with a reference back"],
    ])("a catastrophic pattern %s (%s) ends, and the server answers meanwhile", async (pattern) => {
      const properties = { name: { type: "string", pattern }, sku: { type: "string", pattern } };
      const evil = await startSite({ "/": productPage({ name: `${"a".repeat(5000)}!`, sku: `${"a".repeat(60)}!` }) });
      const extract = () => runExtract(app, { urls: [evil.url], schema: { type: "object", properties } });
      const { result, heldMs } = await withLightCalls(app, () => Promise.all(Array.from({ length: 4 }, extract)));
      for (const { ended } of result) {
        expect(ended.status).toBe("completed");
        expect(ended.data).toEqual({});
      }
      expect(heldMs).toBeLessThan(2000);
      await evil.close();
    });
  });
});
