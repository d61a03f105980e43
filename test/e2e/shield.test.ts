// The shield through the API: what people do not see of a page stays out of what is answered, fetched or rendered.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { lacksChromium } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { hiddenPages } from "../support/hidden-pages.ts";

const seen = "The harbour has three piers, and boats leave at noon for the islands, every day of the year but one.";
/** Hidden by a sheet of its own, so that only a browser can tell; and what looks so and is not. */
const sheetPage = `<!doctype html><title>Sheets</title><link rel="stylesheet" href="/sheet.css"><main><h1>Sheets</h1>
  ${`<p>${seen}</p>`.repeat(20)}<p class="gone">SECRET one</p><p class="pale">SECRET two</p><p class="away">SECRET three</p>
  <div class="hero"><p class="pale">KEPT one</p></div><div class="tab-panel">KEPT two</div>
  <div class="cover"><img alt="" src="/none.png" class="behind"><p class="pale">KEPT three</p></div></main>`;
const sheet = `.gone{display:none}.pale{color:#fff}.away{position:absolute;left:-5000px}.hero{background:#024}.tab-panel{display:none}
  .cover{position:relative}.behind{position:absolute;inset:0;width:100%;height:100%}`;

describe.each([anyEngine])("the shield on $name", (engine) => {
  let site: FixtureSite;
  let app: TestApp;
  beforeAll(async () => {
    const pages = Object.fromEntries(hiddenPages.map(({ html }, nth) => [`/hidden/${nth}`, html]));
    site = await startSite({
      ...pages,
      "/sheets": sheetPage,
      "/sheet.css": (_request, response) => void response.writeHead(200, { "content-type": "text/css" }).end(sheet),
      "/data": `<title>Pier</title><h1>Pier</h1>${`<p>${seen}</p>`.repeat(5)}<p>Price: 12 EUR</p><p style="opacity:0">Colour: SECRET</p>`,
    });
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", PATH: process.env.PATH ?? "" });
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });

  const scrape = async (path: string, options: object = {}) => {
    const { status, body } = await app.call("POST", "/v2/scrape", { body: { url: site.url + path, ...options } });
    expect([status, body.error]).toEqual([200, undefined]);
    return body.data;
  };

  it("keeps hidden text out of data", async () => {
    const schema = { type: "object", properties: { price: { type: "string" }, colour: { type: "string" } } };
    const { json } = await scrape("/data", { formats: [{ type: "json", schema }] });
    expect(JSON.stringify(json)).not.toContain("SECRET");
    expect(json.price).toContain("12");
  });

  describe.skipIf(lacksChromium)("with a browser", () => {
    const rendered = { waitFor: 1, formats: ["markdown", "html", "rawHtml"], onlyMainContent: false };

    it.each(
      hiddenPages.flatMap((page, nth) => {
        const isTried = page.length === (page.where === "in" ? "short" : "long");
        return isTried ? [[page.trick, page.where, nth] as const] : [];
      }),
    )("shows nothing that is hidden by %s, %s the text", async (_trick, _where, nth) => {
      const { secret } = hiddenPages[nth] as (typeof hiddenPages)[number];
      const { markdown, html, rawHtml } = await scrape(`/hidden/${nth}`, rendered);
      expect(markdown).toContain("three piers");
      expect(markdown).not.toMatch(secret);
      expect(html).not.toMatch(secret);
      expect(rawHtml).not.toContain("data-trawl");
    });

    it("goes by computed styles and boxes, and leaves alone what only looks hidden", async () => {
      const { markdown, metadata } = await scrape("/sheets", rendered);
      expect(markdown).not.toContain("SECRET");
      for (const word of ["KEPT one", "KEPT two", "KEPT three"]) expect(markdown).toContain(word);
      expect(metadata.hiddenText).toBe("SECRET one".length + "SECRET two".length + "SECRET three".length);
    });
  });
});
