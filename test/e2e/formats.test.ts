// The formats that are made of a page's structure: tables, chunks, audio and video, in every feature that returns pages.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { runJob } from "../support/jobs.ts";
import { type ModelApp, startModelApp } from "../support/models.ts";

const page = `<!doctype html><html lang="en"><head><title>Ferries</title></head><body><main><h1>Ferries</h1>
  <p>The ferry leaves the harbour every morning at nine and carries letters, bread and visitors to the island.</p>
  <h2>Boats</h2><table><caption>The fleet</caption><tr><th>Boat</th><th>Seats</th></tr><tr><td>Aurora</td><td>120</td></tr></table>
  <video src="/ferry.mp4" poster="/ferry.jpg"><track kind="captions" srclang="en" src="/ferry.vtt"><track src="http://10.0.0.1/secret.vtt"></video>
  <p><a href="/horn.mp3">The horn</a></p></main></body></html>`;
const linked = (data: object, body: string) =>
  `<!doctype html><html><head><title>Here</title><script type="application/ld+json">${JSON.stringify(data)}</script></head><body><main>${body}</main></body></html>`;
const offer = { "@type": "Offer", price: "59.90", priceCurrency: "EUR", availability: "https://schema.org/InStock" };
const shop = linked(
  { "@type": "Product", name: "Desk lamp", sku: "L-1", offers: offer },
  "<h1>Desk lamp</h1><p>It bends.</p>",
);
const dishes = [{ "@type": "MenuItem", name: "Soup", offers: { price: 5, priceCurrency: "EUR" } }];
const kitchen = linked(
  { "@type": "Menu", name: "Lunch", hasMenuItem: dishes },
  "<h1>Lunch</h1><p>Soup of the day.</p>",
);
const vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\nAll aboard!\n";
const answers =
  (type: string, body: string | Buffer) => (_request: unknown, response: import("node:http").ServerResponse) =>
    response.writeHead(200, { "content-type": type }).end(body);

