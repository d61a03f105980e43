// deterministicJson: an extractor is learned with the first page of a host, used without a model, repaired, listed and forgotten.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { otherKey, startApp, type TestApp } from "../support/app.ts";
import { anyEngine, bystanders } from "../support/engines.ts";
import { startSearchService } from "../support/extract.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { runJob } from "../support/jobs.ts";
import { type ModelApp, pageTextOf, startModelApp } from "../support/models.ts";

const schema = {
  type: "object",
  properties: { name: { type: "string" }, price: { type: "number" } },
  required: ["name", "price"],
};
const format = { type: "deterministicJson", schema };
const page = (name: string, price: string) =>
  `<!doctype html><html lang="en"><head><title>${name}</title></head><body><main><h1 class="product-name">${name}</h1><p>Price: <b class="price">$${price}</b></p>
  <p>It stands on a table and gives light to those who read.</p><button>Add to cart</button></main></body></html>`;
const redesigned = (name: string, price: string) =>
  `<!doctype html><html lang="en"><head><title>${name}</title><script type="application/ld+json">${JSON.stringify({ "@type": "Product", name, offers: { "@type": "Offer", price, priceCurrency: "USD" } })}</script></head>
  <body><main><div class="t">${name}</div><p>It stands on a table and gives light to those who read.</p></main></body></html>`;

describe.each(bystanders)("deterministicJson on $name", (engine) => {
  let app: TestApp;
  let site: FixtureSite;
  let service: FixtureSite;
  beforeAll(async () => {
    site = await startSite({
      "/lamp": page("Desk lamp", "12.50"),
      "/torch": page("Torch", "1,299.00"),
      "/new": redesigned("Lantern", "30.00"),
      "/newer": redesigned("Candle", "2.00"),
    });
    service = await startSearchService(() => [{ url: `${site.url}/torch`, title: "Torch", content: "Torch" }]);
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", SEARXNG_ENDPOINT: service.url });
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
    await service.close();
  });

  const scrape = (path: string, formats: unknown[] = [format], more: object = {}) =>
    app.call("POST", "/v2/scrape", { body: { url: site.url + path, formats, ...more } });
  const list = async (key?: string) => (await app.get("/v2/team/extractors", key ? { key } : {})).body.extractors;
  const torch = { name: "Torch", price: 1299 };

  it("learns an extractor once, runs it on other pages, repairs it when pages change, and fills json", async () => {
    const first = await scrape("/lamp");
    expect([first.status, first.body.data.json]).toEqual([200, { name: "Desk lamp", price: 12.5 }]);
    expect(first.body.data.metadata.creditsUsed).toBe(5);
    const [learnt] = await list();
    expect(learnt).toMatchObject({ host: `127.0.0.1:${site.port}`, version: 1, fields: ["name", "price"] });
    expect((await scrape("/torch")).body.data.json).toEqual(torch);
    expect((await list())[0].version).toBe(1);
    expect((await scrape("/new")).body.data.json).toEqual({ name: "Lantern", price: 30 });
    expect((await list())[0]).toMatchObject({ id: learnt.id, version: 2 });
    const urls = [`${site.url}/newer`, `${site.url}/lamp`];
    const batch = await runJob(app, "/v2/batch/scrape", { urls, formats: [format] });
    expect(batch.data.map(({ json }) => json.name).toSorted()).toEqual(["Candle", "Desk lamp"]);
    expect((await list())[0].version).toBe(2);
  });

  it("comes with crawls, searches and files", async () => {
    const scrapeOptions = { formats: [format] };
    const crawl = await runJob(app, "/v2/crawl", { url: `${site.url}/torch`, limit: 1, scrapeOptions });
    expect(crawl.data[0].json).toEqual(torch);
    const { body } = await app.call("POST", "/v2/search", { body: { query: "torch", scrapeOptions } });
    expect(body.data.web[0].json).toEqual(torch);
    const parse = (name: string, html: string) => {
      const form = new FormData();
      form.set("file", new Blob([html]), name);
      form.set("options", JSON.stringify({ formats: [format] }));
      return app.call("POST", "/v2/parse", { body: form });
    };
    expect((await parse("torch.html", page("Torch", "1,299.00"))).body.data.json).toEqual(torch);
    expect((await parse("buoy.html", page("Buoy", "7.00"))).body.data.json).toEqual({ name: "Buoy", price: 7 });
    expect((await list()).find(({ host }: { host: string }) => host === "file:html")).toMatchObject({ version: 1 });
  });

  it("belongs to its team, and is forgotten when it is deleted", async () => {
    expect(await list(otherKey)).toEqual([]);
    for (const { id } of await list()) {
      const remove = (key?: string) => app.call("DELETE", `/v2/team/extractors/${id}`, key ? { key } : {});
      expect((await remove(otherKey)).body.code).toBe("EXTRACTOR_NOT_FOUND");
      expect((await remove()).body).toEqual({ success: true });
      expect((await remove()).status).toBe(404);
    }
    expect(await list()).toEqual([]);
  });

  it("leaves nothing behind with zeroDataRetention or redactPII", async () => {
    expect((await scrape("/lamp", [format], { zeroDataRetention: true })).body.data.json.name).toBe("Desk lamp");
    expect((await scrape("/lamp", [format], { redactPII: true })).body.data.json.name).toBe("Desk lamp");
    expect(await list()).toEqual([]);
  });

  it("is refused beside json, without a schema or with a bad one", async () => {
    const beside = await scrape("/lamp", [format, { type: "json", schema }]);
    expect([beside.status, beside.body.details[0].path]).toEqual([400, ["formats", 0]]);
    expect((await scrape("/lamp", ["deterministicJson"])).status).toBe(400);
    expect((await scrape("/lamp", [{ ...format, schema: { type: "nonsense" } }])).status).toBe(400);
  });
});

