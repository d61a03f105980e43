// Outputs of a page with a language model, through the API, on both engines: json, summary, question, highlights, query,
// onlyCleanContent and changeTracking, in scrape, crawl, batch and search.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anyEngine } from "../support/engines.ts";
import { productPage, startSearchService } from "../support/extract.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { runJob } from "../support/jobs.ts";
import type { AskedModel } from "../support/model-server.ts";
import { type ModelApp, pageTextOf, startModelApp } from "../support/models.ts";

const article = `<!doctype html><html lang="en"><head><title>Tides</title></head><body><main><h1>Tides</h1>
  <p>The tide at the old harbour rises twice a day, because the moon pulls the water of the sea.</p>
  <p>The lighthouse was built in 1887 by masons from the mainland, and its lamp burned oil until the war.</p>
  <p>A ferry leaves the harbour every morning at nine and carries letters, bread and visitors to the island.</p>
</main></body></html>`;
const quote = "The lighthouse was built in 1887 by masons from the mainland, and its lamp burned oil until the war.";

/** Longer than one question carries here, with something about ships in each part. */
const sections = 12;
const fleet = `<!doctype html><html lang="en"><head><title>Fleet</title></head><body><main><h1>Our fleet</h1>${Array.from(
  { length: sections },
  (_, place) => `<h2>Berth ${place}</h2><p>At berth ${place} lies the vessel Gull ${place} with a crew of ${20 + place}.
    ${"Ropes are coiled on deck and gulls sit on the rail while the water rises slowly. ".repeat(12)}</p>
    <p>Beside it the vessel Harbour Queen waits for its crew of 7.</p>`,
).join("")}</main></body></html>`;

