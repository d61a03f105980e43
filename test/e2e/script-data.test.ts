// Pages that scripts fill in, through the API: read over HTTP where their own data hold their text, else rendered.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { lacksChromium } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import { openSite } from "../support/jobs.ts";
import { useApp, withQuickBrowser } from "../support/shared-app.ts";

interface Step {
  step: string;
  engine: string;
  detail?: { verdict?: unknown; textFrom?: string };
}

const sentences = Array.from(
  { length: 12 },
  (_, n) => `In net number ${n} the herons of the bay found eels and crabs.`,
);
const body = sentences.map((text) => `<p>${text}</p>`).join("");
const title = "The herons and their nets";
/** Its script shows what its data say, between a menu and a footer. */
const shell = (page: { title: string; body: string }) => `<!doctype html><title>${title} | Bay News</title>
  <div id="__next"></div><script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { pageProps: { page } } })}</script>
  <script>const { page } = JSON.parse(document.getElementById("__NEXT_DATA__").textContent).props.pageProps;
  document.getElementById("__next").innerHTML = '<nav><a href="/menu">Menu</a></nav><article><h1>${title}</h1>' +
    (page.title === "${title}" ? page.body : ${JSON.stringify(body.replaceAll("net number", "drawn net"))}) + "</article><footer>Bay News</footer>"</script>`;

const openPages = () =>
  openSite({
    "/herons": shell({ title, body }),
    "/others": shell({ title: "Another page", body: "<p>Words of another page.</p>".repeat(30) }),
  });
const scrape = (app: TestApp, url: string, options: object = {}) =>
  app.call("POST", "/v2/scrape", { body: { url, trace: true, ...options } });
const stepsOf = (trace: Step[]) =>
  trace
    .filter(({ step }) => step !== "choose" && step !== "cache")
    .map(({ step, engine, detail }) => [step, engine ?? detail?.textFrom]);

describe.skipIf(lacksChromium)("a page that scripts fill in, with a browser", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await useApp(anyEngine, withQuickBrowser);
  });
  afterAll(() => app.stop());

  it("is read from its data when only its text is wanted: the same that a browser shows, and kept like any page", async () => {
    const site = await openPages();
    const url = `${site.url}/herons`;
    const rendered = await scrape(app, url, { waitFor: 1, storeInCache: false });
    const { body: read } = await scrape(app, url);
    expect(stepsOf(read.trace)).toEqual([
      ["fetch", "http"],
      ["content", "__NEXT_DATA__"],
    ]);
    expect(read.data.metadata.pageState).toBe("content");
    expect(read.data.warning).toBeUndefined();
    expect(read.data.markdown).toBe(rendered.body.data.markdown);
    const again = await scrape(app, url, { formats: ["markdown"] });
    expect(again.body.data.metadata.cacheState).toBe("hit");
    // What the data do not hold is not taken from that copy.
    const links = await scrape(app, url, { formats: ["markdown", "links"] });
    expect(links.body.data.links).toContain(`${site.url}/menu`);
    expect(stepsOf(links.body.trace)).toContainEqual(["render", "browser"]);
  });

  it("is rendered when its data are of another page", async () => {
    const site = await openPages();
    const { body: read } = await scrape(app, `${site.url}/others`);
    expect(read.data.markdown).toContain("drawn net 3");
    expect(read.data.markdown).not.toContain("another page");
    expect(stepsOf(read.trace)).toEqual([
      ["fetch", "http"],
      ["content", undefined],
      ["render", "browser"],
      ["content", undefined],
    ]);
    const [fetched] = read.trace.filter(({ step }: Step) => step === "fetch");
    expect(fetched.detail.verdict).toBe("empty_shell");
  });
});

describe("a page that scripts fill in, without a browser", () => {
  it("is read from its data; what they do not hold is named", async () => {
    const app = await startApp(anyEngine, {
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      CHROMIUM_PATH: "/nowhere/chromium",
    });
    const site = await openPages();
    const text = await scrape(app, `${site.url}/herons`);
    expect(text.body.data.markdown).toContain(sentences[11]);
    expect(text.body.data.warning).toBeUndefined();
    const fast = await scrape(app, `${site.url}/herons?fast`, { fastMode: true });
    expect(fast.body.data.markdown).toContain(sentences[11]);
    const links = await scrape(app, `${site.url}/herons`, { formats: ["markdown", "links"] });
    expect(links.body.data.markdown).toContain(sentences[11]);
    expect(links.body.data.warning).toContain("Scripts fill in this page");
    const others = await scrape(app, `${site.url}/others`);
    expect(others.body.data.metadata.pageState).toBe("empty_shell");
    await app.stop();
  });
});