describe.each([anyEngine])("deterministicJson with a model on $name", (engine) => {
  const ships = ["Aurora", "Borealis", "Vega", "Altair", "Deneb", "Rigel"];
  const captains = ["Ada Holm", "Ben Falk", "Cara Lind", "Dag Berg", "Eva Strand", "Finn Vik"];
  const words = "Ropes are coiled on deck and gulls sit on the rail while the water rises slowly. ";
  const ship = (
    name: string,
    captain: string,
  ) => `<!doctype html><html lang="en"><head><title>${name}</title></head><body><main>
    <h1>${name}</h1><p>${words}</p><p class="crew">Steered since spring by ${captain} and a mate</p><p>${words}</p></main></body></html>`;
  const rebuilt = (
    name: string,
    captain: string,
  ) => `<!doctype html><html lang="en"><head><title>${name}</title></head><body>
    <main><h1>${name}</h1><section id="bridge"><span>${captain}</span> stands on the bridge.</section><p>${words}</p></main></body></html>`;
  const wanted = { type: "object", properties: { helmsman: { type: "string" } }, required: ["helmsman"] };
  const asked = { type: "deterministicJson", schema: wanted, prompt: "Who steers the ship?" };
  let models: ModelApp;
  let site: FixtureSite;
  let isRebuilt = false;
  beforeAll(async () => {
    site = await startSite((path) => {
      const index = ships.indexOf(path.slice(1));
      if (index < 0) return `<main><h1>Harbour</h1><p>${path} ${words}</p></main>`;
      return (isRebuilt ? rebuilt : ship)(ships[index] ?? "", captains[index] ?? "");
    });
    models = await startModelApp(engine);
  });
  afterAll(async () => {
    await models.stop();
    await site.close();
  });

  const tell = () =>
    models.script((question) => {
      const text = pageTextOf(question);
      return { json: { helmsman: captains.find((name) => text.includes(name)) ?? null } };
    });
  const read = async (names: readonly string[]) => {
    const urls = names.map((name) => `${site.url}/${name}`);
    const { data } = await runJob(models.app, "/v2/batch/scrape", { urls, formats: [asked], maxAge: 0 });
    return data.map(({ json }) => json.helmsman).toSorted();
  };

  it("asks the model once for pages that are read together, and never again while the extractor fits", async () => {
    tell();
    expect(await read(ships.slice(0, 4))).toEqual(captains.slice(0, 4));
    expect(models.asked).toHaveLength(1);
    expect(await read(ships.slice(4))).toEqual(captains.slice(4));
    expect(models.asked).toHaveLength(1);
    const { body } = await models.app.get("/v2/team/extractors");
    expect(body.extractors).toMatchObject([{ fields: ["helmsman"], version: 1 }]);
  });

  it("asks it once more when the site has a new template", async () => {
    tell();
    isRebuilt = true;
    expect(await read(ships)).toEqual(captains);
    expect(models.asked).toHaveLength(1);
    isRebuilt = false;
    expect(await read(ships)).toEqual(captains);
    expect(models.asked).toHaveLength(1);
    expect((await models.app.get("/v2/team/extractors")).body.extractors).toMatchObject([{ version: 2 }]);
  });

  it("does not ask for every page that is of another kind", async () => {
    tell();
    const urls = Array.from({ length: 12 }, (_, index) => `${site.url}/notes/${index}`);
    const { data } = await runJob(models.app, "/v2/batch/scrape", { urls, formats: [asked] });
    expect(data).toHaveLength(12);
    expect(models.asked.length).toBeLessThanOrEqual(5);
    expect(await read(ships)).toEqual(captains);
  });

  it("keeps nothing of an answer that the page does not hold, and goes on when the model fails", async () => {
    const [{ id }] = (await models.app.get("/v2/team/extractors")).body.extractors;
    await models.app.call("DELETE", `/v2/team/extractors/${id}`);
    models.script(() => ({ json: { helmsman: "</p><script>process.exit()</script>" } }));
    const scrape = () =>
      models.app.call("POST", "/v2/scrape", { body: { url: `${site.url}/Vega`, formats: [asked], maxAge: 0 } });
    expect((await scrape()).status).toBe(200);
    models.script(() => ({ status: 500, error: "down" }));
    expect((await scrape()).status).toBe(200);
    expect((await models.app.get("/v2/team/extractors")).body.extractors).toEqual([]);
  });
});
