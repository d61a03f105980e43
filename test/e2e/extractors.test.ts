// deterministicJson: an extractor is learnt with the first page of a host, used without a model, repaired, listed and forgotten.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { otherKey, startApp, type TestApp } from "../support/app.ts";
import { engines } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { runJob } from "../support/jobs.ts";

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

describe.each(engines)("deterministicJson on $name", (engine) => {
  let app: TestApp;
  let site: FixtureSite;
  beforeAll(async () => {
    site = await startSite({
      "/lamp": page("Desk lamp", "12.50"),
      "/torch": page("Torch", "1,299.00"),
      "/new": redesigned("Lantern", "30.00"),
      "/newer": redesigned("Candle", "2.00"),
    });
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" });
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });

  const scrape = (path: string, formats: unknown[] = [format], more: object = {}) =>
    app.call("POST", "/v2/scrape", { body: { url: site.url + path, formats, ...more } });
  const list = async (key?: string) => (await app.get("/v2/team/extractors", key ? { key } : {})).body.extractors;

  it("learns an extractor once, runs it on other pages, repairs it when pages change, and fills json", async () => {
    const first = await scrape("/lamp");
    expect([first.status, first.body.data.json]).toEqual([200, { name: "Desk lamp", price: 12.5 }]);
    expect(first.body.data.metadata.creditsUsed).toBe(5);
    const [learnt] = await list();
    expect(learnt).toMatchObject({ host: `127.0.0.1:${site.port}`, version: 1, fields: ["name", "price"] });
    expect((await scrape("/torch")).body.data.json).toEqual({ name: "Torch", price: 1299 });
    expect((await list())[0].version).toBe(1);
    expect((await scrape("/new")).body.data.json).toEqual({ name: "Lantern", price: 30 });
    expect((await list())[0]).toMatchObject({ id: learnt.id, version: 2 });
    const batch = await runJob(app, "/v2/batch/scrape", { urls: [`${site.url}/newer`, `${site.url}/lamp`], formats: [format] });
    expect(batch.data.map(({ json }) => json.name).toSorted()).toEqual(["Candle", "Desk lamp"]);
    expect((await list())[0].version).toBe(2);
  });

  it("belongs to its team, and is forgotten when it is deleted", async () => {
    expect(await list(otherKey)).toEqual([]);
    const [{ id }] = await list();
    const remove = (key?: string) => app.call("DELETE", `/v2/team/extractors/${id}`, key ? { key } : {});
    expect((await remove(otherKey)).body.code).toBe("EXTRACTOR_NOT_FOUND");
    expect((await remove()).body).toEqual({ success: true });
    expect((await remove()).status).toBe(404);
    expect(await list()).toEqual([]);
  });

  it("leaves nothing behind with zeroDataRetention, and is refused beside json, without a schema or with a bad one", async () => {
    expect((await scrape("/lamp", [format], { zeroDataRetention: true })).body.data.json.name).toBe("Desk lamp");
    expect(await list()).toEqual([]);
    const beside = await scrape("/lamp", [format, { type: "json", schema }]);
    expect([beside.status, beside.body.details[0].path]).toEqual([400, ["formats", 0]]);
    expect((await scrape("/lamp", ["deterministicJson"])).status).toBe(400);
    expect((await scrape("/lamp", [{ ...format, schema: { type: "nonsense" } }])).status).toBe(400);
  });
});
