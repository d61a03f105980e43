// Outputs of a page with a language model, through the API, on both engines: json, summary, question, highlights, query,
// onlyCleanContent and changeTracking, in scrape, crawl, batch and search.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engines } from "../support/engines.ts";
import { productPage, startSearchService } from "../support/extract.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { runJob } from "../support/jobs.ts";
import { type ModelApp, modelKey, pageTextOf, startModelApp } from "../support/models.ts";

const article = `<!doctype html><html lang="en"><head><title>Tides</title></head><body><main><h1>Tides</h1>
  <p>The tide at the old harbour rises twice a day, because the moon pulls the water of the sea.</p>
  <p>The lighthouse was built in 1887 by masons from the mainland, and its lamp burned oil until the war.</p>
  <p>A ferry leaves the harbour every morning at nine and carries letters, bread and visitors to the island.</p>
</main></body></html>`;
const quote = "The lighthouse was built in 1887 by masons from the mainland, and its lamp burned oil until the war.";

describe.each(engines)("outputs with a model on $name", (engine) => {
  let models: ModelApp;
  let site: FixtureSite;
  let service: FixtureSite;
  beforeAll(async () => {
    site = await startSite({
      "/lamp": productPage({ name: "Desk lamp", sku: "L-1" }),
      "/tides": article,
    });
    service = await startSearchService(() => [{ url: `${site.url}/tides`, title: "Tides", content: "Tides" }]);
    models = await startModelApp(engine, { SEARXNG_ENDPOINT: service.url });
  });
  afterAll(async () => {
    await models.stop();
    await site.close();
    await service.close();
  });

  const scrape = (path: string, formats: unknown[], more: object = {}) =>
    models.app.call("POST", "/v2/scrape", { body: { url: site.url + path, formats, maxAge: 0, ...more } });
  const schema = {
    type: "object",
    properties: { subject: { type: "string" }, yearBuilt: { type: "integer" } },
    required: ["subject"],
  };

  describe("json", () => {
    it("asks only for what the page's own data leave open, and takes values that stand on the page", async () => {
      models.script(() => ({ json: { maker: "Desk lamp", colour: "red" } }));
      const wanted = {
        type: "object",
        properties: { name: { type: "string" }, sku: { type: "string" }, maker: { type: "string" } },
      };
      const { status, body } = await scrape("/lamp", [{ type: "json", schema: wanted, evidence: true }]);
      expect([status, body.data.json]).toEqual([200, { name: "Desk lamp", sku: "L-1", maker: "Desk lamp" }]);
      expect(models.asked).toHaveLength(1);
      expect(Object.keys(models.asked[0]?.schema?.properties as object)).toEqual(["maker"]);
      expect(body.data.evidence).toMatchObject({
        name: { method: "json-ld" },
        maker: { url: `${site.url}/lamp`, method: "model", text: expect.stringContaining("Desk lamp") },
      });
      expect(body.data.metadata.creditsUsed).toBe(5);
      expect(body.data).not.toHaveProperty("markdown");
    });
  });

  describe("text", () => {
    it("answers a question with passages that were looked up", async () => {
      models.script(() => ({ json: { answer: "In 1887.", quotes: [quote, "It was built by giants."] } }));
      const { body } = await scrape("/tides", [{ type: "question", question: "When was the lighthouse built?" }]);
      expect(body.data).toMatchObject({ answer: "In 1887.", passages: [{ url: `${site.url}/tides`, text: quote }] });
      expect(body.data).not.toHaveProperty("markdown");
      expect(body).not.toHaveProperty("warning");
      expect(pageTextOf(models.asked[0]!)).toContain("The lighthouse was built");
    });
  });
});
