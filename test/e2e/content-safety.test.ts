// Hidden text through the API: it stays out of outputs, whether a page is fetched or rendered.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { lacksChromium, quickBrowser } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { hiddenPages } from "../support/hidden-pages.ts";
import { answerText } from "../support/jobs.ts";

const seen = "The harbour has three piers, and boats leave at noon for the islands, every day of the year but one.";
/** Hidden by an external sheet, so that only a browser can tell; and what looks hidden and is not. */
const sheetPage = `<!doctype html><title>Sheets</title><link rel="stylesheet" href="/sheet.css"><main><h1>Sheets</h1>
  ${`<p>${seen}</p>`.repeat(20)}<p class="gone">SECRET one</p><p class="pale">SECRET two</p><p class="away">SECRET three</p>
  <div class="hero"><p class="pale">KEPT one</p></div><div class="tab-panel">KEPT two</div>
  <div class="cover"><img alt="" src="/none.png" class="behind"><p class="pale">KEPT three</p></div></main>`;
const sheet = `.gone{display:none}.pale{color:#fff}.away{position:absolute;left:-5000px}.hero{background:#024}.tab-panel{display:none}
  .cover{position:relative}.behind{position:absolute;inset:0;width:100%;height:100%}`;

const styles = answerText(sheet, "text/css");

/** Its scripts break everything with which a page could be looked at from among them, and watch for the mark of what is hidden. */
const breaking = `<script>
  const forge = (owner, name, value) => Object.defineProperty(owner, name, { configurable: true, ...value });
  window.getComputedStyle = () => { throw new Error("forged") };
  for (const name of ["getBoundingClientRect", "querySelectorAll", "setAttribute", "matches", "getAttribute", "hasAttribute"])
    forge(Element.prototype, name, { value: () => null });
  for (const name of ["children", "childElementCount", "outerHTML", "innerHTML", "localName"])
    forge(Element.prototype, name, { get: () => "<p>FOR" + "GED</p>" });
  for (const name of ["childNodes", "parentNode", "textContent", "nodeType", "firstChild", "ownerDocument"])
    forge(Node.prototype, name, { get: () => null });
  for (const name of ["defaultView", "body", "documentElement", "implementation"]) forge(Document.prototype, name, { get: () => null });
  Document.prototype.querySelectorAll = () => [];
  RegExp.prototype.exec = RegExp.prototype.test = () => null;
  Map.prototype.get = Set.prototype.has = Number.parseFloat = () => undefined;
</script>`;
const watching = `<script>customElements.define("x-watch", class extends HTMLElement {
  static observedAttributes = ["data-trawl-hidden"];
  attributeChangedCallback() { this.removeAttribute("data-trawl-hidden") } })</script><x-watch class="gone">SECRET watched</x-watch>`;
const fields = [
  "children",
  "childNodes",
  "firstChild",
  "localName",
  "getAttribute",
  "setAttribute",
  "getBoundingClientRect",
];
const named = [
  "parentElement",
  "parentNode",
  "textContent",
  "querySelectorAll",
  "nodeType",
  "attributes",
  "ownerDocument",
];
/** Fields and pictures whose names stand for what forms and documents are asked. */
const clobbering = `<form class="gone">SECRET form ${inputs(fields)}</form><form>${inputs([...fields, ...named])}
  <p>KEPT field</p><p class="gone">SECRET field</p><p class="pale">SECRET pale</p></form>${[
    "body",
    "defaultView",
    "documentElement",
    "doctype",
  ]
    .map((name) => `<img alt="" name="${name}">`)
    .join("")}`;
function inputs(names: string[]): string {
  return names.map((name) => `<input type="hidden" name="${name}">`).join("");
}
const closedRoot = (word: string) => `<div id="host"></div><script>{
  const root = document.getElementById("host").attachShadow({ mode: "closed" });
  root.innerHTML = '<style>.off{visibility:hidden}</style><p>KEPT ${word}</p><p class="off">SECRET ${word}</p>' }</script>`;
const hostile = (body: string) =>
  `<!doctype html><title>Hostile</title><link rel="stylesheet" href="/sheet.css"><main><h1>Hostile</h1>
  ${`<p>${seen}</p>`.repeat(20)}<p class="gone">SECRET one</p><p class="pale">SECRET two</p><p class="away">SECRET three</p>
  <p>KEPT one</p>${body}</main>`;
const hostilePages = {
  "/breaking": hostile(breaking),
  "/watching": hostile(watching),
  "/clobbering": hostile(clobbering),
  "/closed": hostile(`${closedRoot("root")}${breaking}`),
  "/written": hostile(
    `<div><template shadowrootmode="closed"><style>.off{display:none}</style><p>KEPT written</p><p class="off">SECRET written</p></template></div>`,
  ),
  "/framed": hostile('<iframe src="/frame" width="600" height="400"></iframe>'),
  "/frame": hostile(`${closedRoot("frame")}${clobbering}${breaking}`),
};

describe.each([anyEngine])("hidden text on $name", (engine) => {
  let site: FixtureSite;
  let other: FixtureSite;
  let app: TestApp;
  beforeAll(async () => {
    const pages = Object.fromEntries(hiddenPages.map(({ html }, nth) => [`/hidden/${nth}`, html]));
    other = await startSite({ ...hostilePages, "/sheet.css": styles });
    site = await startSite({
      ...pages,
      ...hostilePages,
      "/elsewhere": hostile(
        [other.url, other.url.replace("127.0.0.1", "localhost")]
          .map((url) => `<iframe src="${url}/frame" width="600" height="400"></iframe>`)
          .join(""),
      ),
      "/sheets": sheetPage,
      "/sheet.css": styles,
      "/data": `<title>Pier</title><h1>Pier</h1>${`<p>${seen}</p>`.repeat(5)}<p>Price: 12 EUR</p><p style="opacity:0">Colour: SECRET</p>`,
    });
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1,localhost", ...quickBrowser });
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all([site.close(), other.close()]);
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

    it.each([
      ["break the language and the tree", "/breaking", ["one"]],
      ["watch for marks", "/watching", ["one"]],
      ["give fields the names of what forms and documents are asked", "/clobbering", ["one", "field"]],
      ["hide in closed shadow roots", "/closed", ["one", "root"]],
      ["hide in closed shadow roots that are written", "/written", ["one", "written"]],
      ["do all of this in a frame", "/framed", ["one", "frame", "field"]],
      ["do all of this in frames of other sites", "/elsewhere", ["one", "frame", "field"]],
    ])("is not fooled by pages that %s", async (_what, path, words) => {
      const { markdown, rawHtml, metadata } = await scrape(path, rendered);
      expect(markdown).not.toContain("SECRET");
      expect(rawHtml).not.toContain("FORGED");
      for (const word of words) expect(markdown).toContain(`KEPT ${word}`);
      expect(metadata.hiddenText).toBeGreaterThanOrEqual("SECRET one".length);
    });

    it("goes by computed styles and boxes, and leaves alone what only looks hidden", async () => {
      const { markdown, metadata } = await scrape("/sheets", rendered);
      expect(markdown).not.toContain("SECRET");
      for (const word of ["KEPT one", "KEPT two", "KEPT three"]) expect(markdown).toContain(word);
      expect(metadata.hiddenText).toBe("SECRET one".length + "SECRET two".length + "SECRET three".length);
    });
  });
});