describe.each([anyEngine])("formats of a page's structure on $name", (engine) => {
  let app: TestApp;
  let site: FixtureSite;
  let service: FixtureSite;
  beforeAll(async () => {
    site = await startSite({
      "/": page,
      "/empty":
        "<html><body><main><p>Nothing but words, and enough of them to be a page that says something.</p></main></body></html>",
      "/shop": shop,
      "/kitchen": kitchen,
      "/ferry.vtt": answers("text/vtt", vtt),
      "/boats.csv": answers("text/csv", "Boat,Tonnes\nAurora,412\n"),
    });
    service = await startSite(() => (request, response) => {
      // The word that is searched for names the page.
      const words = new URL(request.url ?? "", "http://service").searchParams.get("q") ?? "";
      const found = ["shop", "kitchen"].find((name) => words.includes(name)) ?? "";
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          results: [{ url: `${site.url}/${found}`, title: words, content: words }],
          unresponsive_engines: [],
        }),
      );
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
  const formats = ["tables", { type: "chunks", maxTokens: 64 }, "audio", "video"];
  const expected = () => ({
    tables: [
      {
        position: 1,
        caption: "The fleet",
        headers: ["Boat", "Seats"],
        rows: [["Aurora", "120"]],
        csv: "Boat,Seats\r\nAurora,120\r\n",
      },
    ],
    chunks: [
      {
        position: 1,
        headings: ["Ferries"],
        tokens: expect.any(Number),
        text: expect.stringContaining("leaves the harbour"),
      },
      { position: 2, headings: ["Ferries", "Boats"], text: expect.stringContaining("Aurora") },
    ],
    video: `${site.url}/ferry.mp4`,
    videos: [
      {
        url: `${site.url}/ferry.mp4`,
        type: "video/mp4",
        poster: `${site.url}/ferry.jpg`,
        captions: [
          { url: `${site.url}/ferry.vtt`, kind: "captions", language: "en", text: "All aboard!" },
          { url: "http://10.0.0.1/secret.vtt", kind: "subtitles" },
        ],
      },
    ],
    audio: `${site.url}/horn.mp3`,
    audios: [{ url: `${site.url}/horn.mp3`, type: "audio/mpeg", title: "The horn" }],
  });

  it("come with a scrape, cost what the table says, and load no media; captions pass the guard", async () => {
    const { status, body } = await scrape("/", formats);
    expect(status).toBe(200);
    expect(body.data).toMatchObject(expected());
    expect(body.data).not.toHaveProperty("markdown");
    expect(body.data.videos[0].captions[1]).not.toHaveProperty("text");
    expect(body.data.metadata.creditsUsed).toBe(9);
    expect(site.asked).not.toContain("/ferry.mp4");
    expect(site.asked).not.toContain("/horn.mp3");
    expect((await scrape("/", ["tables", "chunks"])).body.data.metadata.creditsUsed).toBe(1);
  });

  it("are the same from the cached page, and with its markdown when that is asked for", async () => {
    const { body } = await scrape("/", ["markdown", ...formats]);
    expect(body.data).toMatchObject(expected());
    expect(body.data.metadata.cacheState).toBe("hit");
    const [from, to] = body.data.chunks[1].markdownSpan;
    expect(body.data.markdown.slice(from, to)).toBe(body.data.chunks[1].text);
    const again = await scrape("/", ["markdown", ...formats]);
    expect(again.body.data).toMatchObject(expected());
  });

  it("say what a page does not have", async () => {
    const { body } = await scrape("/empty", ["tables", "audio", "video"]);
    expect(body.data).toMatchObject({ tables: [], audios: [], videos: [] });
    expect(body.data).not.toHaveProperty("video");
    expect(body.warning).toBe("The page has no tables of data. The page has no audio. The page has no video.");
  });

  it("are refused with options that make no sense, and by v1, which does not know them", async () => {
    const { status, body } = await scrape("/", [{ type: "chunks", maxTokens: 100, overlap: 60 }]);
    expect([status, body.details[0].path]).toEqual([400, ["formats", 0, "overlap"]]);
    expect((await scrape("/", [{ type: "chunks", maxTokens: 3 }])).status).toBe(400);
    const v1 = await app.call("POST", "/v1/scrape", { body: { url: `${site.url}/`, formats: ["tables"] } });
    expect(v1.status).toBe(400);
  });

  it("come with crawls, batches and searches", async () => {
    const crawl = await runJob(app, "/v2/crawl", { url: `${site.url}/`, limit: 1, scrapeOptions: { formats } });
    expect(crawl.data[0]).toMatchObject(expected());
    const batch = await runJob(app, "/v2/batch/scrape", { urls: [`${site.url}/`], formats });
    expect(batch.data[0]).toMatchObject(expected());
    const { body } = await app.call("POST", "/v2/search", { body: { query: "ferries", scrapeOptions: { formats } } });
    expect(body.data.web[0]).toMatchObject(expected());
  });

  it("are products and menus, absent with a warning where a page has neither", async () => {
    const { body } = await scrape("/shop", ["product", "menu", "json"]);
    expect(body.data.product).toMatchObject({
      title: "Desk lamp",
      variants: [{ sku: "L-1", price: { amount: 59.9, currency: "EUR" }, availability: { inStock: true } }],
    });
    expect(body.data.json).toMatchObject({ name: "Desk lamp" });
    expect(body.data).not.toHaveProperty("menu");
    expect(body.warning).toContain("No menu was found on the page.");
    const kitchen = await scrape("/kitchen", ["menu"]);
    expect(kitchen.body.data.menu).toMatchObject({
      isMenu: true,
      sections: [{ items: [{ name: "Soup", price: { amount: 5 } }] }],
    });
    expect(kitchen.body.data.metadata.creditsUsed).toBe(1);
  });

  it.each([
    ["product", "shop", shop, { title: "Desk lamp", variants: [{ price: { amount: 59.9 } }] }],
    ["menu", "kitchen", kitchen, { isMenu: true, sections: [{ items: [{ name: "Soup" }] }] }],
  ])("are a %s in crawls, batches, searches and files", async (name, path, html, thing) => {
    const scrapeOptions = { formats: [name] };
    const url = `${site.url}/${path}`;
    const crawl = await runJob(app, "/v2/crawl", { url, limit: 1, scrapeOptions });
    expect(crawl.data[0][name]).toMatchObject(thing);
    const batch = await runJob(app, "/v2/batch/scrape", { urls: [url], formats: [name] });
    expect(batch.data[0][name]).toMatchObject(thing);
    const found = await app.call("POST", "/v2/search", { body: { query: path, scrapeOptions } });
    expect(found.body.data.web[0][name]).toMatchObject(thing);
    const form = new FormData();
    form.set("file", new Blob([html]), `${path}.html`);
    form.set("options", JSON.stringify({ formats: [name] }));
    expect((await app.call("POST", "/v2/parse", { body: form })).body.data[name]).toMatchObject(thing);
  });

  it("of files are their tables and chunks; audio and video are of pages only", async () => {
    expect((await scrape("/boats.csv", ["tables"])).body.data.tables).toMatchObject([
      { headers: ["Boat", "Tonnes"], rows: [["Aurora", "412"]] },
    ]);
    const parse = (asked: unknown[]) => {
      const form = new FormData();
      const bytes = readFileSync(join(import.meta.dirname, "../documents/files/boats.csv"));
      form.set("file", new Blob([bytes]), "boats.csv");
      form.set("options", JSON.stringify({ formats: asked }));
      return app.call("POST", "/v2/parse", { body: form });
    };
    const { body } = await parse(["tables", "chunks"]);
    expect(body.data.tables[0].rows).toContainEqual(["Borealis", "792"]);
    expect(body.data.chunks[0].text).toContain("Borealis");
    expect((await parse(["video"])).status).toBe(400);
  });
});

describe.each([anyEngine])("products and menus by a model on $name", (engine) => {
  const words = "The house stands by the harbour, and whoever comes early is served first. ".repeat(3);
  const told = `<!doctype html><html lang="en"><head><title>By the harbour</title></head><body><main><h1>By the harbour</h1>
    <p>${words}</p><p>Ask for our storm lantern: the brass one goes for 40 crowns, the steel one for 25 crowns, and both are here.</p>
    <p>At noon the kitchen ladles fish stew for 9 crowns, and later there is apple cake for 4 crowns.</p></main></body></html>`;
  let models: ModelApp;
  let site: FixtureSite;
  beforeAll(async () => {
    site = await startSite({ "/told": told, "/shop": shop });
    models = await startModelApp(engine);
  });
  afterAll(async () => {
    await models.stop();
    await site.close();
  });
  const scrape = async (path: string, formats: unknown[]) =>
    (
      await models.app.call("POST", "/v2/scrape", {
        body: { url: site.url + path, formats, maxAge: 0, timeout: 300_000 },
      })
    ).body;
  const isAbout = (schema: unknown, name: string) => JSON.stringify(schema).includes(`"${name}"`);

  it("are read from the text where the page's own data do not have them, each once, in the forms of the API", async () => {
    models.script(({ schema }) => ({
      json: isAbout(schema, "variants")
        ? {
            title: "storm lantern",
            variants: [
              { title: "brass", price: 40 },
              { title: "steel", price: 25 },
            ],
          }
        : {
            items: [
              { name: "fish stew", price: 9 },
              { name: "apple cake", price: 4 },
            ],
          },
    }));
    const { data } = await scrape("/told", ["product", "menu"]);
    expect(data.product).toMatchObject({
      title: "storm lantern",
      variants: [
        { title: "brass", price: { amount: 40 }, availability: { inStock: true } },
        { title: "steel", price: { amount: 25 }, availability: { inStock: true } },
      ],
    });
    expect(data.menu).toMatchObject({ isMenu: true, sourceUrl: `${site.url}/told` });
    const [{ items }] = data.menu.sections;
    expect(items).toMatchObject([
      { id: "menu/fish-stew", name: "fish stew", price: { amount: 9 } },
      { id: "menu/apple-cake", name: "apple cake", price: { amount: 4 } },
    ]);
    expect(models.asked).toHaveLength(2);
    expect(data.metadata.creditsUsed).toBe(1);
  });

  it("are not asked for where the page's own data have them, and not believed where the page does not say so", async () => {
    models.script(() => ({ json: { title: "Golden anchor", variants: [{ title: "large", price: 99_999 }] } }));
    expect((await scrape("/shop", ["product"])).data.product.title).toBe("Desk lamp");
    expect(models.asked).toHaveLength(0);
    const made = await scrape("/told", ["product"]);
    expect(made.data).not.toHaveProperty("product");
    expect(made.warning).toContain("No product was found on the page.");
  });

  it("are absent with a warning when the model fails or says what has no form", async () => {
    models.script(() => ({ status: 400, error: "no" }));
    expect((await scrape("/told", ["menu"])).data).not.toHaveProperty("menu");
    models.script(() => ({ text: "I would rather not." }));
    const { data, warning } = await scrape("/told", ["menu"]);
    expect(data).not.toHaveProperty("menu");
    expect(warning).toContain("No menu was found on the page.");
  });
});