describe.each([anyEngine])("outputs with a model on $name", (engine) => {
  let models: ModelApp;
  let site: FixtureSite;
  let service: FixtureSite;
  let price = 10;
  beforeAll(async () => {
    site = await startSite((path) => {
      if (path === "/lamp") return productPage({ name: "Desk lamp", sku: "LAMP-2201" });
      if (path.startsWith("/tides") || path === "/") return article;
      if (path === "/fleet") return fleet;
      if (path === "/price") return `<main><h1>Nets</h1><p>We ask ${price} crowns for one net of hemp.</p></main>`;
      return undefined;
    });
    service = await startSearchService(() => [{ url: `${site.url}/tides`, title: "Tides", content: "Tides" }]);
    models = await startModelApp(engine, { SEARXNG_ENDPOINT: service.url, LLM_CONTEXT_TOKENS: "1000" });
  });
  afterAll(async () => {
    await models.stop();
    await site.close();
    await service.close();
  });

  const scrape = (path: string, formats: unknown[], more: object = {}) =>
    models.app.call("POST", "/v2/scrape", { body: { url: site.url + path, formats, maxAge: 0, ...more } });
  const wantedOf = (index = 0) => Object.keys(models.asked[index]?.schema?.properties as object);
  const lighthouse = {
    type: "object",
    properties: { building: { type: "string" }, yearBuilt: { type: "integer" } },
    required: ["building"],
  };

  describe("json", () => {
    const named = (...names: string[]) => ({
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    });

    it("asks only for what the page's own data leave open, with evidence for both", async () => {
      models.script(() => ({ json: { summaryLine: "All about Desk lamp", colour: "red" } }));
      const schema = named("name", "sku", "summaryLine");
      const { status, body } = await scrape("/lamp", [{ type: "json", schema, evidence: true }]);
      const values = { name: "Desk lamp", sku: "LAMP-2201", summaryLine: "All about Desk lamp" };
      expect([status, body.data.json]).toEqual([200, values]);
      expect([models.asked.length, wantedOf()]).toEqual([1, ["summaryLine"]]);
      expect(body.data.evidence).toMatchObject({
        name: { method: "json-ld" },
        summaryLine: { url: `${site.url}/lamp`, method: "model", text: "All about Desk lamp." },
      });
      expect(body.data.metadata.creditsUsed).toBe(5);
      expect(body.data).not.toHaveProperty("markdown");
    });

    it("asks nothing when the page's own data say everything, or when nothing is said to be wanted", async () => {
      models.script(() => ({ json: {} }));
      const { body } = await scrape("/lamp", [{ type: "json", schema: named("name", "sku") }]);
      expect(body.data.json).toEqual({ name: "Desk lamp", sku: "LAMP-2201" });
      expect((await scrape("/lamp", ["json"])).body.data.json).toMatchObject({ name: "Desk lamp" });
      expect(models.asked).toHaveLength(0);
    });

    it("leaves out what is nowhere on the page and says so, unless the schema allows inference", async () => {
      const properties = {
        builder: { type: "string" },
        fuel: { type: "string" },
        mood: { type: "string", "x-infer": true },
        isOld: { type: "boolean" },
      };
      models.script(() => ({ json: { builder: "Giants of Norway", fuel: "oil", mood: "wistful", isOld: true } }));
      const { body } = await scrape("/tides", [
        { type: "json", schema: { type: "object", properties }, evidence: true },
      ]);
      expect(body.data.json).toEqual({ fuel: "oil", mood: "wistful", isOld: true });
      expect(body.warning).toMatch(/no page supports the language model.s value: builder\./);
      expect(body.data.evidence.fuel).toMatchObject({ method: "model", text: quote });
      expect(body.data.evidence.mood).toMatchObject({ method: "model", text: "" });
    });

    it("is always valid: types put right, wrong places asked for again, else absent and named", async () => {
      const schema = {
        type: "object",
        properties: { yearBuilt: { type: "integer" }, kind: { enum: ["tower", "wall"] } },
        required: ["kind"],
      };
      models.script((_asked, index) =>
        index === 0 ? { json: { yearBuilt: "1887", kind: "lamp" } } : { json: { kind: "still no choice" } },
      );
      const { body } = await scrape("/tides", [{ type: "json", schema }]);
      expect(body.data.json).toEqual({ yearBuilt: 1887 });
      expect(body.warning).toContain("does not match the schema: kind.");
      expect(body.warning).toContain("Required by the schema, but not found: kind.");
      expect(models.asked).toHaveLength(3);
      expect([wantedOf(1), wantedOf(2)]).toEqual([["kind"], ["kind"]]);
    });

    it("by a prompt alone has the form that the model gives it, each value looked up", async () => {
      models.script(() => ({ json: { json: '{"lighthouse": {"year": 1887, "keeper": "Olaf Berg"}}' } }));
      const { body } = await scrape("/tides", [{ type: "json", prompt: "the lighthouse", evidence: true }]);
      expect(body.data.json).toEqual({ lighthouse: { year: 1887 } });
      expect(body.data.evidence["lighthouse.year"]).toMatchObject({ method: "model", text: quote });
      expect(body.warning).toContain("lighthouse.keeper");
      expect(models.asked[0]?.turns[0]).toContain("the lighthouse");
    });

    it("reads lists of a long page part by part, each item once, and the rest from the parts that fit", async () => {
      const ship = { type: "object", properties: { name: { type: "string" }, crew: { type: "integer" } } };
      const properties = { harbourmaster: { type: "string" }, vessels: { type: "array", items: ship } };
      const isAboutVessels = ({ schema }: AskedModel) => "vessels" in ((schema?.properties ?? {}) as object);
      models.script((asked) => {
        const text = pageTextOf(asked);
        if (!isAboutVessels(asked)) return { json: { harbourmaster: null } };
        const gulls = [...text.matchAll(/vessel (Gull \d+) with a crew of (\d+)/g)];
        const vessels = gulls.map(([, name, crew]) => ({ name, crew: Number(crew) }));
        return { json: { vessels: [...vessels, { name: "Harbour Queen", crew: 7 }] } };
      });
      const { body } = await scrape("/fleet", [{ type: "json", schema: { type: "object", properties } }], {
        onlyMainContent: false,
      });
      const names = body.data.json.vessels.map(({ name }: { name: string }) => name).toSorted();
      const gulls = Array.from({ length: sections }, (_, place) => `Gull ${place}`);
      expect(names).toEqual([...gulls, "Harbour Queen"].toSorted());
      expect(body.data.json.vessels).toContainEqual({ name: "Gull 11", crew: 31 });
      expect(body.warning).toContain("harbourmaster");
      const asked = models.asked.filter(isAboutVessels);
      expect(asked.length).toBeGreaterThan(3);
      for (const one of asked) expect(pageTextOf(one).length).toBeLessThan(5000);
    });

    it("reads a list again in halves when it is too long to be written", async () => {
      const names = { type: "array", items: { type: "string" } };
      const schema = { type: "object", properties: { wordsOfWater: names } };
      const wanted = ["harbour", "island", "mainland", "morning"];
      models.script((asked, index) => {
        // What comes first is cut off however often it is continued.
        if (asked.turns.length > 1) return { text: "", isCutOff: true };
        if (index === 0) return { text: '{"wordsOfWater": ["harbour", "isl', isCutOff: true };
        return { json: { wordsOfWater: wanted.filter((word) => pageTextOf(asked).includes(word)) } };
      });
      const { body } = await scrape("/tides", [{ type: "json", schema }]);
      expect(body.data.json.wordsOfWater.toSorted()).toEqual(wanted);
      expect(body).not.toHaveProperty("warning");
    });

    it("is kept as it was answered, but not when the model did not answer", async () => {
      models.script(() => ({ status: 401, error: "no such key" }));
      const formats = [{ type: "json", schema: lighthouse }];
      const failed = await scrape("/tides", formats, { maxAge: 60_000 });
      expect(failed.body.warning).toContain("MODEL_MISCONFIGURED");
      models.script(() => ({ json: { building: "lighthouse", yearBuilt: 1887 } }));
      const first = await scrape("/tides", formats, { maxAge: 60_000 });
      const second = await scrape("/tides", formats, { maxAge: 60_000, trace: true });
      expect(first.body.data.json).toEqual({ building: "lighthouse", yearBuilt: 1887 });
      expect(second.body.data.json).toEqual(first.body.data.json);
      expect(second.body.trace).toMatchObject([{ step: "cache", outcome: "hit" }]);
      expect(models.asked).toHaveLength(1);
    });

    it("with lockdown is what was answered before, and else made without the model: nothing leaves the server", async () => {
      models.script(() => ({ json: { building: "lighthouse", yearBuilt: 1887 } }));
      const formats = [{ type: "json", schema: lighthouse }];
      await scrape("/tides?locked", formats, { maxAge: 60_000 });
      const same = await scrape("/tides?locked", formats, { lockdown: true, maxAge: undefined });
      expect(same.body.data.json).toEqual({ building: "lighthouse", yearBuilt: 1887 });
      const other = await scrape("/tides?locked", ["summary"], { lockdown: true, maxAge: undefined });
      expect(other.body.data.summary).toContain("tide");
      expect(other.body.warning).toContain("With lockdown, the outputs were made without the language model");
      expect(models.asked).toHaveLength(1);
    });

    it("says in the trace how many tokens it took", async () => {
      models.script(() => ({ json: { building: "lighthouse", yearBuilt: 1887 } }));
      const { body } = await scrape("/tides", [{ type: "json", schema: lighthouse }], { trace: true });
      const step = body.trace.find((one: { step: string }) => one.step === "model");
      expect(step).toMatchObject({ outcome: "answered", detail: { model: "test-model", tokens: 101 } });
    });

    it("is in the documents of crawls, batches and searches, and under v1 in json and extract", async () => {
      models.script(() => ({ json: { building: "lighthouse", yearBuilt: 1887 } }));
      const formats = [{ type: "json", schema: lighthouse }];
      const found = { building: "lighthouse", yearBuilt: 1887 };
      const crawl = await runJob(models.app, "/v2/crawl", { url: site.url, limit: 1, scrapeOptions: { formats } });
      expect(crawl.data).toMatchObject([{ json: found }]);
      const batch = await runJob(models.app, "/v2/batch/scrape", { urls: [`${site.url}/tides`], formats });
      expect(batch.data).toMatchObject([{ json: found }]);
      const search = { query: "tides", scrapeOptions: { formats } };
      expect((await models.app.call("POST", "/v2/search", { body: search })).body.data.web).toMatchObject([
        { json: found },
      ]);
      const old = {
        url: `${site.url}/tides`,
        formats: ["json"],
        jsonOptions: { schema: lighthouse, systemPrompt: "Be exact." },
      };
      const { body } = await models.app.call("POST", "/v1/scrape", { body: old });
      expect([body.data.json, body.data.extract]).toEqual([found, found]);
      expect(models.asked.at(-1)?.turns[0]).toContain("Be exact.");
    });
  });

  describe("text", () => {
    it("answers a question with passages that were looked up", async () => {
      models.script(() => ({ json: { answer: "In 1887.", quotes: [quote, "It was built by giants."] } }));
      const { body } = await scrape("/tides", [{ type: "question", question: "When was the lighthouse built?" }]);
      expect(body.data).toMatchObject({ answer: "In 1887.", passages: [{ url: `${site.url}/tides`, text: quote }] });
      expect(body.data).not.toHaveProperty("markdown");
      expect(body).not.toHaveProperty("warning");
      expect(body.data.metadata.creditsUsed).toBe(5);
    });

    it("says when the page does not say it, or when no passage does", async () => {
      models.script((asked) =>
        asked.turns[0]?.includes("wingspan")
          ? { json: { answer: null, quotes: [] } }
          : { json: { answer: "Giants.", quotes: ["Giants built it."] } },
      );
      const unsaid = await scrape("/tides", [{ type: "question", question: "Quetzalcoatlus wingspan?" }]);
      expect(unsaid.body.data).toMatchObject({ answer: "", passages: [] });
      expect(unsaid.body.warning).toContain("found no answer on the page");
      const unfounded = await scrape("/tides", [{ type: "question", question: "Who built it?" }]);
      expect(unfounded.body.data).toMatchObject({ answer: "Giants.", passages: [] });
      expect(unfounded.body.warning).toContain("it may be wrong");
    });

    it("names numbers of an answer or summary that are not on the page", async () => {
      models.script(({ way }) =>
        way === "text" ? { text: "A lighthouse of 1912." } : { json: { answer: "In 1912.", quotes: [quote] } },
      );
      const { body } = await scrape("/tides", ["summary", { type: "question", question: "When was it built?" }]);
      expect(body.warning).toContain("The summary has numbers that are not on the page: 1912.");
      expect(body.warning).toContain("The answer has numbers that are not on the page: 1912.");
    });

    it("gives a summary in its own words, for the price of the page", async () => {
      models.script(() => ({ text: "Tides, a lighthouse of 1887 and a daily ferry." }));
      const { body } = await scrape("/tides", ["markdown", "summary"]);
      expect(body.data.summary).toBe("Tides, a lighthouse of 1887 and a daily ferry.");
      expect(body.data.markdown).toContain("# Tides");
      expect(body.data.metadata.creditsUsed).toBe(1);
      expect(body).not.toHaveProperty("warning");
    });

    it("highlights, and query with quotes, are the page's own sentences only", async () => {
      models.script(() => ({ json: { quotes: [quote, "Invented by nobody."] } }));
      const formats = [
        { type: "highlights", query: "lighthouse" },
        { type: "query", prompt: "Who built the lighthouse?", mode: "directQuote" },
      ];
      const { body } = await scrape("/tides", formats);
      expect(body.data).toMatchObject({ highlights: quote, answer: quote });
    });

    it("falls back to the page's own sentences, with the cause, when the model does not answer", async () => {
      models.script(() => ({ status: 403, error: "no access" }));
      const { status, body } = await scrape("/tides", [
        "summary",
        { type: "question", question: "When was the lighthouse built?" },
      ]);
      expect(status).toBe(200);
      expect(body.data.answer).toMatch(/^The lighthouse was built in 1887/);
      expect(body.data.summary).toContain("tide");
      expect(body.warning).toContain("The language model did not answer (MODEL_MISCONFIGURED)");
      expect(body.warning).toContain("passages of the page that match your request");
    });
  });

  describe("onlyCleanContent", () => {
    const clean = () => scrape("/tides", ["markdown"], { onlyCleanContent: true });
    const lineOf = (text: string, part: string) => text.split("\n").findIndex((line) => line.includes(part)) + 1;

    it("leaves out lines that the model names, and changes no other", async () => {
      models.script((asked) => {
        const [, number] = /^(\d+): A ferry leaves/m.exec(pageTextOf(asked)) ?? [];
        return { json: { remove: [{ from: Number(number), to: Number(number) }] } };
      });
      const { body } = await clean();
      const whole = (await scrape("/tides", ["markdown"])).body.data.markdown as string;
      expect(lineOf(whole, "A ferry")).toBeGreaterThan(0);
      expect(body.data.markdown).toBe(
        whole
          .split("\n")
          .toSpliced(lineOf(whole, "A ferry") - 1, 1)
          .join("\n")
          .trim(),
      );
      expect(body).not.toHaveProperty("warning");
    });

    it("says that it has no effect where nothing is made of the markdown", async () => {
      const { body } = await scrape("/tides", ["html"], { onlyCleanContent: true });
      expect(body.warning).toContain("onlyCleanContent has no effect");
    });

    it.each([
      ["lines that there are not", { remove: [{ from: 900, to: 950 }] }, "MODEL_ANSWER_UNUSABLE"],
      ["everything", { remove: [{ from: 1, to: 7 }] }, "almost all of the text"],
      ["text of its own", { markdown: "# Buy now", remove: "all" }, "MODEL_ANSWER_UNUSABLE"],
    ])("ignores %s", async (_what, json, warning) => {
      models.script(() => ({ json }));
      const whole = (await scrape("/tides", ["markdown"])).body.data.markdown;
      const { body } = await clean();
      expect(body.data.markdown).toBe(whole);
      expect(body.warning).toContain(warning);
    });

    it("is left out with a warning when the model does not answer, or the text is too long", async () => {
      models.script(() => ({ status: 403, error: "no access" }));
      expect((await clean()).body.warning).toContain("The text was not cleaned.");
      const { body } = await scrape("/fleet", ["markdown"], { onlyCleanContent: true, onlyMainContent: false });
      expect(body.warning).toContain("too long for the language model");
      expect(body.data.markdown).toContain("Gull 11");
    });
  });

  it("changeTracking tells of data that the model reads, and asks once for json and changes together", async () => {
    models.script((asked) => {
      const [, crowns] = /ask (\d+) crowns/.exec(pageTextOf(asked)) ?? [];
      return { json: { crownsForOneNet: Number(crowns) } };
    });
    const schema = { type: "object", properties: { crownsForOneNet: { type: "integer" } } };
    const formats = ["markdown", { type: "json", schema }, { type: "changeTracking", modes: ["json"] }];
    expect((await scrape("/price", formats)).body.data.changeTracking).toMatchObject({ changeStatus: "new" });
    price = 12;
    const { body } = await scrape("/price", formats);
    expect(body.data.json).toEqual({ crownsForOneNet: 12 });
    expect(body.data.changeTracking).toMatchObject({
      changeStatus: "changed",
      json: { crownsForOneNet: { previous: 10, current: 12 } },
    });
    expect(models.asked).toHaveLength(2);
  });
});
